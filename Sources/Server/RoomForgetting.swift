// Rooms forget players who are being deleted, in the order that `Departures` says.
//
// On the shard's thread. A survey walks through the shards and finds the rooms; then rooms take turns, one at a time in the whole
// process, at the pace of a budget.
import Game
import Net

/// The rest of a survey's work on one shard.
struct RoomSurvey {
  fileprivate let players: Set<PlayerID>
  fileprivate var rooms: ArraySlice<LiveRoom>
  fileprivate let completion: () -> Void
}

extension PlayService {
  static let erasureTimer: UInt64 = 1 << 56
  static let surveyTimer: UInt64 = 1 << 54

  /// A survey looks at all rooms. So the next one comes after a pause, so many times as long as shards have looked, for all
  /// who have come together in it.
  private static let surveyPauseFactor: Int64 = 4

  /// Calls `completion` when no room of any shard knows the player, and all that says so is handed on to be committed.
  func depart(_ player: PlayerID, _ completion: @escaping Departures.Completion) {
    if commons.departures.add(player, completion) { beginSurvey() }
  }

  /// Looks for the players who wait in the rooms of all shards, one shard after the other; for none, surveys end.
  ///
  /// A shard commits these players' inputs first. The snapshots then lie in a later piece, so everything before them can be
  /// given up.
  func beginSurvey() {
    let players = commons.departures.beginSurvey()
    guard !players.isEmpty else { return }
    shards.walk { service, next in
      service.journal.whenCommitted {
        let rooms = service.rooms.values.sorted { $0.id < $1.id }
        service.roomSurvey = RoomSurvey(players: players, rooms: rooms[...], completion: next)
        service.surveyRooms()
      }
    } completion: { [ownShard] in
      ownShard.post { $0.endSurvey() }
    }
  }

  /// Goes on with the survey that stands here, for at most half a turn's time.
  private func surveyRooms() {
    guard var survey = roomSurvey else { return }
    let began = core.readClock()
    while let room = survey.rooms.popFirst() {
      let known = room.known(of: survey.players)
      if !known.isEmpty {
        commons.departures.note(room.place, bytes: room.room.snapshotBytesExpected, knownPlayers: known)
      }
      guard hasTime(since: began) else { break }
    }
    commons.departures.note(surveyMicroseconds: core.readClock().microseconds(since: began))
    guard survey.rooms.isEmpty else {
      roomSurvey = survey
      return ownShard.post { $0.surveyRooms() }
    }
    roomSurvey = nil
    survey.completion()
  }

  private func endSurvey() {
    let (completions, begins, microseconds) = commons.departures.endSurvey()
    for completion in completions { completion() }
    if begins, let next = commons.departures.nextRoom() { shards[next.place.shard].post { $0.eraseFromRooms() } }
    let pauseMs = Self.surveyPauseFactor * microseconds / 1_000
    guard pauseMs > 0 else { return beginSurvey() }
    _ = core.setTimer(Self.surveyTimer, at: core.now.advanced(milliseconds: pauseMs))
  }

  /// Has rooms of this shard forget players while it is their turn, for at most half a turn's time and as far as the budget
  /// lets them; then it is another shard's turn, or a later one of this.
  func eraseFromRooms() {
    let began = core.readClock()
    let process = Charge(budget: .erasedRoomBytes, payer: .process)
    var completions: [Departures.Completion] = []
    var hasErased = false
    var wait: UInt32?
    var next = commons.departures.nextRoom()
    while let (place, players) = next, place.shard == core.index, hasTime(since: began) {
      if let room = rooms[place.code] {
        wait = budgets.wait(process, at: core.now)
        guard wait == nil else { break }
        let bytes = room.erase(players)
        budgets.charge(Charge(budget: process.budget, payer: process.payer, units: Int64(bytes)), at: core.now)
        hasErased = true
      }
      completions += commons.departures.endTurn(of: place, forgotten: players)
      next = commons.departures.nextRoom()
    }
    // Before another shard tells anybody that it was the last.
    if hasErased || !completions.isEmpty { journal.cut(at: core.now) }
    for completion in completions { completion() }
    if let wait {
      _ = core.setTimer(Self.erasureTimer, at: core.now.advanced(milliseconds: Int64(wait)))
    } else if let next {
      shards[next.place.shard].post { $0.eraseFromRooms() }
    }
  }

  private func hasTime(since began: Timestamp) -> Bool {
    core.readClock().microseconds(since: began) <= core.limits.turnMicroseconds / 2
  }
}
