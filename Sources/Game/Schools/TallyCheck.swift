// Whether the tally's sums agree with one another: what operators ask after a disk was damaged, and tests after all else. Part
// of the tally's value.

extension Tally {
  /// Rows that were damaged may have any sum; a total that is made from them must be one that rows may have, and go on.
  private static let sumMax = TallyRecord.greatestOfRow / 2

  /// What does not agree, season by season, one sentence for each school: the total against what players have counted, less
  /// what was voided. Empty when all agree. Looks at every count in memory, and says nothing of old seasons, whose counts
  /// have left it.
  package func check() -> [String] {
    disagreements.map {
      "season \($0.season), school \(book.schools[Int($0.school)]): players counted \($0.sum), the total is \($0.total)"
    }
  }

  /// Makes the totals what players have counted, where records between them were lost: so all sums agree again. A recovery
  /// does that before anybody taps, and all rows are to be written then.
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
