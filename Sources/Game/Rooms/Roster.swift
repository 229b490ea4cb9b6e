// Who is in a room, where, since when, and whether their connection is there. A value, owned by the room; it knows nothing
// of games and raises no events. All places lie in one row of slots, seats first, so that every walk has the same order.

/// Someone who has a place in a room.
struct Occupant: Sendable {
  let id: PlayerID
  /// As the room shows it.
  var nickname: String
  /// Counts up with everyone who comes in: the smaller, the longer present.
  let arrival: UInt64
  /// When they came in, by the wall clock.
  let enteredAt: Instant
  /// When the connection was lost; nil while it is there.
  var heldSince: Instant?
  /// The number of the event that told of them in this place.
  var joinedEvent: UInt32 = 0
  /// The number of the newest chat event that they have read.
  var readUpTo: UInt32 = 0
  /// The broadcast that last carried the read cursor; 0 for none.
  var cursorBroadcast: UInt64 = 0
  var chatAllowance = TokenBucket(burst: ChatRules.burst, tokenMs: ChatRules.tokenMs)
}

/// The places of a room.
struct Roster: Sendable {
  private let capacity: Int
  /// Seats by number, then spectators by number.
  var slots: ContiguousArray<Occupant?>
  var arrivals: UInt64 = 0
  /// What the newest who left might still chat, oldest first, so that going out and in again gains nothing.
  var departed: ContiguousArray<(id: PlayerID, chatAllowance: TokenBucket)> = []
  static let departedMax = 64

  init(capacity: Int, spectatorsMax: Int) {
    self.capacity = capacity
    slots = ContiguousArray(repeating: nil, count: capacity + spectatorsMax)
  }

  var slotCount: Int { slots.count }

  /// The slot of a place; nil for a place that this room does not have.
  func slot(of place: Place) -> Int? {
    switch place {
    case .seat(let seat): (0..<capacity).contains(seat) ? seat : nil
    case .spectator(let number): (0..<slots.count - capacity).contains(number) ? capacity + number : nil
    }
  }

  func place(ofSlot slot: Int) -> Place {
    slot < capacity ? .seat(slot) : .spectator(slot - capacity)
  }

  /// Who is in a place. Only changes who is there; `enter`, `move` and `remove` fill and empty places.
  subscript(place: Place) -> Occupant? {
    get { slot(of: place).flatMap { slots[$0] } }
    set {
      guard let slot = slot(of: place) else { return }
      slots[slot] = newValue
    }
  }

  /// Whether someone is in a place and connected.
  func isConnected(_ place: Place) -> Bool {
    guard let slot = slot(of: place), let occupant = slots[slot] else { return false }
    return occupant.heldSince == nil
  }

  func place(of id: PlayerID) -> Place? {
    slots.firstIndex { $0?.id == id }.map(place(ofSlot:))
  }

  // Walks and counts. They run at most a few hundred steps, and only when someone comes or goes.

  /// Everyone, seats first, with their places.
  var occupants: some Sequence<(place: Place, occupant: Occupant)> {
    slots.indices.lazy.compactMap { slot in
      slots[slot].map { (place: place(ofSlot: slot), occupant: $0) }
    }
  }

  var seatedCount: Int {
    slots[..<capacity].count { $0 != nil }
  }

  var occupantCount: Int {
    slots.count { $0 != nil }
  }

  var isAnyoneConnected: Bool {
    slots.contains { $0 != nil && $0?.heldSince == nil }
  }

  /// The smallest free seat.
  var freeSeat: Place? {
    slots[..<capacity].firstIndex { $0 == nil }.map(place(ofSlot:))
  }

  /// The smallest free number for a spectator.
  var freeSpectator: Place? {
    slots[capacity...].firstIndex { $0 == nil }.map(place(ofSlot:))
  }

  /// The connected spectator who has been here longest.
  var longestWatching: Place? {
    longestPresent(in: capacity..<slots.count) { $0.heldSince == nil }
  }

  /// The seat of who has been here longest, of those who are connected if any is.
  var longestSeated: Place? {
    longestConnectedSeat ?? longestPresent(in: 0..<capacity) { _ in true }
  }

  /// The seat of who has been here longest of those who are connected.
  var longestConnectedSeat: Place? {
    longestPresent(in: 0..<capacity) { $0.heldSince == nil }
  }

  private func longestPresent(in range: Range<Int>, where isMeant: (Occupant) -> Bool) -> Place? {
    var longest: (slot: Int, arrival: UInt64)?
    for slot in range {
      guard let occupant = slots[slot], isMeant(occupant) else { continue }
      if let found = longest, found.arrival < occupant.arrival { continue }
      longest = (slot, occupant.arrival)
    }
    return longest.map { place(ofSlot: $0.slot) }
  }

  // Changes of place.

  /// Puts someone new into a free place.
  mutating func enter(_ place: Place, id: PlayerID, nickname: String, at time: Instant) {
    precondition(self[place] == nil, "a place has one occupant")
    arrivals += 1
    self[place] = Occupant(id: id, nickname: nickname, arrival: arrivals, enteredAt: time)
    if let index = departed.firstIndex(where: { $0.id == id }) {
      let allowance = departed.remove(at: index).chatAllowance
      self[place]?.chatAllowance = allowance
    }
  }

  /// Moves someone into a free place; they stay as long present as they were.
  mutating func move(from place: Place, to free: Place) {
    precondition(self[free] == nil, "a place has one occupant")
    self[free] = self[place]
    self[place] = nil
  }

  /// Makes every hold begin anew.
  mutating func holdAnew(at time: Instant) {
    for slot in slots.indices where slots[slot]?.heldSince != nil {
      slots[slot]?.heldSince = time
    }
  }

  /// Empties a place.
  mutating func remove(_ place: Place) {
    if let occupant = self[place] {
      if departed.count == Self.departedMax { departed.removeFirst() }
      departed.append((occupant.id, occupant.chatAllowance))
    }
    self[place] = nil
  }
}
