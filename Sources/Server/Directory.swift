// Who is where: every room's shard, every player's session and room. The one thing that shards share.
//
// Guarded by a lock that is held for a few dictionary steps; used when someone says hello, comes back, enters or leaves,
// never on the way of a position. It knows no connections, only where they are: what it says may be out of date when the
// shard that it names looks, so that shard checks `isCurrent` and its own rooms again.
import Game
import MadangProtocol
import Net
import Synchronization

/// Where a player's connection is, and which of theirs it is: a later one has a higher number.
struct ConnectionPlace: Sendable, Equatable {
  let shard: Int
  let token: UInt64
  let number: UInt64
}

/// Where a room is.
struct RoomPlace: Sendable, Equatable {
  let code: RoomCode
  let shard: Int
}

/// What a hello or a resume comes to.
struct Recognition: Sendable {
  let player: PlayerID
  let nickname: String
  /// Which of the player's connections this one is.
  let number: UInt64
  let room: RoomPlace?
  /// The older connection, to be closed.
  let replaced: ConnectionPlace?
}

final class Directory: Sendable {
  /// What is known of a player. An object of its own, for a table of this width would be half empty on average, and
  /// tens of thousands may be idle: each byte here counts that often.
  fileprivate final class PlayerEntry {
    let id: PlayerID
    let device: SecretDigest
    var secret: SecretDigest
    var nickname: String
    var number: UInt64 = 0
    var room: RoomCode?
    var connection: ConnectionPlace?

    init(_ id: PlayerID, device: SecretDigest, secret: SecretDigest, nickname: String) {
      self.id = id
      self.device = device
      self.secret = secret
      self.nickname = nickname
    }
  }

  fileprivate struct RoomEntry {
    let shard: Int
    let isSolo: Bool
  }

  fileprivate struct State {
    var rooms: [RoomCode: RoomEntry] = [:]
    var players: [PlayerID: PlayerEntry] = [:]
    var byDevice: [SecretDigest: PlayerEntry] = [:]
    var newRooms = Allowances<PlayerID>(perMinute: Limits.roomsPerMinuteForPlayer)
    var joins = Allowances<PlayerID>(perMinute: Limits.joinsPerMinuteForPlayer)
    var wrongCodes = Allowances<PlayerID>(perMinute: Limits.wrongCodesPerMinuteForSession)
    var wrongCodesFromAddress = Allowances<IPAddress>(perMinute: Limits.wrongCodesPerMinuteForAddress)
    var absentees = Absentees()
  }

  /// How long a session outlives its connection outside of a room: as long as the longest game.
  static let absenceSecondsMax: Int64 = 2 * 60 * 60
  /// How many such sessions are kept; the longest absent goes first.
  static let absenteesMax = 100_000

  private let state = Mutex(State())
  private let random: RandomSource

  init(random: @escaping RandomSource) {
    self.random = random
  }

  // Players.

  /// Begins a session: the player of this device secret, or a new one. `secret` is of the new session's token, which
  /// replaces any older one of the player; `shard` and `connection` say where the connection is, and its token there.
  func hello(
    device: SecretDigest,
    nickname: String,
    secret: SecretDigest,
    shard: Int,
    connection: UInt64,
    at now: Timestamp
  ) -> Recognition {
    state.withLock { state in
      state.forgetAbsentees(at: now)
      let entry = state.entry(device: device, nickname: nickname, secret: secret, random)
      entry.secret = secret
      entry.nickname = nickname
      return state.recognize(entry, shard: shard, connection: connection)
    }
  }

  /// Continues the session of `player`; nil when it is not this secret's.
  func resume(
    _ player: PlayerID,
    secret: SecretDigest,
    shard: Int,
    connection: UInt64,
    at now: Timestamp
  ) -> Recognition? {
    state.withLock { state in
      state.forgetAbsentees(at: now)
      guard let entry = state.players[player], entry.secret == secret else { return nil }
      return state.recognize(entry, shard: shard, connection: connection)
    }
  }

  /// The player's connection is on this shard now; false when a newer one has taken its place.
  func settle(_ player: PlayerID, _ place: ConnectionPlace) -> Bool {
    state.withLock { state in
      guard let entry = state.players[player], entry.number == place.number else { return false }
      entry.connection = place
      return true
    }
  }

  /// The player's connection `number` is gone.
  func disconnect(_ player: PlayerID, number: UInt64, at now: Timestamp) {
    state.withLock { state in
      guard let entry = state.players[player], entry.number == number else { return }
      entry.connection = nil
      state.noteAbsence(entry, at: now)
    }
  }

  // Rooms.

