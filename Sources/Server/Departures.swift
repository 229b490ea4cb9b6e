// Players who are being deleted go out of all rooms.
//
// A survey walks through the shards and finds the rooms that know them. A room that forgets a player is written down whole, so
// a budget paces that: a few guests who go through many rooms and are deleted make no more work than it says. A room is chosen
// by turns for the player with the least to write and for the player who has waited longest. So a player of a few rooms waits
// for nobody who has been in many, and nobody waits for ever.
import Game
import MadangProtocol
import Net
import Synchronization

/// The players whom rooms have yet to forget. Any thread; guarded by a lock that is never held over a call.
final class Departures: Sendable {
  typealias Completion = @Sendable () -> Void

  private struct Departure {
    let player: PlayerID
    let completion: Completion
    /// Rooms that know the player, and the bytes that each is expected to take when it is written down.
    var rooms: [(place: RoomPlace, bytes: Int)] = []
    var bytes = 0

    mutating func add(_ place: RoomPlace, bytes: Int) {
      rooms.append((place, bytes))
      self.bytes += bytes
    }

    mutating func remove(_ place: RoomPlace) {
      guard let index = rooms.firstIndex(where: { $0.place == place }) else { return }
      bytes -= rooms.remove(at: index).bytes
    }
  }

  private struct State {
    var waiting: [Departure] = []
    var surveyed: [Departure] = []
    /// The one that has waited longest first.
    var leaving: [Departure] = []
    var isSurveying = false
    var isErasing = false
    var isTurnOfLongest = false
  }

  private let state = Mutex(State())

  /// Calls `completion` on any shard's thread when no room knows the player any more.
  ///
  /// - Returns: whether the caller has to begin a survey.
  func add(_ player: PlayerID, _ completion: @escaping Completion) -> Bool {
    state.withLock { state in
      state.waiting.append(Departure(player: player, completion: completion))
      defer { state.isSurveying = true }
      return !state.isSurveying
    }
  }

  /// Takes all who wait for one survey. An empty answer ends the surveys until `add` has a caller begin again.
  func beginSurvey() -> Set<PlayerID> {
    state.withLock { state in
      state.surveyed = state.waiting
      state.waiting = []
      state.isSurveying = !state.surveyed.isEmpty
      return Set(state.surveyed.map(\.player))
    }
  }

  /// The survey has found a room that knows these players.
  func note(_ place: RoomPlace, bytes: Int, knows players: Set<PlayerID>) {
    state.withLock { state in
      for index in state.surveyed.indices where players.contains(state.surveyed[index].player) {
        state.surveyed[index].add(place, bytes: bytes)
      }
    }
  }

  /// Ends the survey: its players wait for the rooms that it has found.
  ///
  /// - Returns: the completions of players whom no room knows, and whether the caller has to begin with `nextRoom`.
  func endSurvey() -> (completions: [Completion], begins: Bool) {
    state.withLock { state in
      state.leaving += state.surveyed.filter { !$0.rooms.isEmpty }
      let completions = state.surveyed.filter(\.rooms.isEmpty).map(\.completion)
      state.surveyed = []
      guard !state.isErasing, !state.leaving.isEmpty else { return (completions, false) }
      state.isErasing = true
      return (completions, true)
    }
  }

  /// The room whose turn it is to forget players, and these; nil ends that until a survey begins it again.
  func nextRoom() -> (place: RoomPlace, players: [PlayerID])? {
    state.withLock { state in
      let least = state.leaving.min { $0.bytes < $1.bytes }
      guard let place = (state.isTurnOfLongest ? state.leaving.first : least)?.rooms.first?.place else {
        state.isErasing = false
        return nil
      }
      let knows = { (departure: Departure) in departure.rooms.contains { $0.place == place } }
      return (place, state.leaving.filter(knows).map(\.player))
    }
  }

  /// The room that had its turn has forgotten its players.
  ///
  /// - Returns: the completions of players whom no room knows any more.
  func end(_ place: RoomPlace) -> [Completion] {
    state.withLock { state in
      state.isTurnOfLongest.toggle()
      for index in state.leaving.indices { state.leaving[index].remove(place) }
      defer { state.leaving.removeAll(where: \.rooms.isEmpty) }
      return state.leaving.filter(\.rooms.isEmpty).map(\.completion)
    }
  }
}

