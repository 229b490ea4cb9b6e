// The lists and the webhook in an operator's request to import or to add them, as the rules have them. Pure.
import ConsoleProtocol
import Game
import Store

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

extension OfferedFence {
  init(_ offered: FeedOfferedFence) throws(ConsoleFieldFault) {
    guard offered.ringLatE7.count == offered.ringLngE7.count else {
      throw ConsoleFieldFault("ringLatE7, ringLngE7: columns of equal length")
    }
    let shape: Shape
    switch (offered.hasLatE7, offered.hasLngE7, offered.hasRadiusMm, offered.ringLatE7.isEmpty) {
    case (true, true, true, true):
      let center = Coordinate(latE7: offered.latE7, lngE7: offered.lngE7)
      shape = .circle(center, radiusMm: Int64(offered.radiusMm))
    case (false, false, false, false):
      shape = .ring(zip(offered.ringLatE7, offered.ringLngE7).map { Coordinate(latE7: $0, lngE7: $1) })
    default:
      throw ConsoleFieldFault("fences: each has latE7, lngE7 and radiusMm, or ringLatE7 and ringLngE7")
    }
    self.init(
      id: try offered.fenceID.fenceID,
      name: offered.name,
      topic: offered.topic,
      shape: shape,
      dwellS: offered.hasDwellS ? Int64(offered.dwellS) : nil,
      opensAt: offered.hasOpensAtMs ? Instant(milliseconds: offered.opensAtMs) : nil,
      closesAt: offered.hasClosesAtMs ? Instant(milliseconds: offered.closesAtMs) : nil
    )
  }
}

extension SchoolCorrection {
  init(_ edit: FeedEditSchool) throws(ConsoleFieldFault) {
    guard let id = SchoolID(edit.school) else { throw ConsoleFieldFault("school: an identifier of the list") }
    do throws(SchoolFault) {
      try self.init(
        id: id,
        name: edit.hasName ? edit.name : nil,
        isClosed: edit.hasClosed ? edit.closed : nil
      )
    } catch {
      throw ConsoleFieldFault("school \(id): \(error)")
    }
  }
}

extension OfferedWebhook {
  init(_ offered: FeedAddWebhook) throws(ConsoleFieldFault) {
    var types: Set<WebhookEventType> = []
    for name in offered.events {
      guard let type = WebhookEventType(name: name) else {
        throw ConsoleFieldFault("events: \(name) is no type of events: \(WebhookEventType.offeredNames)")
      }
      types.insert(type)
    }
    guard !types.isEmpty else { throw ConsoleFieldFault("events: at least one") }
    self.init(url: offered.url, name: offered.name, types: types)
  }
}

extension ConsoleRequest {
  /// Reads a part of an edition of schools.
  static func schools(_ id: Int32, _ bytes: [UInt8]) throws -> ConsoleRequest {
    let part = try FeedImportSchools(consoleJSON: bytes)
    return .schools(id, try part.schools.map(School.init), isFirst: part.first, isLast: !part.more)
  }
}

extension OperatorAction {
  /// Reads a whole edition of schools.
  static func edition(_ bytes: [UInt8]) throws -> OperatorAction {
    let schools = try FeedImportSchools(consoleJSON: bytes).schools
    guard schools.count <= School.editionMax else {
      throw ConsoleFieldFault("schools: an edition has at most \(School.editionMax) schools")
    }
    return .importSchools(try schools.map(School.init))
  }
}

extension School {
  /// The bound on an edition, a few times a country's.
  static let editionMax = 50_000

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
