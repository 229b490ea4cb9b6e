// The application of an edition of the list of schools to a store or by the running server.
import ConsoleProtocol
import Game
import Store

extension OpenedList {
  /// Applies an edition to the schools that were known `before`.
  func apply(_ edition: [School], over before: [School]) throws -> SchoolEdition {
    switch self {
    case .store(let store): return try store.applySchools(edition, at: .now)
    case .server(let feed, _):
      var rest = edition[...]
      repeat {
        let part = rest.prefix(Self.countOfOneMessage(rest))
        let request = FeedImportSchools.with {
          $0.first = rest.count == edition.count
          $0.more = part.count < rest.count
          $0.schools = part.map(FeedImportedSchool.init)
        }
        rest = rest.dropFirst(part.count)
        _ = try feed.act("importSchools", request.consoleJSON)
      } while !rest.isEmpty
      let known = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
      return SchoolEdition(of: edition, over: known)
    }
  }
}

extension OpenedList {
  /// The number of schools that fit one message to a server: 100,000 bytes, which escapes may double.
  private static func countOfOneMessage(_ schools: ArraySlice<School>) -> Int {
    var (count, bytes) = (0, 0)
    for school in schools {
      // The names of members and the punctuation.
      bytes += 120 + [school.name, school.region, school.address].reduce(0) { $0 + $1.utf8.count }
      if count > 0, bytes > 100_000 { break }
      count += 1
    }
    return count
  }
}

extension FeedImportedSchool {
  fileprivate init(_ school: School) {
    self.init()
    id = school.id.description
    name = school.name
    level = school.level.name
    if !school.region.isEmpty { region = school.region }
    if !school.address.isEmpty { address = school.address }
    if school.isClosed { closed = true }
  }
}
