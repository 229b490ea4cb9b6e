// Who is in a room, where, since when, whether their connection is there, and who is the host. A value, owned by the
// room; it knows nothing of games and raises no events. All places are in one row of slots, seats first, so that every
// walk has the same order.

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

/// The places of a room. One that nobody has taken yet costs nothing.
struct Roster: Sendable {
  let capacity: Int
  let spectatorsMax: Int
  /// By number, up to the highest that has been taken.
  private(set) var seats: ContiguousArray<Occupant?> = []
  /// Likewise.
  private(set) var watchers: ContiguousArray<Occupant?> = []
  var arrivals: UInt64 = 0
  /// What the newest who left might still chat, oldest first, so that going out and in again gains nothing.
  var departed: ContiguousArray<(id: PlayerID, chatAllowance: TokenBucket)> = []
  static let departedMax = 64
  /// The host's seat; nil only while no seat is taken.
  var hostSeat: Int?
  /// Slots whose cursor no tick has carried yet.
  var movedCursors: SlotSet

  init(capacity: Int, spectatorsMax: Int) {
    self.capacity = capacity
    self.spectatorsMax = spectatorsMax
    movedCursors = SlotSet(count: capacity + spectatorsMax)
  }

  var slotCount: Int { capacity + spectatorsMax }

  /// The slot of a place; nil for a place that this room does not have.
  func slot(of place: Place) -> Int? {
    switch place {
    case .seat(let seat): (0..<capacity).contains(seat) ? seat : nil
    case .spectator(let number): (0..<spectatorsMax).contains(number) ? capacity + number : nil
    }
  }

  func place(ofSlot slot: Int) -> Place {
    slot < capacity ? .seat(slot) : .spectator(slot - capacity)
  }

  /// Who is in a place. Only changes who is there; `enter`, `move` and `remove` fill and empty places.
  subscript(place: Place) -> Occupant? {
    get {
      switch place {
      case .seat(let seat): seats.indices.contains(seat) ? seats[seat] : nil
      case .spectator(let number): watchers.indices.contains(number) ? watchers[number] : nil
      }
    }
    set {
      switch place {
      case .seat(let seat): Self.set(newValue, at: seat, of: capacity, in: &seats)
      case .spectator(let number): Self.set(newValue, at: number, of: spectatorsMax, in: &watchers)
      }
    }
  }

  private static func set(_ new: Occupant?, at index: Int, of count: Int, in places: inout ContiguousArray<Occupant?>) {
    if places.indices.contains(index) {
      places[index] = new
    } else if (0..<count).contains(index), new != nil {
      while places.count < index { places.append(nil) }
      places.append(new)
    }
  }

  /// Whether someone is in a place and connected.
  func isConnected(_ place: Place) -> Bool {
    switch place {
    case .seat(let seat): seats.indices.contains(seat) && seats[seat] != nil && seats[seat]?.heldSince == nil
    case .spectator(let number):
      watchers.indices.contains(number) && watchers[number] != nil && watchers[number]?.heldSince == nil
    }
  }

  /// Whether the sender of an input is here: to a player whose place is held, only leaving and coming back are open.
  func admits(_ input: Input) -> Bool {
    guard let place = input.place else { return true }
    switch input {
    case .leave, .comeBack: return self[place] != nil
    default: return isConnected(place)
    }
  }

  func place(of id: PlayerID) -> Place? {
    if let seat = seats.firstIndex(where: { $0?.id == id }) { return .seat(seat) }
    return watchers.firstIndex { $0?.id == id }.map(Place.spectator)
  }

  // Walks and counts. They run at most a few hundred steps, and only when someone comes or goes.

  /// Everyone, seats first, with their places.
  var occupants: some Sequence<(place: Place, occupant: Occupant)> {
    (0..<seats.count + watchers.count).lazy.compactMap { index in
      index < seats.count
        ? seats[index].map { (place: .seat(index), occupant: $0) }
        : watchers[index - seats.count].map { (place: .spectator(index - seats.count), occupant: $0) }
    }
  }

  var seatedCount: Int {
    seats.count { $0 != nil }
  }

  var occupantCount: Int {
    seatedCount + watchers.count { $0 != nil }
  }

  var isAnyoneConnected: Bool {
    seats.contains { $0 != nil && $0?.heldSince == nil } || watchers.contains { $0 != nil && $0?.heldSince == nil }
  }

  /// The smallest free seat.
  var freeSeat: Place? {
    Self.free(in: seats, of: capacity).map(Place.seat)
  }

  /// The smallest free number for a spectator.
  var freeSpectator: Place? {
    Self.free(in: watchers, of: spectatorsMax).map(Place.spectator)
  }

  private static func free(in places: ContiguousArray<Occupant?>, of count: Int) -> Int? {
    places.firstIndex { $0 == nil } ?? (places.count < count ? places.count : nil)
  }

  /// The connected spectator who has been here longest.
  var longestWatching: Place? {
    Self.longestPresent(in: watchers) { $0.heldSince == nil }.map(Place.spectator)
  }

  /// The seat of who has been here longest, of those who are connected if any is.
  var longestSeated: Place? {
    longestConnectedSeat ?? Self.longestPresent(in: seats) { _ in true }.map(Place.seat)
  }

  /// The seat of who has been here longest of those who are connected.
  var longestConnectedSeat: Place? {
    Self.longestPresent(in: seats) { $0.heldSince == nil }.map(Place.seat)
  }

  private static func longestPresent(
    in places: ContiguousArray<Occupant?>,
    where isMeant: (Occupant) -> Bool
  ) -> Int? {
    var longest: (index: Int, arrival: UInt64)?
    for index in places.indices {
      guard let occupant = places[index], isMeant(occupant) else { continue }
      if let found = longest, found.arrival < occupant.arrival { continue }
      longest = (index, occupant.arrival)
    }
    return longest?.index
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
    forgetCursor(of: place)
    self[free] = self[place]
    self[place] = nil
  }

  /// Makes every hold begin anew.
  mutating func holdAnew(at time: Instant) {
    for seat in seats.indices where seats[seat]?.heldSince != nil {
      seats[seat]?.heldSince = time
    }
    for number in watchers.indices where watchers[number]?.heldSince != nil {
      watchers[number]?.heldSince = time
    }
  }

  /// Empties a place. No tick is to carry its cursor.
  mutating func remove(_ place: Place) {
    forgetCursor(of: place)
    if let occupant = self[place] {
      if departed.count == Self.departedMax { departed.removeFirst() }
      departed.append((occupant.id, occupant.chatAllowance))
    }
    self[place] = nil
  }
}
