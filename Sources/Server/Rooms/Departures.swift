// Players who are being deleted go out of all rooms.
//
// A survey walks through the shards and finds the rooms that know them. A room that forgets players is written down whole, so a
// budget paces that: a few guests who go through many rooms and are deleted make no more work than the budget says. A room is
// chosen by turns for the player with the least to write and for the player who has waited longest. So a player with little to
// write waits for one room of somebody else before each of their own, and nobody waits for ever.
import Game
import Gateway
import Net

/// The players whom rooms have yet to forget. Any thread; guarded by a lock that is never held over a call.
package final class Departures: Sendable {
  package typealias Completion = @Sendable () -> Void

  fileprivate struct Departure {
    let player: PlayerID
    let completion: Completion
    /// Rooms that the survey has found, with the bytes that each is expected to take when it is written down; those too that
    /// have forgotten the player meanwhile.
    var found: [(place: RoomPlace, bytes: Int)] = []
    /// The number of rooms that still know the player, and the bytes that these are expected to take.
    var roomsLeft = 0
    var bytesLeft = 0
  }

  /// A room, and the players whom it is to forget.
  fileprivate struct Knowing {
    /// The expected size of the room when it is written down.
    let bytes: Int
    var players: [PlayerID] = []
  }

  fileprivate struct State {
    var waiting: [Departure] = []
    var surveyed: [Departure] = []
    /// By arrival, the one that has waited longest first.
    var leaving: [Departure] = []
    var rooms: [RoomPlace: Knowing] = [:]
    var isSurveying = false
    /// The time of shards that the survey has used.
    var surveyMicroseconds: Int64 = 0
    var isErasing = false
    var isTurnOfLongest = false
  }

  /// A room forgets so many players at most in one turn: each rewrites its log.
  private static let playersPerTurn = 32

  private let state = OrderedMutex(.leaf, State())

  package init() {}

  /// Calls `completion` on any shard's thread when no room knows the player any more.
  ///
  /// - Returns: whether the caller has to begin a survey.
  package func add(_ player: PlayerID, _ completion: @escaping Completion) -> Bool {
    state.withLock { state in
      state.waiting.append(Departure(player: player, completion: completion))
      defer { state.isSurveying = true }
      return !state.isSurveying
    }
  }

  /// Takes all who wait for one survey. An empty answer ends the surveys until `add` has a caller begin again.
  package func beginSurvey() -> Set<PlayerID> {
    state.withLock { state in
      state.surveyed = state.waiting
      state.waiting = []
      state.surveyMicroseconds = 0
      state.isSurveying = !state.surveyed.isEmpty
      return Set(state.surveyed.map(\.player))
    }
  }

  /// The survey has found a room that knows these players; `bytes` is the room's expected size when it is written down.
  package func note(_ place: RoomPlace, bytes: Int, knownPlayers: Set<PlayerID>) {
    state.withLock { state in
      for index in state.surveyed.indices where knownPlayers.contains(state.surveyed[index].player) {
        state.surveyed[index].found.append((place, bytes))
      }
    }
  }

  /// The survey has taken so much of a shard's time.
  package func note(surveyMicroseconds: Int64) {
    state.withLock { $0.surveyMicroseconds += surveyMicroseconds }
  }

  /// Ends the survey: its players wait for the rooms that it has found.
  ///
  /// - Returns: the completions of players whom no room knows, whether the caller has to begin with `nextRoom`, and the
  ///   time of shards that the survey has used.
  package func endSurvey() -> (completions: [Completion], begins: Bool, microseconds: Int64) {
    state.withLock { state in
      for departure in state.surveyed { state.begin(departure) }
      state.surveyed = []
      let completions = state.takeGone()
      let begins = !state.isErasing && !state.leaving.isEmpty
      state.isErasing = state.isErasing || begins
      return (completions, begins, state.surveyMicroseconds)
    }
  }

  /// The room whose turn it is, and the players whom it is to forget in that turn. Nil when no room is left: erasing stands
  /// still then until `endSurvey` has a caller begin again.
  package func nextRoom() -> (place: RoomPlace, players: [PlayerID])? {
    state.withLock { state in
      guard let place = state.nextPlace(), let room = state.rooms[place] else {
        state.isErasing = false
        return nil
      }
      return (place, Array(room.players.prefix(Self.playersPerTurn)))
    }
  }

  /// A room has forgotten these players, or is no more.
  ///
  /// - Returns: the completions of players whom no room knows any more.
  package func endTurn(of place: RoomPlace, forgotten players: [PlayerID]) -> [Completion] {
    state.withLock { state in
      guard let bytes = state.rooms[place]?.bytes else { return [] }
      let forgotten = Set(players)
      state.isTurnOfLongest.toggle()
      state.rooms[place]?.players.removeAll(where: forgotten.contains)
      if state.rooms[place]?.players.isEmpty == true { state.rooms[place] = nil }
      for index in state.leaving.indices where forgotten.contains(state.leaving[index].player) {
        state.leaving[index].roomsLeft -= 1
        state.leaving[index].bytesLeft -= bytes
      }
      return state.takeGone()
    }
  }
}

extension Departures.State {
  /// The rooms that the survey has found are to forget the player.
  fileprivate mutating func begin(_ departure: Departures.Departure) {
    var departure = departure
    for (place, bytes) in departure.found {
      rooms[place, default: Departures.Knowing(bytes: bytes)].players.append(departure.player)
      departure.roomsLeft += 1
      departure.bytesLeft += rooms[place]?.bytes ?? 0
    }
    leaving.append(departure)
  }

  /// Takes out the players whom no room knows any more.
  fileprivate mutating func takeGone() -> [Departures.Completion] {
    defer { leaving.removeAll { $0.roomsLeft == 0 } }
    return leaving.filter { $0.roomsLeft == 0 }.map(\.completion)
  }

  /// A room that knows the player whose turn it is.
  fileprivate mutating func nextPlace() -> RoomPlace? {
    let least = leaving.indices.min { leaving[$0].bytesLeft < leaving[$1].bytesLeft }
    guard let turn = isTurnOfLongest ? leaving.indices.first : least else { return nil }
    let player = leaving[turn].player
    while let place = leaving[turn].found.last?.place {
      if rooms[place]?.players.contains(player) == true { return place }
      leaving[turn].found.removeLast()
    }
    preconditionFailure("a player who is leaving is known to a room")
  }
}
