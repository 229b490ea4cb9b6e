// The ranking that may be shown: from committed taps, with the schools' names. A value; the tally's commits update it,
// and each reader has a copy.
// Decisions: 058 (docs/decisions).
import Game
import MadangProtocol

struct CommittedRanking: Sendable {
  /// A school's name and region for rows, encoded once for each list of schools.
  private struct Title {
    let json: [UInt8]
    let proto: [UInt8]

    init(_ id: SchoolID, _ school: School?) {
      // The catalogue forgets no school.
      let (id, name, region) = (id.description, school?.name ?? "", school?.region ?? "")
      json = Subprotocol.json.rankingSchool(id, name: name, region: region)
      proto = Subprotocol.proto.rankingSchool(id, name: name, region: region)
    }

    func bytes(_ subprotocol: Subprotocol) -> [UInt8] { subprotocol == .json ? json : proto }
  }

  /// A school's place and its neighbours; by the tally's numbers.
  struct Place: Equatable {
    struct Neighbour: Equatable {
      fileprivate let number: Int
      fileprivate let count: Int64
    }

    fileprivate let number: Int
    /// The list that the names are of.
    fileprivate let edition: UInt32
    /// 0 for a school without a count.
    fileprivate var rank = 0
    fileprivate var count: Int64 = 0
    fileprivate var above: Neighbour?
    fileprivate var below: Neighbour?
  }

  /// Goes up with each change.
  private(set) var version: UInt64 = 1
  private(set) var season: UInt32 = 1
  /// The total of all schools in the season.
  private(set) var total: Int64 = 0
  private(set) var catalogue: SchoolCatalogue
  /// Goes up with each edition of the list of schools.
  private var edition: UInt32 = 0
  private var ranking = SchoolRanking()
  /// By the tally's numbers.
  private var titles: ContiguousArray<Title> = []
  private var schools: ContiguousArray<SchoolID> = []
  private var numbers: [SchoolID: Int] = [:]

  init(_ catalogue: SchoolCatalogue) {
    self.catalogue = catalogue
  }

  /// Takes a newer list of schools: rows have its names from now on.
  mutating func take(_ catalogue: SchoolCatalogue) {
    self.catalogue = catalogue
    edition += 1
    version += 1
    titles = ContiguousArray(schools.map { Title($0, catalogue.school($0)) })
  }

  /// Applies a commit's standings; standings of another season begin the ranking anew.
  mutating func take(_ standings: [SchoolStanding], season: UInt32, newSchools: [SchoolID]) {
    for school in newSchools {
      numbers[school] = titles.count
      schools.append(school)
      titles.append(Title(school, catalogue.school(school)))
    }
    guard season != self.season || !standings.isEmpty else { return }
    version += 1
    if season != self.season {
      self.season = season
      ranking = SchoolRanking()
      total = 0
    }
    for standing in standings {
      total += standing.count - ranking.count(of: standing.school)
      ranking.set(standing.school, count: standing.count, reached: standing.reached)
    }
  }

  /// The first schools, in order.
  func top(_ most: Int) -> [(school: SchoolID, count: Int64)] {
    ranking.top(most).map { (schools[$0], ranking.count(of: $0)) }
  }

  /// The schools behind a rank, up to `limit`, in order.
  func schools(behindRank rank: Int, limit: Int) -> [(school: SchoolID, count: Int64)] {
    ranking.schools(behindRank: rank, limit: limit).map { (schools[$0], ranking.count(of: $0)) }
  }

  /// The number of schools with a rank.
  var schoolCount: Int { ranking.count }

  /// The count of any school of the list; 0 for one without a rank.
  func count(of school: SchoolID) -> Int64 { numbers[school].map(ranking.count) ?? 0 }

  /// The place of a school that a player has chosen in a committed choice.
  func place(of school: SchoolID) -> Place {
    guard let number = numbers[school] else { preconditionFailure("a chosen school has a number") }
    guard let rank = ranking.rank(of: number) else { return Place(number: number, edition: edition) }
    let (above, below) = ranking.neighbours(of: number)
    return Place(
      number: number,
      edition: edition,
      rank: rank,
      count: ranking.count(of: number),
      above: above.map { Place.Neighbour(number: $0, count: ranking.count(of: $0)) },
      below: below.map { Place.Neighbour(number: $0, count: ranking.count(of: $0)) }
    )
  }

  // As bytes.

  /// The rows of the first schools, in order.
  func topRows(_ most: Int, _ subprotocol: Subprotocol) -> [[UInt8]] {
    ranking.top(most).enumerated().map { index, number in
      row(of: number, rank: index + 1, count: ranking.count(of: number), subprotocol)
    }
  }

  /// The part of the message for players of a school, besides the first ones.
  func ownPart(at place: Place, _ subprotocol: Subprotocol) -> [UInt8] {
    let above = place.above.map { row(of: $0.number, rank: place.rank - 1, count: $0.count, subprotocol) }
    let below = place.below.map { row(of: $0.number, rank: place.rank + 1, count: $0.count, subprotocol) }
    return subprotocol.rankingTail(
      mine: row(of: place.number, rank: place.rank, count: place.count, subprotocol),
      neighbours: [above, below].compactMap { $0 }
    )
  }

  private func row(of number: Int, rank: Int, count: Int64, _ subprotocol: Subprotocol) -> [UInt8] {
    subprotocol.rankingRow(rank: UInt32(rank), titles[number].bytes(subprotocol), count: count)
  }
}
