// Sample rows for tests: small, whole, distinguished by numbers.
import Game
import Store
import Testing

func moment(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

func room(_ number: UInt128) -> RoomRow {
  RoomRow(id: RoomID(number), code: UInt64(truncatingIfNeeded: number) | 1 << 63, openedAt: moment(7))
}

func digest(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

/// The lifetime of the server's sessions.
let sessionMs: Int64 = 30 * 86_400_000

func session(_ number: UInt8, connection: UInt64 = 0, expiresAt: Int64 = sessionMs) -> NewSession {
  NewSession(digest: digest(number), connection: connection, expiresAt: moment(expiresAt))
}

func hello(
  _ player: UInt128,
  device: UInt8,
  session number: UInt8,
  as nickname: String = "가람",
  at: Int64 = 0,
  mayMakePlayer: Bool = true
) -> SessionChange {
  .hello(
    HelloChange(
      device: digest(device),
      newPlayer: PlayerID(player),
      nickname: nickname,
      session: session(number),
      at: moment(at),
      mayMakePlayer: mayMakePlayer
    )
  )
}

func setPassword(
  of player: UInt128,
  to hash: String = "new",
  session: UInt8 = 1,
  device: UInt8? = nil
) -> AccountChange {
  .setPassword(PlayerID(player), hash: hash, session: digest(session), device: device.map(digest))
}

func register(_ player: UInt128, _ email: String, as nickname: String) -> AccountChange {
  .register(PlayerID(player), email: email, passwordHash: "hash of \(email)", nickname: nickname)
}

func gameRow(_ room: UInt128, _ number: UInt32 = 1, endedAt: Int64 = 1_000, players: Int = 2) -> GameRow {
  GameRow(
    id: GameID(room: RoomID(room), number: number),
    mode: .footprint,
    startedAt: moment(endedAt - 500),
    endedAt: moment(endedAt),
    rulesVersion: 1,
    playersCount: players,
    // The highest bit is set, which a signed column shows as a negative number.
    fingerprint: .max - UInt64(number)
  )
}

func result(_ player: UInt128, of game: GameRow, rank: Int = 1, counts: Bool = true) -> ResultRow {
  ResultRow(
    player: PlayerID(player),
    game: game.id,
    mode: game.mode,
    land: game.land,
    seat: Int(player % 200),
    endedAt: game.endedAt,
    points: 5,
    distanceMm: 70_000,
    timeMs: 60_000,
    rank: rank,
    won: rank == 1,
    completed: counts,
    counts: counts,
    calories: 700,
    nickname: "p\(player)"
  )
}

extension SessionOutcome {
  /// The player of the outcome; fails the test without one.
  var playerRow: PlayerRow {
    get throws {
      guard case .player(let row) = self else { throw NoPlayer(outcome: self) }
      return row
    }
  }

  struct NoPlayer: Error {
    let outcome: SessionOutcome
  }
}

extension Outcome {
  /// The player of a session's outcome; fails the test without one.
  var playerRow: PlayerRow {
    get throws { try SessionChange.outcome(in: self).playerRow }
  }
}
