// The schools' totals of one season. A value, owned by the tally's book, which has one for each season since the first:
// voiding a player's taps in an old season corrects that season's totals.

/// A season: a total for each school, by the tally's number, and the season's end.
struct SeasonTotals: Sendable {
  struct Total: Sendable {
    fileprivate(set) var count: Int64 = 0
    /// The record that gave the total its value; 0 for none.
    fileprivate(set) var reached: UInt64 = 0
    /// Whether the total waits to be written.
    fileprivate(set) var isChanged = false
    /// Whether the total waits to be sent to the ranking.
    fileprivate(set) var awaitsRanking = false
  }

  /// By school; grows with a school's first count.
  private(set) var totals: ContiguousArray<Total> = []
  /// The time of the season's end, and its record; nil while it runs.
  private(set) var end: (at: Instant, sequence: UInt64)?

  subscript(school: UInt32) -> Total {
    school < totals.count ? totals[Int(school)] : Total()
  }

  /// Adds the taps of a record, negative for a void; false if the total has that record already.
  mutating func add(_ taps: Int64, to school: UInt32, sequence: UInt64) -> Bool {
    guard sequence > self[school].reached else { return false }
    grow(to: school)
    totals[Int(school)].count += taps
    totals[Int(school)].reached = sequence
    return true
  }

  /// Corrects a total.
  mutating func correct(_ school: UInt32, to count: Int64) {
    grow(to: school)
    totals[Int(school)].count = count
  }

  mutating func close(at time: Instant, sequence: UInt64) {
    end = (time, sequence)
  }

  /// Marks a total as waiting to be written or not; true if that changed it.
  mutating func setChanged(_ isChanged: Bool, _ school: UInt32) -> Bool {
    guard totals[Int(school)].isChanged != isChanged else { return false }
    totals[Int(school)].isChanged = isChanged
    return true
  }

  /// Marks a total as waiting to be sent or not; true if that changed it.
  mutating func setAwaitsRanking(_ awaitsRanking: Bool, _ school: UInt32) -> Bool {
    guard totals[Int(school)].awaitsRanking != awaitsRanking else { return false }
    totals[Int(school)].awaitsRanking = awaitsRanking
    return true
  }

  /// Restores a written total; false if there is one already.
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
