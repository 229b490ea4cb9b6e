// What each player has counted for each school in each season: the finest of the tally's sums, which all others must agree
// with. A value, owned by the tally's book. The rows of one season lie one behind the other and leave memory together, once
// the season is old and all of them are written: rows that wait to be written never leave it.

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

  private struct Place: Hashable {
    let player: UInt32
    let school: UInt32
  }

  /// The rows of one season.
  private struct SeasonRows {
    var rows: ContiguousArray<Count> = []
    var places: [Place: UInt32] = [:]
    /// How many of them wait to be written.
    var changedCount = 0

    /// `hint` is where the row was when it was last needed, or anywhere.
    func place(of key: Key, hint: UInt32) -> UInt32? {
      if hint < rows.count, rows[Int(hint)].key == key { return hint }
      return places[Place(player: key.player, school: key.school)]
    }
  }

  private struct Change {
    let season: UInt32
    let place: UInt32
  }

  /// From season 1, as far as anything was counted.
  private var seasons: ContiguousArray<SeasonRows> = []
  private var changes = ChangeQueue<Change>()
  /// Seasons up to this one are old; 0 while none is.
  private(set) var oldThrough: UInt32 = 0
  /// How often rows have left memory.
  private(set) var dropCount: UInt64 = 0

  var changedSince: UInt64? { changes.since }

  var changedCount: Int { changes.count }

  /// How many rows are in memory.
  var rowCount: Int { seasons.reduce(0) { $0 + $1.rows.count } }

  /// Nil for a row that is not in memory.
  subscript(key: Key) -> Count? {
    guard key.season <= seasons.count else { return nil }
    let season = seasons[Int(key.season) - 1]
    return season.place(of: key, hint: .max).map { season.rows[Int($0)] }
  }

  func forEach(_ body: (Count) -> Void) {
    for season in seasons { season.rows.forEach(body) }
  }

  /// Adds what a record tells of, unless the row has that already; one that is missing is made. Returns where the row is in
  /// its season; `hint` is where it was when it was last needed, or anywhere.
  mutating func add(_ taps: Int64, to key: Key, hint: UInt32, sequence: UInt64) -> UInt32 {
    let place = place(of: key, hint: hint) ?? append(key)
    change(key.season, place, sequence) { $0.count += taps }
    return place
  }

  /// The same of what counts no more; false when there is no such row.
  mutating func void(_ taps: Int64, of key: Key, sequence: UInt64) -> Bool {
    guard let place = place(of: key, hint: .max) else { return false }
    change(key.season, place, sequence) { $0.voided += taps }
    return true
  }

  /// The row that waits to be written longest.
  mutating func popChanged() -> Count? {
    guard let change = changes.popFirst() else { return nil }
    let (season, place) = (Int(change.season) - 1, Int(change.place))
    seasons[season].rows[place].isChanged = false
    seasons[season].changedCount -= 1
    let row = seasons[season].rows[place]
    if change.season <= oldThrough { dropIfWritten(change.season) }
    return row
  }

  /// Puts a row in as it was written; false if there is one already.
  mutating func restore(_ key: Key, count: Int64, voided: Int64, sequence: UInt64) -> Bool {
    guard place(of: key, hint: .max) == nil else { return false }
    let (season, place) = (Int(key.season) - 1, Int(append(key)))
    seasons[season].rows[place].count = count
    seasons[season].rows[place].voided = voided
    seasons[season].rows[place].sequence = sequence
    return true
  }

  /// Seasons up to this one are old from now on. The rows of an old season leave memory together: now, or when the last of
  /// them that waits to be written is taken.
  mutating func drop(through season: UInt32) {
    oldThrough = max(oldThrough, season)
    guard oldThrough > 0 else { return }
    for old in 1...oldThrough { dropIfWritten(old) }
  }

  private mutating func dropIfWritten(_ season: UInt32) {
    let index = Int(season) - 1
    guard index < seasons.count, seasons[index].changedCount == 0, !seasons[index].rows.isEmpty else { return }
    seasons[index] = SeasonRows()
    dropCount += 1
  }

  private func place(of key: Key, hint: UInt32) -> UInt32? {
    key.season <= seasons.count ? seasons[Int(key.season) - 1].place(of: key, hint: hint) : nil
  }

  /// Where the row is that has just been made, with nothing in it.
  private mutating func append(_ key: Key) -> UInt32 {
    while seasons.count < key.season { seasons.append(SeasonRows()) }
    let season = Int(key.season) - 1
    let place = UInt32(seasons[season].rows.count)
    seasons[season].rows.append(Count(key: key))
    seasons[season].places[Place(player: key.player, school: key.school)] = place
    return place
  }

  private mutating func change(_ season: UInt32, _ place: UInt32, _ sequence: UInt64, _ change: (inout Count) -> Void) {
    let (index, row) = (Int(season) - 1, Int(place))
    guard sequence > seasons[index].rows[row].sequence else { return }
    change(&seasons[index].rows[row])
    seasons[index].rows[row].sequence = sequence
    guard !seasons[index].rows[row].isChanged else { return }
    seasons[index].rows[row].isChanged = true
    seasons[index].changedCount += 1
    changes.append(Change(season: season, place: place), since: sequence)
  }
}
