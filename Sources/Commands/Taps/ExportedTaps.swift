// The JSON output of `madang taps` for other programs: one object in a line. Values; the names are those of the
// console's feed.
import Foundation
import Game

/// A season's ranking.
struct ExportedRanking: Encodable {
  struct Place: Encodable {
    let rank: Int
    let school: String
    let name: String
    let region: String
    let count: Int64
  }

  let season: UInt32
  /// The moment of the season's closing; nil while it runs.
  let closedAtMs: Int64?
  let ranking: [Place]

  init(of season: UInt32, _ ranking: [RankedSchool], in contest: Contest) {
    self.season = season
    closedAtMs = contest.tally.end(of: season)?.milliseconds
    self.ranking = ranking.map { place in
      let school = contest.school(place.school)
      return Place(
        rank: place.rank,
        school: place.school.description,
        name: school?.name ?? "",
        region: school?.region ?? "",
        count: place.count
      )
    }
  }
}

/// The taps that a void took from each school.
struct ExportedVoid: Encodable {
  struct Loss: Encodable {
    let school: String
    let voided: Int64
    /// The school's remaining taps of the season.
    let left: Int64
  }

  /// The player's identifier; nil for a deleted player.
  let player: String?
  let number: Int
  let season: UInt32
  let voided: Int64
  let schools: [Loss]

  /// Takes what each school has lost, and the contest behind the void.
  init(
    of player: TalliedPlayer,
    season: UInt32,
    _ losses: [(school: SchoolID, taps: Int64)],
    in contest: Contest
  ) {
    self.player = player.id?.description
    number = player.number
    self.season = season
    voided = losses.reduce(0) { $0 + $1.taps }
    schools = losses.map { loss in
      let left = contest.tally.total(of: loss.school, in: season)
      return Loss(school: loss.school.description, voided: loss.taps, left: left)
    }
  }
}

extension Encodable {
  /// Prints it as one line of JSON.
  package func printJSON() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(self), as: UTF8.self))
  }
}
