// The ranking as it may be shown: of taps that are committed, with the schools' names. A value; the tally's commits keep it, and
// whoever shows it has a copy.
import Game
import MadangProtocol

struct CommittedRanking: Sendable {
  /// Goes up with each change.
  private(set) var version: UInt64 = 1
  private(set) var season: UInt32 = 1
  private let catalogue: SchoolCatalogue
  private var ranking = SchoolRanking()
  /// By the tally's numbers.
  private var schools: ContiguousArray<SchoolID> = []
  private var numbers: [SchoolID: Int] = [:]

  init(_ catalogue: SchoolCatalogue) {
    self.catalogue = catalogue
  }

  /// Takes in what a commit has brought; standings of another season begin the ranking anew.
  mutating func take(_ standings: [SchoolStanding], season: UInt32, newSchools: [SchoolID]) {
    for school in newSchools {
      numbers[school] = schools.count
      schools.append(school)
    }
    guard season != self.season || !standings.isEmpty else { return }
    version += 1
    if season != self.season {
      self.season = season
      ranking = SchoolRanking()
    }
    for standing in standings { ranking.set(standing.school, count: standing.count, reached: standing.reached) }
  }

  /// The first schools, in order.
  func top(_ most: Int) -> [WireRankedSchool] {
    ranking.top(most).enumerated().map { row(of: $0.element, rank: $0.offset + 1) }
  }

  /// Where a school stands, and who is next to it.
  func place(of school: SchoolID) -> Place {
    guard let number = numbers[school], let rank = ranking.rank(of: number) else { return Place() }
    let (above, below) = ranking.neighbours(of: number)
    return Place(
      rank: rank,
      count: ranking.count(of: number),
      above: above.map { Neighbour(number: $0, count: ranking.count(of: $0)) },
      below: below.map { Neighbour(number: $0, count: ranking.count(of: $0)) }
    )
  }

  /// What a school's players see of it beside the top; the same as long as their rows are.
  struct Place: Equatable {
    fileprivate(set) var rank = 0
    fileprivate(set) var count: Int64 = 0
    fileprivate(set) var above: Neighbour?
    fileprivate(set) var below: Neighbour?
  }

  struct Neighbour: Equatable {
    /// The tally's.
    fileprivate let number: Int
    fileprivate let count: Int64
  }

  func mine(_ school: SchoolID, at place: Place) -> WireRankedSchool {
    row(of: school, rank: place.rank, count: place.count)
  }

  func neighbours(at place: Place) -> [WireRankedSchool] {
    let above = place.above.map { row(of: schools[$0.number], rank: place.rank - 1, count: $0.count) }
    let below = place.below.map { row(of: schools[$0.number], rank: place.rank + 1, count: $0.count) }
    return [above, below].compactMap { $0 }
  }

  private func row(of number: Int, rank: Int) -> WireRankedSchool {
    row(of: schools[number], rank: rank, count: ranking.count(of: number))
  }

  private func row(of school: SchoolID, rank: Int, count: Int64) -> WireRankedSchool {
    var row = WireRankedSchool()
    row.rank = UInt32(rank)
    row.schoolID = school.description
    row.count = count
    // The catalogue forgets no school.
    guard let index = catalogue.index(of: school) else { return row }
    row.name = catalogue.schools[index].name
    row.region = catalogue.schools[index].region
    return row
  }
}
