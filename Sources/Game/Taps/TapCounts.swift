// Each player's counts by school and season: the finest of the tally's sums, with which all others must agree. A value,
// owned by the tally's book. The rows of one season lie together. They leave memory together, once the season is old
// and all of them are written: a row that waits to be written never leaves it.

/// Counts by player, school and season, each by the tally's own number.
struct TapCounts: Sendable {
  struct Key: Hashable, Sendable {
    let player: UInt32
    let school: UInt32
    let season: UInt32
  }

  struct Count: Sendable {
    let key: Key
    /// Whether the row waits to be written.
    fileprivate(set) var isChanged = false
    fileprivate(set) var count: Int64 = 0
    /// The voided part of the count.
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
    /// The number of rows that wait to be written.
    var changedCount = 0

    /// The position of a row; `hint` is its last known position, or any number.
    func place(of key: Key, hint: UInt32) -> UInt32? {
      if hint < rows.count, rows[Int(hint)].key == key { return hint }
      return places[Place(player: key.player, school: key.school)]
    }
  }

  private struct Change {
    let season: UInt32
    let place: UInt32
  }

  /// From season 1 to the last with a count.
  private var seasons: ContiguousArray<SeasonRows> = []
  private var changes = ChangeQueue<Change>()
  /// Seasons up to this one are old; 0 while none is.
  private(set) var oldThrough: UInt32 = 0
  /// The number of times that rows have left memory.
  private(set) var dropCount: UInt64 = 0

  var changedSince: UInt64? { changes.since }

  var changedCount: Int { changes.count }

  /// The number of rows in memory.
  var rowCount: Int { seasons.reduce(0) { $0 + $1.rows.count } }

  /// The row of a key; nil if it is not in memory.
  subscript(key: Key) -> Count? {
    guard key.season <= seasons.count else { return nil }
    let season = seasons[Int(key.season) - 1]
    return season.place(of: key, hint: .max).map { season.rows[Int($0)] }
  }

  func forEach(_ body: (Count) -> Void) {
    for season in seasons { season.rows.forEach(body) }
  }

  /// Adds a record's taps, unless the row has that record already; a missing row is made. Returns the row's position in
  /// its season; `hint` is its last known position, or any number.
  mutating func add(_ taps: Int64, to key: Key, hint: UInt32, sequence: UInt64) -> UInt32 {
    let place = place(of: key, hint: hint) ?? append(key)
    change(key.season, place, sequence) { $0.count += taps }
    return place
  }

  /// Voids taps of a row likewise; false when there is no such row.
  mutating func void(_ taps: Int64, of key: Key, sequence: UInt64) -> Bool {
    guard let place = place(of: key, hint: .max) else { return false }
    change(key.season, place, sequence) { $0.voided += taps }
    return true
  }

  /// Takes the row that has waited longest to be written.
  mutating func popChanged() -> Count? {
    guard let change = changes.popFirst() else { return nil }
    let (season, place) = (Int(change.season) - 1, Int(change.place))
    seasons[season].rows[place].isChanged = false
    seasons[season].changedCount -= 1
    let row = seasons[season].rows[place]
    if change.season <= oldThrough { dropIfWritten(change.season) }
    return row
  }

  /// Restores a written row; false if there is one already.
  mutating func restore(_ key: Key, count: Int64, voided: Int64, sequence: UInt64) -> Bool {
    guard place(of: key, hint: .max) == nil else { return false }
    let (season, place) = (Int(key.season) - 1, Int(append(key)))
    seasons[season].rows[place].count = count
    seasons[season].rows[place].voided = voided
    seasons[season].rows[place].sequence = sequence
    return true
  }

  /// Marks seasons up to this one as old. The rows of an old season leave memory together: now, or when its last row
  /// that waits to be written is taken.
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

  /// Appends an empty row, and returns its position.
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
