// The occupants of a roster as a room's members, which everybody in the room may know.

extension Roster {
  /// Everyone, held ones included: seats, then spectators, by number.
  var members: [Member] {
    occupants.map { Member($0.occupant, at: $0.place) }
  }

  /// The member in a place, connected or held.
  func member(at place: Place) -> Member? {
    self[place].map { Member($0, at: place) }
  }

  /// The time at which each member came in, held ones included; in the order of their places.
  var entrances: [(player: PlayerID, at: Instant)] {
    occupants.map { ($0.occupant.id, $0.occupant.enteredAt) }
  }
}

extension Member {
  init(_ occupant: Occupant, at place: Place) {
    self.init(
      id: occupant.id,
      place: place,
      nickname: occupant.nickname,
      isHeld: occupant.heldSince != nil,
      readUpTo: occupant.readUpTo,
      isWatching: occupant.isWatching
    )
  }
}
