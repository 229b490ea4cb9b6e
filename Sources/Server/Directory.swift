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
  fileprivate struct PlayerEntry {
    var nickname: String
    var token: SecretDigest
    var device: SecretDigest
    var number: UInt64 = 0
    var connection: ConnectionPlace?
    var room: RoomPlace?
    var wrongCodes = TokenBucket(perMinute: Limits.wrongCodesPerMinuteForSession)
    var newRooms = TokenBucket(perMinute: Limits.roomsPerMinuteForPlayer)
  }

  fileprivate struct RoomEntry {
    let shard: Int
    let isSolo: Bool
  }

  fileprivate struct State {
    var rooms: [RoomCode: RoomEntry] = [:]
    var players: [PlayerID: PlayerEntry] = [:]
    var byToken: [SecretDigest: PlayerID] = [:]
    var byDevice: [SecretDigest: PlayerID] = [:]
    var wrongCodes: [IPAddress: TokenBucket] = [:]
    /// At how many addresses those are looked through that have not guessed for a while.
    var wrongCodesBound = 10_000
    var absentees = Absentees()
  }

  /// How long a session outlives its connection outside of a room: as long as the longest game.
  static let absenceSecondsMax: Int64 = 2 * 60 * 60
  /// How many such sessions are kept; the longest absent goes first.
  static let absenteesMax = 100_000

  private let state = Mutex(State())

  // Players.

  /// Begins a session: the player of this device secret, or a new one. `token` is the new session's and replaces any
  /// older one of the player; `shard` and `connection` say where the connection is, and its token there.
  func hello(
    device: SecretDigest,
    nickname: String,
    token: SecretDigest,
    shard: Int,
    connection: UInt64,
    at now: Timestamp
  ) -> Recognition {
    state.withLock { state in
      state.forgetAbsentees(at: now)
      let player = state.byDevice[device] ?? PlayerID(.unpredictable())
      var entry =
        state.players[player] ?? PlayerEntry(nickname: nickname, token: token, device: device)
      state.byToken[entry.token] = nil
      state.byToken[token] = player
      state.byDevice[device] = player
      entry.token = token
      entry.nickname = nickname
      return state.recognize(player, entry, shard: shard, connection: connection)
    }
  }

  /// Continues a session; nil when the token belongs to none.
  func resume(token: SecretDigest, shard: Int, connection: UInt64, at now: Timestamp) -> Recognition? {
    state.withLock { state in
      state.forgetAbsentees(at: now)
      guard let player = state.byToken[token], let entry = state.players[player] else { return nil }
      return state.recognize(player, entry, shard: shard, connection: connection)
    }
  }

  /// The player's connection is on this shard now; false when a newer one has taken its place.
  func settle(_ player: PlayerID, _ place: ConnectionPlace) -> Bool {
    state.withLock { state in
      guard state.players[player]?.number == place.number else { return false }
      state.players[player]?.connection = place
      return true
    }
  }

  /// The player's connection `number` is gone.
  func disconnect(_ player: PlayerID, number: UInt64, at now: Timestamp) {
    state.withLock { state in
      guard state.players[player]?.number == number else { return }
      state.players[player]?.connection = nil
      state.noteAbsence(player, at: now)
    }
  }

  // Rooms.

  /// Registers a new room under a code that no other has.
  func addRoom(shard: Int, isSolo: Bool) -> RoomPlace {
    state.withLock { state in
      var code: RoomCode
      repeat { code = RoomCode(drawing: .unpredictable()) } while state.rooms[code] != nil
      state.rooms[code] = RoomEntry(shard: shard, isSolo: isSolo)
      return RoomPlace(code: code, shard: shard)
    }
  }

  /// Counts one new room of the player's; milliseconds to wait when there have been too many.
  func payForRoom(_ player: PlayerID, at now: Timestamp) -> UInt32? {
    state.withLock { state in
      guard state.players[player]?.newRooms.take(at: Instant(now)) == false else { return nil }
      return state.players[player]?.newRooms.wait(at: Instant(now)).wireMilliseconds
    }
  }

  func removeRoom(_ code: RoomCode) {
    state.withLock { $0.rooms[code] = nil }
  }

  /// Finds the room of a code for someone who names it; `player`, if it is one, and `address` pay for a code without a
  /// room.
  func findRoom(_ code: RoomCode, for player: PlayerID?, from address: IPAddress, at now: Timestamp) -> Finding {
    state.withLock { state in
      let ownWait = player.flatMap { state.players[$0]?.wrongCodes.wait(at: Instant(now)) } ?? .zero
      let wait = max(ownWait, state.wrongCodes[address]?.wait(at: Instant(now)) ?? .zero)
      guard wait == .zero else { return .tooOften(retryAfterMs: wait.wireMilliseconds) }
      if let room = state.rooms[code], !room.isSolo { return .room(RoomPlace(code: code, shard: room.shard)) }
      if let player { _ = state.players[player]?.wrongCodes.take(at: Instant(now)) }
      state.payForWrongCode(address, at: now)
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
      guard state.players[player]?.number == number else { return false }
      state.players[player]?.room = room
      return true
    }
  }

  /// The player is in this room no longer.
  func leave(_ player: PlayerID, _ code: RoomCode, at now: Timestamp) {
    state.withLock { state in
      guard state.players[player]?.room?.code == code else { return }
      state.players[player]?.room = nil
      state.noteAbsence(player, at: now)
    }
  }

  /// How many rooms and players there are.
  var counts: (rooms: Int, players: Int) {
    state.withLock { ($0.rooms.count, $0.players.count) }
  }
}

