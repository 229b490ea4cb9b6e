// Drops counts from memory: those of seasons before the last closed one. Part of the tally's value. They stay in the
// store; the tally's owner reads them there and puts them back before they are voided.

extension Tally {
  /// Drops the counts of all seasons before the last closed one from memory. Rows that wait to be written keep their
  /// season there until they are taken. A recovery applies records to rows of any age, so it does this last.
  package mutating func dropOldCounts() {
    book.dropOldCounts()
  }

  /// Whether all counts of a season are in memory.
  package func keepsCounts(of season: UInt32) -> Bool { season > book.counts.oldThrough }

  /// The number of drops of counts. While it stays the same, counts read from the store are no older than the dropped
  /// ones.
  package var countDrops: UInt64 { book.counts.dropCount }

  /// The number of counts in memory.
  package var countsInMemory: Int { book.counts.rowCount }

  /// The numbers of entries in memory for the last seconds' batches and for abnormal ones: they grow with current
  /// players, not with all past ones.
  package var recentTappers: (windows: Int, abnormals: Int) { (windows.capacity, abnormals.count) }
}
