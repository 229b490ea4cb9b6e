// A room's players by their sessions: who attends, leaves, is lost or moves to another place.
//
// Part of `LiveRoom`, on its shard.
// Decisions: 136 (docs/decisions).
import Game
import Gateway
import Net

extension LiveRoom {
  /// Attaches the session of a player whom the rules have admitted, or have back. It gets ticks from `begin` on.
  func attend(_ session: Session, at place: Place) {
    let attendee = session.part(orAdd: Attendee(session))
    set(attendee, at: place)
    attendee.enter(self, place)
    attendee.awaitsRoom = true
    setAwaiting(attendee, true)
    seeNow(attendee)
  }

  /// Notes that the session is about to get the room's present state.
  func seeNow(_ attendee: Attendee) {
    attendee.lag = TickMark(broadcastNumber: played.broadcastNumber, eventNumber: played.lastEventNumber)
    attendee.rowsSeen = played.broadcastNumber
  }

  /// Begins ticks for a session that has got the room's state.
  func begin(_ attendee: Attendee) {
    guard attendee.room === self else { return }
    attendee.awaitsRoom = false
    arm()
    if hasAsks { context.hostMayHaveChanged(place.code) }
  }

  /// The session that attends for a place now.
  func attendee(at place: Place) -> Attendee? {
    let index = place.attendeeIndex
    return attendees.indices.contains(index) ? attendees[index] : nil
  }

  /// The session of a player, if one attends.
  func attendee(of player: PlayerID) -> Attendee? { room.place(of: player).flatMap(attendee(at:)) }

  /// Detaches a session, because a newer connection of the player takes over.
  func detach(_ attendee: Attendee) {
    guard let place = attendee.place, self.attendee(at: place) === attendee else { return }
    if let player = attendee.session.state.identity?.player { tellBelief(of: player, at: place) }
    set(nil, at: place)
    exit(attendee)
  }

  /// Tells what the room believes of a player: what is judged outside of rooms goes on from there.
  func tellBelief(of player: PlayerID, at place: Place) {
    guard case .seat(let seat) = place else { return }
    context.believes(player, played.believedFix(seat: seat), suspects.contains(player))
  }

  /// Removes the session's player for good.
  func leave(_ attendee: Attendee) { if let place = attendee.place { _ = apply(.leave(place)) } }

  /// Removes a player for an operator, along with the connection that attends for them. A barred one can't come back.
  func remove(_ player: PlayerID, bars: Bool) {
    attendee(of: player)?.session.close(.removed)
    guard bars, !isClosed else { return leave([player]) }
    _ = apply(.bar(player))
  }

  /// All sessions that are connected in the room.
  var attending: some Sequence<Session> { attendees.lazy.compactMap { $0?.session } }

  /// Removes players without a connection here for good.
  func leave(_ players: [PlayerID]) {
    for player in players where !isClosed {
      if let place = room.place(of: player) { _ = apply(.leave(place)) }
    }
  }

  /// Handles the loss of the session's connection.
  func lose(_ attendee: Attendee) {
    guard let place = attendee.place, self.attendee(at: place) === attendee else { return }
    detach(attendee)
    _ = apply(.lose(place))
  }

  /// Moves a spectator's session to its new seat.
  func move(_ player: PlayerID, to newPlace: Place) {
    for attendee in attendees {
      guard let attendee, attendee.session.state.identity?.player == player, let oldPlace = attendee.place else {
        continue
      }
      set(nil, at: oldPlace)
      set(attendee, at: newPlace)
      attendee.move(to: newPlace)
      return
    }
  }
}