  /// Registers a new room under a code that no other has.
  func addRoom(shard: Int, isSolo: Bool) -> RoomPlace {
    state.withLock { state in
      var code: RoomCode
      repeat { code = RoomCode(drawing: UInt64(drawnBy: random)) } while state.rooms[code] != nil
      state.rooms[code] = RoomEntry(shard: shard, isSolo: isSolo)
      return RoomPlace(code: code, shard: shard)
    }
  }

  /// Counts one new room of the player's; milliseconds to wait when there have been too many.
  func payForRoom(_ player: PlayerID, at now: Timestamp) -> UInt32? {
    state.withLock { state in
      guard !state.newRooms.take(player, at: Instant(now)) else { return nil }
      return state.newRooms.wait(player, at: Instant(now)).wireMilliseconds
    }
  }

  func removeRoom(_ code: RoomCode) {
    state.withLock { $0.rooms[code] = nil }
  }

  /// Finds the room of a code for someone who names it; `player`, if it is one, and `address` pay for a code without a
  /// room.
  func findRoom(_ code: RoomCode, for player: PlayerID?, from address: IPAddress, at now: Timestamp) -> Finding {
    let address = address.subscriberNetwork
    return state.withLock { state in
      let now = Instant(now)
      let ownWait = player.map { state.wrongCodes.wait($0, at: now) } ?? .zero
      let wait = max(ownWait, state.wrongCodesFromAddress.wait(address, at: now))
      guard wait == .zero else { return .tooOften(retryAfterMs: wait.wireMilliseconds) }
      if let room = state.rooms[code], !room.isSolo {
        if let player, !state.joins.take(player, at: now) {
          return .tooOften(retryAfterMs: state.joins.wait(player, at: now).wireMilliseconds)
        }
        return .room(RoomPlace(code: code, shard: room.shard))
      }
      if let player { _ = state.wrongCodes.take(player, at: now) }
      _ = state.wrongCodesFromAddress.take(address, at: now)
      return .nothing
    }
  }

  enum Finding: Equatable {
    case room(RoomPlace)
    case nothing
    case tooOften(retryAfterMs: UInt32)
  }

  /// The player is about to enter this room; false when a newer connection of theirs has taken over.
  func enter(_ player: PlayerID, number: UInt64, _ room: RoomPlace) -> Bool {
    state.withLock { state in
      guard let entry = state.players[player], entry.number == number else { return false }
      entry.room = room.code
      return true
    }
  }

  /// The player is in this room no longer.
  func leave(_ player: PlayerID, _ code: RoomCode, at now: Timestamp) {
    state.withLock { state in
      guard let entry = state.players[player], entry.room == code else { return }
      entry.room = nil
      state.noteAbsence(entry, at: now)
    }
  }

  /// How many rooms and players there are.
  var counts: (rooms: Int, players: Int) {
    state.withLock { ($0.rooms.count, $0.players.count) }
  }
}

extension Directory.State {
  /// The player of this device, made if there is none.
  fileprivate mutating func entry(
    device: SecretDigest,
    nickname: String,
    secret: SecretDigest,
    _ random: RandomSource
  ) -> Directory.PlayerEntry {
    if let known = byDevice[device] { return known }
    let id = PlayerID(UInt128(drawnBy: random))
    let entry = Directory.PlayerEntry(id, device: device, secret: secret, nickname: nickname)
    players[id] = entry
    byDevice[device] = entry
    return entry
  }

  fileprivate func recognize(_ entry: Directory.PlayerEntry, shard: Int, connection: UInt64) -> Recognition {
    let replaced = entry.connection
    entry.number += 1
    entry.connection = ConnectionPlace(shard: shard, token: connection, number: entry.number)
    return Recognition(
      player: entry.id,
      nickname: entry.nickname,
      number: entry.number,
      room: entry.room.flatMap { code in rooms[code].map { RoomPlace(code: code, shard: $0.shard) } },
      replaced: replaced
    )
  }

  fileprivate mutating func noteAbsence(_ entry: Directory.PlayerEntry, at now: Timestamp) {
    guard entry.room == nil, entry.connection == nil else { return }
    absentees.append(Absentees.Entry(player: entry.id, number: entry.number, since: now))
  }

  fileprivate mutating func forgetAbsentees(at now: Timestamp) {
    while let first = absentees.first,
      absentees.count > Directory.absenteesMax
        || now >= first.since.advanced(seconds: Directory.absenceSecondsMax)
    {
      absentees.removeFirst()
      // Who has come back since has a higher number; who is in a room is noted again on leaving it.
      guard let entry = players[first.player], entry.number == first.number, entry.connection == nil, entry.room == nil
      else { continue }
      players[entry.id] = nil
      byDevice[entry.device] = nil
    }
  }
}