/// The rest of a survey's work on one shard.
struct RoomSurvey {
  fileprivate let players: Set<PlayerID>
  fileprivate var rooms: ArraySlice<LiveRoom>
  fileprivate let completion: () -> Void
}

extension PlayService {
  static let erasureTimer: UInt64 = 1 << 56

  /// Calls `completion` when no room of any shard knows the player, and all that says so is handed on to be committed.
  func depart(_ player: PlayerID, _ completion: @escaping Departures.Completion) {
    if commons.departures.add(player, completion) { Self.survey(commons.departures, core.siblings) }
  }

  private static func survey(_ departures: Departures, _ shards: [Shard]) {
    let players = departures.beginSurvey()
    guard !players.isEmpty else { return }
    survey(shards[...], for: players) {
      let (completions, begins) = departures.endSurvey()
      for completion in completions { completion() }
      if begins { eraseNext(departures, shards) }
      survey(departures, shards)
    }
  }

  /// Looks for players in the rooms of all shards, one shard after the other.
  ///
  /// A shard commits these players' inputs first. The snapshots then lie in a later piece, so everything before them can be
  /// given up.
  private static func survey(
    _ shards: ArraySlice<Shard>,
    for players: Set<PlayerID>,
    _ completion: @escaping @Sendable () -> Void
  ) {
    guard let first = shards.first else { return completion() }
    first.post { shard in
      guard let service = shard.core.service as? PlayService else { return }
      service.journal.whenCommitted {
        let rooms = service.rooms.values.sorted { $0.id < $1.id }
        service.roomSurvey = RoomSurvey(players: players, rooms: rooms[...]) {
          survey(shards.dropFirst(), for: players, completion)
        }
        service.surveyRooms()
      }
    }
  }

  /// Goes on with the survey that stands here, for at most half a turn's time.
  private func surveyRooms() {
    guard var survey = roomSurvey else { return }
    let began = core.readClock()
    while let room = survey.rooms.popFirst() {
      let known = room.known(of: survey.players)
      if !known.isEmpty {
        commons.departures.note(room.place, bytes: room.room.snapshotBytesExpected, knows: known)
      }
      guard hasTime(since: began) else { break }
    }
    guard survey.rooms.isEmpty else {
      roomSurvey = survey
      return core.siblings[core.index].post { ($0.core.service as? PlayService)?.surveyRooms() }
    }
    roomSurvey = nil
    survey.completion()
  }

  /// Has the next room forget its players, on its own shard's thread.
  private static func eraseNext(_ departures: Departures, _ shards: [Shard]) {
    guard let next = departures.nextRoom() else { return }
    shards[next.place.shard].post { ($0.core.service as? PlayService)?.eraseFromRooms() }
  }

  /// Has rooms of this shard forget players while it is their turn, for at most half a turn's time and as far as the budget
  /// lets them.
  func eraseFromRooms() {
    let began = core.readClock()
    var completions: [Departures.Completion] = []
    var wait: UInt32?
    while let next = commons.departures.nextRoom(), next.place.shard == core.index {
      wait = budgets.wait(Charge(budget: .erasedRoomBytes, payer: .process), at: core.now)
      guard wait == nil else { break }
      let bytes = rooms[next.place.code]?.erase(next.players) ?? 0
      if bytes > 0 {
        budgets.charge(Charge(budget: .erasedRoomBytes, payer: .process, units: Int64(bytes)), at: core.now)
      }
      completions += commons.departures.end(next.place)
      guard hasTime(since: began) else { break }
    }
    journal.cut(at: core.now)
    for completion in completions { completion() }
    guard let wait else { return Self.eraseNext(commons.departures, core.siblings) }
    _ = core.setTimer(Self.erasureTimer, at: core.now.advanced(milliseconds: Int64(wait)))
  }

  private func hasTime(since began: Timestamp) -> Bool {
    core.readClock().microseconds(since: began) <= core.limits.turnMicroseconds / 2
  }
}
