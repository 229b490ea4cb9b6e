// Checks that the tally's sums agree: for operators after a disk was damaged, and at the end of tests. Part of the
// tally's value.

extension Tally {
  /// The greatest total that is made from damaged rows: it must be valid in a row and leave space to count on.
  private static let sumMax = TallyRecord.greatestOfRow / 2

  /// The disagreements, season by season, one sentence for each school: the total against the players' counts, less the
  /// voided ones. Empty when all agree. It checks every count in memory, and omits old seasons, whose counts have left
  /// it.
  package func check() -> [String] {
    disagreements.map {
      "season \($0.season), school \(book.schools[Int($0.school)]): players counted \($0.sum), the total is \($0.total)"
    }
  }

  /// Sets the totals to the players' counts, where records between them were lost: all sums then agree again. A
  /// recovery does that before anybody taps, and all rows must be written then.
  package mutating func correctTotals() {
    for place in disagreements { book.correctTotal(of: place.school, in: place.season, to: place.sum) }
  }

  private var disagreements: [(season: UInt32, school: UInt32, sum: Int64, total: Int64)] {
    var sums = book.seasons.map { _ in [Int64](repeating: 0, count: book.schools.count) }
    let first = book.counts.oldThrough + 1
    book.counts.forEach { row in
      guard row.key.season >= first else { return }
      let (season, school) = (Int(row.key.season) - 1, Int(row.key.school))
      sums[season][school] = min(sums[season][school] + row.counted, Self.sumMax)
    }
    return (first...book.season).flatMap { season in
      book.schools.indices.compactMap { school in
        let total = book.total(of: UInt32(school), in: season).count
        let sum = sums[Int(season) - 1][school]
        return total == sum ? nil : (season, UInt32(school), sum, total)
      }
    }
  }
}
