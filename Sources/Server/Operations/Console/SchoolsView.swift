// The ranking of schools in the console, from committed taps. Pure; made on the operators' shard.
import Game
import MadangProtocol

extension SchoolCatalogue {
  func school(_ id: SchoolID) -> School? { index(of: id).map { schools[$0] } }

  func name(of id: SchoolID) -> String { school(id)?.name ?? "" }
}

extension CommittedRanking {
  /// The first schools, with the total of the season's taps.
  func consoleJSON(first limit: Int, in catalogue: SchoolCatalogue) -> JSONText {
    .object { json in
      json.member("season", season)
      json.member("taps", total)
      json.member(
        "rows",
        top(limit).enumerated().map { index, row in
          return .object { json in
            json.member("rank", index + 1)
            json.member("school", row.school.description)
            json.member("name", catalogue.name(of: row.school))
            json.member("region", catalogue.school(row.school)?.region ?? "")
            json.member("count", row.count)
          }
        }
      )
    }
  }
}
