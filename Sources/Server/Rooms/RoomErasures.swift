// The removal of players under deletion from all rooms.
//
// A survey walks through the shards and finds the rooms that know them. A room that forgets players is written down
// whole, so a budget paces that: a few guests who go through many rooms and are deleted make no more work than the
// budget allows. Rooms are chosen in turn for the player with the least to write and for the player with the longest
// wait. So a player with little to write waits for one room of another player before each of their own, and nobody
// waits for ever.
import Game
import Gateway
import Locks
import Net

/// The players whom rooms have yet to forget. Any thread; guarded by a lock that is never held over a call.
package final class RoomErasures: Sendable {
  package typealias Completion = @Sendable () -> Void

  fileprivate struct Erasure {
    let player: PlayerID
    let completion: Completion
    /// Rooms found by the survey, with their expected bytes when written down; rooms that have forgotten the player
    /// meanwhile stay in it.
    var found: [(place: RoomPlace, bytes: Int)] = []
    /// The number of rooms that still know the player, and their expected bytes.
    var roomsLeft = 0
    var bytesLeft = 0
  }

  /// A room, and the players whom it has to forget.
  fileprivate struct KnownPlayers {
    /// The expected size of the room when it is written down.
    let bytes: Int
    var players: [PlayerID] = []
  }

  fileprivate struct State {
    var waiting: [Erasure] = []
    var surveyed: [Erasure] = []
    /// In the order of arrival, the longest wait first.
    var leaving: [Erasure] = []
    var rooms: [RoomPlace: KnownPlayers] = [:]
    var isSurveying = false
    /// The number of rooms on their way to another shard, where a survey might miss them.
    var moves = 0
    /// A survey waits for the end of these moves.
    var isSurveyDue = false
    /// The shards' time that the survey has used.
    var surveyMicroseconds: Int64 = 0
    var isErasing = false
    var isTurnOfLongest = false
  }

  /// The most players that a room forgets in one turn: each rewrites its log.
  private static let playersPerTurn = 32

  private let state = OrderedMutex(.leaf, State())

  package init() {}

  /// Calls `completion` on any shard's queue when no room knows the player any more.
  ///
  /// - Returns: whether the caller has to begin a survey.
  package func add(_ player: PlayerID, _ completion: @escaping Completion) -> Bool {
    state.withLock { state in
      state.waiting.append(Erasure(player: player, completion: completion))
      guard !state.isSurveying else { return false }
      state.isSurveying = true
      state.isSurveyDue = state.moves > 0
      return !state.isSurveyDue
    }
  }

  /// Notes that a room goes to another shard; false, and it must not, while rooms are surveyed or forget players.
  package func beginMove() -> Bool {
    state.withLock { state in
      guard !state.isSurveying, !state.isErasing, state.leaving.isEmpty else { return false }
      state.moves += 1
      return true
    }
  }

  /// Notes that a room has come to its other shard.
  ///
  /// - Returns: whether the caller has to begin a survey.
  package func endMove() -> Bool {
    state.withLock { state in
      state.moves -= 1
      guard state.moves == 0, state.isSurveyDue else { return false }
      state.isSurveyDue = false
      return true
    }
  }

  /// Takes all waiting players for one survey. An empty answer ends the surveys until `add` has a caller begin again.
  package func beginSurvey() -> Set<PlayerID> {
    state.withLock { state in
      state.surveyed = state.waiting
      state.waiting = []
      state.surveyMicroseconds = 0
      state.isSurveying = !state.surveyed.isEmpty
      return Set(state.surveyed.map(\.player))
    }
  }

  /// Notes a room of the survey that knows these players; `bytes` is its expected size when written down.
  package func note(_ place: RoomPlace, bytes: Int, knownPlayers: Set<PlayerID>) {
    state.withLock { state in
      for index in state.surveyed.indices where knownPlayers.contains(state.surveyed[index].player) {
        state.surveyed[index].found.append((place, bytes))
      }
    }
  }

  /// Adds to the shards' time that the survey has used.
  package func note(surveyMicroseconds: Int64) {
    state.withLock { $0.surveyMicroseconds += surveyMicroseconds }
  }

  /// Ends the survey: its players wait for the rooms that it has found.
  ///
  /// - Returns: the completions of players whom no room knows, whether the caller has to begin with `nextRoom`, and the
  ///   shards' time that the survey has used.
  package func endSurvey() -> (completions: [Completion], begins: Bool, microseconds: Int64) {
    state.withLock { state in
      for erasure in state.surveyed { state.begin(erasure) }
      state.surveyed = []
      let completions = state.takeGone()
      let begins = !state.isErasing && !state.leaving.isEmpty
      state.isErasing = state.isErasing || begins
      return (completions, begins, state.surveyMicroseconds)
    }
  }

  /// The room whose turn it is, and the players whom it has to forget in that turn. Nil when no room is left: erasing
  /// then pauses until `endSurvey` has a caller begin again.
  package func nextRoom() -> (place: RoomPlace, players: [PlayerID])? {
    state.withLock { state in
      guard let place = state.nextPlace(), let room = state.rooms[place] else {
        state.isErasing = false
        return nil
      }
      return (place, Array(room.players.prefix(Self.playersPerTurn)))
    }
  }

  /// Notes that a room has forgotten these players, or is closed.
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

extension RoomErasures.State {
  /// Makes the rooms that the survey has found wait to forget the player.
  fileprivate mutating func begin(_ erasure: RoomErasures.Erasure) {
    var erasure = erasure
    for (place, bytes) in erasure.found {
      rooms[place, default: RoomErasures.KnownPlayers(bytes: bytes)].players.append(erasure.player)
      erasure.roomsLeft += 1
      erasure.bytesLeft += rooms[place]?.bytes ?? 0
    }
    leaving.append(erasure)
  }

  /// Takes out the players whom no room knows any more.
  fileprivate mutating func takeGone() -> [RoomErasures.Completion] {
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
    preconditionFailure("a player under deletion is in a known room")
  }
}
