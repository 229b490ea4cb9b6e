// The host's acts on who is in a room: the removal of a member, and the lock against newcomers. Functions over a
// `Room`. They know neither texts nor the wire.
// Decisions: 157, 158 (docs/decisions).

enum RoomEntry {
  /// Removes a member for the host, and bars them. Their row of a running game stays and ranks by points, as the row of
  /// a player whose hold ran out: no host gains a rank by it. Events: `kicked`, then those of `Room.remove`.
  static func kick(
    _ id: PlayerID,
    from place: Place,
    in room: inout Room,
    at now: Instant,
    into outputs: inout [Effect]
  ) -> Effects.Answer {
    guard isHost(place, of: room) else { return .refused(.hostOnly) }
    guard let kicked = room.roster.place(of: id) else { return .refused(.noSuchMember) }
    guard kicked != place else { return .refused(.oneself) }
    _ = room.roster.bar(id)
    room.record(.kicked(kicked), at: now)
    room.remove(kicked, byOwnAct: false, at: now, into: &outputs)
    return .ok
  }

  /// Closes the room for newcomers, or opens it again. Event: `locked`, where that changes something.
  static func lock(_ isLocked: Bool, from place: Place, in room: inout Room, at now: Instant) -> Effects.Answer {
    guard isHost(place, of: room) else { return .refused(.hostOnly) }
    guard room.roster.isLocked != isLocked else { return .ok }
    room.roster.isLocked = isLocked
    room.record(.locked(isLocked), at: now)
    return .ok
  }

  /// Opens a locked room that nobody is left in who can become its host: nobody else could. Event: `locked`, where that
  /// changes something.
  static func openWithoutHost(_ room: inout Room, at now: Instant) {
    guard room.roster.isLocked, !room.hasPeople else { return }
    room.roster.isLocked = false
    room.record(.locked(false), at: now)
  }

  private static func isHost(_ place: Place, of room: borrowing Room) -> Bool {
    guard case .seat(let seat) = place else { return false }
    return room.hostSeat == seat
  }
}
