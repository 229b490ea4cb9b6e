// The ranking of schools in the console, from committed taps. Pure; made on the operators' shard.
import ConsoleProtocol
import Game
import MadangProtocol

extension SchoolCatalogue {
  func name(of id: SchoolID) -> String { school(id)?.name ?? "" }
}

extension CommittedRanking {
  /// The first schools, with the total of the season's taps.
  func list(first limit: Int) -> FeedSchoolList {
    .with {
      $0.season = season
      $0.taps = total
      $0.rows = top(limit).enumerated().map { index, row in
        .with {
          $0.rank = Int64(index) + 1
          $0.school = row.school.description
          $0.name = catalogue.name(of: row.school)
          $0.region = catalogue.school(row.school)?.region ?? ""
          $0.count = row.count
          if catalogue.school(row.school)?.isClosed == true { $0.closed = true }
        }
      }
    }
  }
}
