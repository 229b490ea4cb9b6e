// Whether the tally's sums agree with one another: what operators ask after a disk was damaged, and tests after all else. Part
// of the tally's value; it changes nothing.

extension Tally {
  /// What does not agree, season by season, one sentence for each school: the total against what players have counted, less
  /// what was voided. Empty when all agree. Looks at every count there is.
  package func check() -> [String] {
    var sums = book.seasons.map { _ in [Int64](repeating: 0, count: book.schools.count) }
    for row in book.counts.rows {
      // Rows that were damaged may have any sum.
      sums[Int(row.key.season) - 1][Int(row.key.school)] &+= row.counted
    }
    return (1...book.season).flatMap { season in
      book.schools.indices.compactMap { school in
        let total = book.total(of: UInt32(school), in: season).count
        let sum = sums[Int(season) - 1][school]
        guard total != sum else { return nil }
        return "season \(season), school \(book.schools[school]): players counted \(sum), the total is \(total)"
      }
    }
  }
}
