// The schools' totals of one season. A value, owned by the tally's book, which has one for each season that ever was: who is
// voided in a season long past is taken out of that one's totals.

/// A season: a total for each school, by the tally's number, and when it ended.
struct SeasonTotals: Sendable {
  struct Total: Sendable {
    fileprivate(set) var count: Int64 = 0
    /// The record by which the total came to be what it is; 0 for none.
    fileprivate(set) var reached: UInt64 = 0
    /// Waits to be written.
    fileprivate(set) var isChanged = false
    /// Waits to be told to the ranking.
    fileprivate(set) var isUntold = false
  }

  /// Grown when a school counts first.
  private(set) var totals: ContiguousArray<Total> = []
  /// When it ended, and by which record; nil while it runs.
  private(set) var end: (at: Instant, sequence: UInt64)?

  subscript(school: UInt32) -> Total {
    school < totals.count ? totals[Int(school)] : Total()
  }

  /// Adds what a record tells of, or takes it off; false if the total has that already.
  mutating func add(_ taps: Int64, to school: UInt32, sequence: UInt64) -> Bool {
    guard sequence > self[school].reached else { return false }
    grow(to: school)
    totals[Int(school)].count += taps
    totals[Int(school)].reached = sequence
    return true
  }

  /// Sets a total to what it should be.
  mutating func correct(_ school: UInt32, to count: Int64) {
    grow(to: school)
    totals[Int(school)].count = count
  }

  mutating func close(at time: Instant, sequence: UInt64) {
    end = (time, sequence)
  }

  /// Marks a total as waiting to be written, or as waiting no more; whether it was the other.
  mutating func setChanged(_ isChanged: Bool, _ school: UInt32) -> Bool {
    guard totals[Int(school)].isChanged != isChanged else { return false }
    totals[Int(school)].isChanged = isChanged
    return true
  }

  /// Marks a total as waiting to be told, or as waiting no more; whether it was the other.
  mutating func setUntold(_ isUntold: Bool, _ school: UInt32) -> Bool {
    guard totals[Int(school)].isUntold != isUntold else { return false }
    totals[Int(school)].isUntold = isUntold
    return true
  }

  /// Puts a total in as it was written; false if there is one already.
  mutating func restore(_ school: UInt32, count: Int64, reached: UInt64) -> Bool {
    guard self[school].reached == 0 else { return false }
    grow(to: school)
    totals[Int(school)].count = count
    totals[Int(school)].reached = reached
    return true
  }

  private mutating func grow(to school: UInt32) {
    guard school >= totals.count else { return }
    totals.append(contentsOf: repeatElement(Total(), count: Int(school) + 1 - totals.count))
  }
}
