// A room's part in its move to another shard: what is still to be committed, and what goes along.
//
// Part of `LiveRoom`, on the shard that it leaves and on the one to which it comes.
// Decisions: 129 (docs/decisions).
import Game
import Gateway
import Net

extension LiveRoom {
  /// The number of the journal's chunk behind all records so far.
  var chunkBehindAll: UInt64 { played.journalBytes > 0 ? played.nextChunk + 1 : played.nextChunk }

  /// Whether all records lie in chunks before this one.
  func hasNoRecords(from chunk: UInt64) -> Bool { played.journalBytes == 0 && played.nextChunk == chunk }

  /// Whether the rules would start a game for this player now.
  func wouldStart(by place: Place) -> Bool {
    var copy = room
    var effects = Effects()
    copy.apply(.startGame(place), at: context.now, into: &effects)
    return effects.answer == .ok
  }

  /// Ends the room on this shard, with everything committed. Its players' sessions are without a room then, and go
  /// along with their stays.
  func depart() -> MovedRoom {
    precondition(!isClosed && room.phase == .lobby, "a room moves between two games")
    precondition(committedEvent == played.lastEventNumber, "a room moves when its events are committed")
    var attended: [Place] = []
    for attendee in attendees {
      guard let attendee, let place = attendee.place else { continue }
      attended.append(place)
      detach(attendee)
    }
    disarm()
    context.census.remove(figures)
    hasMoved = true
    return MovedRoom(
      id: id,
      code: place.code,
      creator: creator,
      room: room,
      nextChunk: played.nextChunk,
      schedule: schedule.counts,
      rowsBroadcast: rowsBroadcast,
      refusedFixes: refusedFixes,
      suspects: suspects,
      attended: attended
    )
  }

  /// Attaches the session of a player who has come along with the room.
  func attend(_ session: Session, _ stay: RoomStay) {
    let attendee = session.part(orAdd: Attendee(session))
    set(attendee, at: stay.place)
    attendee.enter(self, stay)
    setAwaiting(attendee, stay.awaitsTick)
    hasNotifications = hasNotifications || attendee.hasNotifications
  }

  /// Handles the loss of players who have not come along: their connections have gone meanwhile.
  func loseAbsent(of places: [Place]) {
    for place in places where !isClosed && attendee(at: place) == nil && room.member(at: place) != nil {
      _ = apply(.lose(place))
    }
  }
}
