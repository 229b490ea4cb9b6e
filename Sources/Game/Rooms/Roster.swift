// The members of a room: their places, times of arrival and connections, and the host. A value, owned by the room; it
// knows nothing of games and raises no events. All places are in one row of slots, seats first, so that every walk has
// the same order.

/// A player with a place in a room.
struct Occupant: Sendable {
  // First what each input looks at, so that it shares a line of the processor's cache.
  let id: PlayerID
  /// The time at which the connection was lost; nil while it is there.
  var heldSince: Instant?
  /// The nickname as the room shows it.
  var nickname: String
  /// The order of arrival: a smaller number has been present longer.
  let arrival: UInt64
  /// The time of entering, by the wall clock.
  let enteredAt: Instant
  /// Whether they came in to watch alone. Such a spectator never takes a seat.
  let isWatching: Bool
  /// The number of the event that announced them in this place.
  var joinedEvent: UInt32 = 0
  /// The number of the newest chat event that they have read.
  var readUpTo: UInt32 = 0
  /// The broadcast that last carried the read cursor; 0 for none.
  var cursorBroadcast: UInt64 = 0
  var chatBucket = TokenBucket(ChatRules.rate)
}

/// The places of a room. One that was never taken costs nothing.
struct Roster: Sendable {
  let capacity: Int
  let spectatorsMax: Int
  /// The seats by number, up to the highest that has been taken.
  private(set) var seats: ContiguousArray<Occupant?> = []
  /// The spectators' places likewise.
  private(set) var watchers: ContiguousArray<Occupant?> = []
  var arrivals: UInt64 = 0
  /// The chat buckets of the players who left last, oldest first, so that leaving and joining again gains nothing.
  var departed: ContiguousArray<(id: PlayerID, chatBucket: TokenBucket)> = []
  static let departedMax = 64
  /// The players who may not be in the room any more, those barred last at the end. The bound is for a room that lives
  /// for weeks: nobody is barred without an operator's or the host's own act.
  private(set) var barred: ContiguousArray<PlayerID> = []
  static let barredMax = 256
  /// The host has closed the room for newcomers.
  var isLocked = false
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

  /// The occupant of a place. Changes only occupants; `enter`, `move` and `remove` fill and empty places.
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

  /// The player in a place, without a copy of the occupant.
  func id(at place: Place) -> PlayerID? {
    switch place {
    case .seat(let seat): seats.indices.contains(seat) ? seats[seat]?.id : nil
    case .spectator(let number): watchers.indices.contains(number) ? watchers[number]?.id : nil
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

  /// Whether a place has a connected occupant.
  func isConnected(_ place: Place) -> Bool {
    switch place {
    case .seat(let seat): seats.indices.contains(seat) && seats[seat] != nil && seats[seat]?.heldSince == nil
    case .spectator(let number):
      watchers.indices.contains(number) && watchers[number] != nil && watchers[number]?.heldSince == nil
    }
  }

  /// Whether the sender of an input is here: the player of a held place may only leave or come back.
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

  // Walks and counts. They take at most a few hundred steps, and only when someone comes or goes.

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

  /// The place for a newcomer: a seat or a spectator's.
  func freePlace(isSeat: Bool) -> Place? {
    isSeat ? freeSeat : freeSpectator
  }

  /// The smallest free number for a spectator.
  var freeSpectator: Place? {
    Self.free(in: watchers, of: spectatorsMax).map(Place.spectator)
  }

  private static func free(in places: ContiguousArray<Occupant?>, of count: Int) -> Int? {
    places.firstIndex { $0 == nil } ?? (places.count < count ? places.count : nil)
  }

  /// The connected spectator who has waited longest for a seat.
  var longestWaiting: Place? {
    Self.longestPresent(in: watchers) { $0.heldSince == nil && !$0.isWatching }.map(Place.spectator)
  }

  /// The seat of the longest present player, of the connected ones if there are any.
  var longestSeated: Place? {
    longestConnectedSeat ?? Self.longestPresent(in: seats) { _ in true }.map(Place.seat)
  }

  /// The seat of the longest present connected player.
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

  /// Puts a new occupant into a free place.
  mutating func enter(_ place: Place, id: PlayerID, nickname: String, isWatching: Bool, at time: Instant) {
    precondition(self[place] == nil, "a place has one occupant")
    arrivals += 1
    self[place] = Occupant(id: id, nickname: nickname, arrival: arrivals, enteredAt: time, isWatching: isWatching)
    if let index = departed.firstIndex(where: { $0.id == id }) {
      let bucket = departed.remove(at: index).chatBucket
      self[place]?.chatBucket = bucket
    }
  }

  /// Bars a player; the bar that is oldest goes, where there are too many. Returns the player's place, which is to be
  /// emptied.
  mutating func bar(_ id: PlayerID) -> Place? {
    guard !barred.contains(id) else { return nil }
    if barred.count == Self.barredMax { barred.removeFirst() }
    barred.append(id)
    return place(of: id)
  }

  /// Moves an occupant into a free place; their time of presence stays.
  mutating func move(from place: Place, to free: Place) {
    precondition(self[free] == nil, "a place has one occupant")
    precondition(!(self[place]?.isWatching ?? false), "a player who watches alone takes no seat")
    forgetCursor(of: place)
    self[free] = self[place]
    self[place] = nil
  }

  /// Restarts every hold.
  mutating func holdAnew(at time: Instant) {
    for seat in seats.indices where seats[seat]?.heldSince != nil {
      seats[seat]?.heldSince = time
    }
    for number in watchers.indices where watchers[number]?.heldSince != nil {
      watchers[number]?.heldSince = time
    }
  }

  /// Empties a place. No tick will carry its cursor.
  mutating func remove(_ place: Place) {
    forgetCursor(of: place)
    if let occupant = self[place] {
      if departed.count == Self.departedMax { departed.removeFirst() }
      departed.append((occupant.id, occupant.chatBucket))
    }
    self[place] = nil
  }
}
