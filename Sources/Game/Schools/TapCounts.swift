// What each player has counted for each school in each season: the finest of the tally's sums, which all others must agree
// with. A value, owned by the tally's book; rows lie one behind the other and are never taken out.

/// Counts by player, school and season, each by the tally's own number.
struct TapCounts: Sendable {
  struct Key: Hashable, Sendable {
    let player: UInt32
    let school: UInt32
    let season: UInt32
  }

  struct Count: Sendable {
    let key: Key
    /// Waits to be written.
    fileprivate(set) var isChanged = false
    fileprivate(set) var count: Int64 = 0
    /// So much of it counts no more.
    fileprivate(set) var voided: Int64 = 0
    /// The newest record that has changed this row.
    fileprivate(set) var sequence: UInt64 = 0

    var counted: Int64 { count - voided }
  }

  private(set) var rows: ContiguousArray<Count> = []
  private var places: [Key: UInt32] = [:]
  private var changes = ChangeQueue<UInt32>()

  var changedSince: UInt64? { changes.since }

  var changedCount: Int { changes.count }

  /// `hint` is where the row was when it was last needed, or anywhere.
  func place(of key: Key, hint: UInt32 = .max) -> UInt32? {
    hint < rows.count && rows[Int(hint)].key == key ? hint : places[key]
  }

  subscript(place: UInt32) -> Count { rows[Int(place)] }

  subscript(key: Key) -> Count? { place(of: key).map { self[$0] } }

  /// Where the row is that has just been made, with nothing in it.
  mutating func append(_ key: Key) -> UInt32 {
    let place = UInt32(rows.count)
    rows.append(Count(key: key))
    places[key] = place
    return place
  }

  /// Adds what a record tells of, unless the row has that already.
  mutating func add(_ taps: Int64, at place: UInt32, sequence: UInt64) {
    guard sequence > self[place].sequence else { return }
    rows[Int(place)].count += taps
    change(place, sequence)
  }

  /// The same of what counts no more.
  mutating func void(_ taps: Int64, at place: UInt32, sequence: UInt64) {
    guard sequence > self[place].sequence else { return }
    rows[Int(place)].voided += taps
    change(place, sequence)
  }

  private mutating func change(_ place: UInt32, _ sequence: UInt64) {
    rows[Int(place)].sequence = sequence
    guard !rows[Int(place)].isChanged else { return }
    rows[Int(place)].isChanged = true
    changes.append(place, since: sequence)
  }

  /// The row that waits to be written longest.
  mutating func popChanged() -> Count? {
    guard let place = changes.popFirst() else { return nil }
    rows[Int(place)].isChanged = false
    return self[place]
  }

  /// Puts a row in as it was written; false if there is one already.
  mutating func restore(_ key: Key, count: Int64, voided: Int64, sequence: UInt64) -> Bool {
    guard places[key] == nil else { return false }
    let place = append(key)
    rows[Int(place)].count = count
    rows[Int(place)].voided = voided
    rows[Int(place)].sequence = sequence
    return true
  }
}
