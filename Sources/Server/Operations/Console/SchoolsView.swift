// The ranking of schools, as a console sees it: of taps that are committed. Pure; made on the operators' shard.
import Game
import MadangProtocol

extension SchoolCatalogue {
  func school(_ id: SchoolID) -> School? { index(of: id).map { schools[$0] } }

  func name(of id: SchoolID) -> String { school(id)?.name ?? "" }
}

extension CommittedRanking {
  /// The first schools, with what all of the season's taps come to.
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