extension Directory.State {
  fileprivate mutating func recognize(
    _ player: PlayerID,
    _ entry: Directory.PlayerEntry,
    shard: Int,
    connection: UInt64
  ) -> Recognition {
    var entry = entry
    let replaced = entry.connection
    entry.number += 1
    entry.connection = ConnectionPlace(shard: shard, token: connection, number: entry.number)
    players[player] = entry
    return Recognition(
      player: player,
      nickname: entry.nickname,
      number: entry.number,
      room: entry.room,
      replaced: replaced
    )
  }

  fileprivate mutating func noteAbsence(_ player: PlayerID, at now: Timestamp) {
    guard let entry = players[player], entry.room == nil, entry.connection == nil else { return }
    absentees.append(Absentees.Entry(player: player, number: entry.number, since: now))
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
      players[first.player] = nil
      byToken[entry.token] = nil
      byDevice[entry.device] = nil
    }
  }

  fileprivate mutating func payForWrongCode(_ address: IPAddress, at now: Timestamp) {
    var bucket = wrongCodes[address] ?? TokenBucket(perMinute: Limits.wrongCodesPerMinuteForAddress)
    _ = bucket.take(at: Instant(now))
    wrongCodes[address] = bucket
    // An address that has not guessed for a minute is as good as new. The bound doubles with what is left, so looking
    // through costs little for each guess.
    if wrongCodes.count > wrongCodesBound {
      defer { wrongCodesBound = max(10_000, wrongCodes.count * 2) }
      wrongCodes = wrongCodes.filter { entry in
        var bucket = entry.value
        return !bucket.isFull(at: Instant(now))
      }
    }
  }
}

/// Players without connection and room, in the order in which they went.
private struct Absentees {
  struct Entry {
    let player: PlayerID
    let number: UInt64
    let since: Timestamp
  }

  private var entries: [Entry] = []
  private var head = 0

  var count: Int { entries.count - head }
  var first: Entry? { head < entries.count ? entries[head] : nil }

  mutating func append(_ entry: Entry) {
    entries.append(entry)
  }

  mutating func removeFirst() {
    head += 1
    if head >= 1_024, head * 2 >= entries.count {
      entries.removeFirst(head)
      head = 0
    }
  }
}
