// Which counts leave memory: those of seasons before the one that was closed last. Part of the tally's value. They stay in the
// store; whoever owns the tally reads them there and puts them back before they are voided.

extension Tally {
  /// Lets the counts of old seasons leave memory: of all before the one that was closed last. Rows that wait to be written
  /// keep their season there until they are taken. A recovery applies records to rows of any age, so it does this last.
  package mutating func dropOldCounts() {
    book.dropOldCounts()
  }

  /// Whether all counts of a season are in memory.
  package func keepsCounts(of season: UInt32) -> Bool { season > book.counts.oldThrough }

  /// How often counts have left memory. As long as it stays the same, what was read from the store is not older than what has
  /// left.
  package var countDrops: UInt64 { book.counts.dropCount }

  /// How many counts are in memory.
  package var countsInMemory: Int { book.counts.rowCount }

  /// How many places there are in memory for the last seconds' batches and for abnormal ones: of who taps now, not of who
  /// ever did.
  package var recentTappers: (windows: Int, abnormals: Int) { (windows.capacity, abnormals.count) }
}
