// Rooms forget players under deletion, in the order of `RoomErasures`.
//
// On the shard's queue. A survey walks through the shards and finds the rooms. Then rooms take turns, one at a time in
// the whole process, at the pace of a budget.
import Game
import Gateway
import Net

extension Rooms {
  /// The pause before the next survey, as a multiple of the shards' time for the last one: a survey reads all rooms.
  /// Players who arrive in the pause share the next survey.
  private static let surveyPauseFactor: Int64 = 4

  /// Calls `completion` when no room of any shard knows the player, and all records of that are handed on for a commit.
  func forget(_ player: PlayerID, _ completion: @escaping RoomErasures.Completion) {
    if context.erasures.add(player, completion) { beginSurvey() }
  }

  /// Searches the rooms of all shards for the waiting players, one shard after the other; without players, surveys end.
  ///
  /// A shard commits these players' inputs first. The snapshots then lie in a later piece, so everything before them
  /// can be given up.
  func beginSurvey() {
    let players = context.erasures.beginSurvey()
    guard !players.isEmpty else { return }
    shards.walk { rooms, next in
      rooms.gateway.journal.whenCommitted {
        let all = rooms.rooms.values.sorted { $0.id < $1.id }
        rooms.roomSurvey = RoomSurvey(players: players, rooms: all[...], completion: next)
        rooms.surveyRooms()
      }
    } completion: { [ownShard] in
      ownShard.post { $0.endSurvey() }
    }
  }

  /// Continues the survey on this shard, for at most half a turn's time.
  private func surveyRooms() {
    guard var survey = roomSurvey else { return }
    let began = gateway.core.readClock()
    while let room = survey.rooms.popFirst() {
      let known = room.known(of: survey.players)
      if !known.isEmpty {
        context.erasures.note(
          room.place,
          bytes: JournalWriter.bytesExpected(ofSnapshot: room.room),
          knownPlayers: known
        )
      }
      guard gateway.hasTime(since: began) else { break }
    }
    context.erasures.note(surveyMicroseconds: gateway.core.readClock().microseconds(since: began))
    guard survey.rooms.isEmpty else {
      roomSurvey = survey
      return ownShard.post { $0.surveyRooms() }
    }
    roomSurvey = nil
    survey.completion()
  }

  private func endSurvey() {
    let (completions, begins, microseconds) = context.erasures.endSurvey()
    for completion in completions { completion() }
    if begins, let next = context.erasures.nextRoom() { shards[next.place.shard].post { $0.eraseFromRooms() } }
    let pauseMs = Self.surveyPauseFactor * microseconds / 1_000
    guard pauseMs > 0 else { return beginSurvey() }
    _ = gateway.core.setTimer(surveyTimer, at: gateway.core.now.advanced(milliseconds: pauseMs))
  }

  /// Makes rooms of this shard forget players while it is their turn, for at most half a turn's time and within the
  /// budget. Then another shard has its turn, or this one a later one.
  func eraseFromRooms() {
    let began = gateway.core.readClock()
    let process = Charge(budget: .erasedRoomBytes, payer: .process)
    var completions: [RoomErasures.Completion] = []
    var hasErased = false
    var wait: UInt32?
    var next = context.erasures.nextRoom()
    while let (place, players) = next, place.shard == gateway.core.index, gateway.hasTime(since: began) {
      if let room = rooms[place.code] {
        wait = gateway.budgets.wait(process, at: gateway.core.now)
        guard wait == nil else { break }
        let bytes = room.erase(players)
        gateway.budgets.charge(
          Charge(budget: process.budget, payer: process.payer, units: Int64(bytes)),
          at: gateway.core.now
        )
        hasErased = true
      }
      completions += context.erasures.endTurn(of: place, forgotten: players)
      next = context.erasures.nextRoom()
    }
    // Cut before another shard reports that it was the last.
    if hasErased || !completions.isEmpty { gateway.journal.cut(at: gateway.core.now) }
    for completion in completions { completion() }
    if let wait {
      _ = gateway.core.setTimer(erasureTimer, at: gateway.core.now.advanced(milliseconds: Int64(wait)))
    } else if let next {
      shards[next.place.shard].post { $0.eraseFromRooms() }
    }
  }
}
