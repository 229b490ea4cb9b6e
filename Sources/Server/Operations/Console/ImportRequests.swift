// The lists in an operator's request to import them, as the rules have them. Pure.
import ConsoleProtocol
import Game

extension OfferedLand {
  init(_ offered: FeedOfferedLand) throws(ConsoleFieldFault) {
    guard offered.latE7.count == offered.lngE7.count else {
      throw ConsoleFieldFault("latE7, lngE7: columns of equal length")
    }
    self.init(
      name: offered.name,
      ring: zip(offered.latE7, offered.lngE7).map { Coordinate(latE7: $0, lngE7: $1) }
    )
  }
}

extension ConsoleRequest {
  /// Reads a part of an edition of schools.
  static func schools(_ id: Int32, _ bytes: [UInt8]) throws -> ConsoleRequest {
    let part = try FeedImportSchools(consoleJSON: bytes)
    return .schools(id, try part.schools.map(School.init), isFirst: part.first, isLast: !part.more)
  }
}

extension School {
  fileprivate init(_ school: FeedImportedSchool) throws(ConsoleFieldFault) {
    guard let id = SchoolID(school.id), let level = SchoolLevel(name: school.level) else {
      throw ConsoleFieldFault("schools: each has an id and a level")
    }
    do throws(SchoolFault) {
      try self.init(
        id: id,
        name: school.name,
        level: level,
        region: school.region,
        address: school.address,
        isClosed: school.closed
      )
    } catch {
      throw ConsoleFieldFault("school \(id): \(error)")
    }
  }
}
