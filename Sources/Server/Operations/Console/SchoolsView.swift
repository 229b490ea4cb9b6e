// The ranking of schools in the console, from committed taps, and the search through the whole list. Pure; made on the
// operators' shard.
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

/// A search through the whole list of schools, closed ones too: the ranking has those with taps alone.
package struct SchoolsQuery: Sendable, Equatable {
  package var text = ""
  /// The page begins behind it; nil for the first one.
  package var after: SchoolCursor?
  package var limit = ListPage().limit
}

extension SchoolsQuery {
  init(_ find: FeedFindSchools) throws(ConsoleFieldFault) {
    guard find.text.utf8.count <= Limits.schoolQueryBytesMax else {
      throw ConsoleFieldFault("text: at most \(Limits.schoolQueryBytesMax) bytes")
    }
    text = find.text
    after = SchoolCursor(find.after)
    guard find.after.isEmpty || after != nil else { throw ConsoleFieldFault.notNext }
    limit = try ListPage.limit(find.hasLimit ? find.limit : nil)
  }
}

extension CommittedRanking {
  /// The page of a search; nil for a place behind a school that is in no list.
  func page(of query: SchoolsQuery) -> FeedSchoolPage? {
    let found = catalogue.search(SchoolQuery(query.text, isClosed: nil), after: query.after, limit: query.limit)
    guard let found else { return nil }
    let schools = found.indices.map { catalogue.schools[$0] }
    return .with {
      $0.rows = schools.map(\.message)
      $0.counts = schools.map { count(of: $0.id) }
      if let next = found.next { $0.next = next.text }
    }
  }
}

extension School {
  /// The school as an import takes it.
  fileprivate var message: FeedImportedSchool {
    .with {
      $0.id = id.description
      $0.name = name
      $0.level = level.name
      if !region.isEmpty { $0.region = region }
      if !address.isEmpty { $0.address = address }
      if isClosed { $0.closed = true }
    }
  }
}
