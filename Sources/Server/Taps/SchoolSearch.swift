// The search for schools. The catalogue is in memory and constant while the server runs, so the answer needs no store.
//
// On the shard's queue, for some tenths of a millisecond.
// Decisions: 068 (docs/decisions).
import Game
import Gateway
import MadangProtocol

extension WireSearchSchools: PageRequest {}

extension Taps {
  func searchSchools(_ wire: WireSearchSchools, _ request: PlayerRequest) {
    let (range, standard) = (Limits.schoolsLimit, Limits.schoolsLimitDefault)
    guard let (limit, cursor) = request.page(of: wire, in: range, default: standard, SchoolCursor.init) else {
      return
    }
    for (field, text) in [("query", wire.query), ("region", wire.region)] {
      guard text.utf8.count <= Limits.schoolQueryBytesMax else {
        return request.refuse(.outOfRange, "\(field): at most \(Limits.schoolQueryBytesMax) bytes")
      }
    }
    let level = SchoolLevel(wire.level)
    guard level != nil || wire.level == .unspecified else {
      return request.refuse(.outOfRange, "level: ELEMENTARY, MIDDLE, HIGH, SPECIAL or OTHER")
    }
    let query = SchoolQuery(wire.query, region: wire.region.isEmpty ? nil : wire.region, level: level)
    guard gateway.payForQuery(request) else { return }
    guard let page = schools.search(query, after: cursor, limit: limit) else {
      return request.refuseCursor()
    }
    var answer = WireSchools()
    answer.schools = page.indices.map { WireSchool(schools.schools[$0]) }
    answer.nextCursor = page.next?.text ?? ""
    request.reply(.schools(answer))
  }
}

extension SchoolCursor {
  /// The cursor's text, which is opaque to clients.
  var text: String { "\(isBeginning ? "b" : "p")-\(school)" }

  /// Reads the text that `text` writes; nil for any other text.
  init?(_ text: String) {
    guard let school = SchoolID(text.dropFirst(2)) else { return nil }
    switch text.prefix(2) {
    case "b-": self.init(isBeginning: true, school: school)
    case "p-": self.init(isBeginning: false, school: school)
    default: return nil
    }
  }
}

extension WireSchool {
  init(_ school: School) {
    self.init()
    schoolID = school.id.description
    name = school.name
    level = WireSchoolLevel(school.level)
    region = school.region
    address = school.address
  }
}

extension WireSchoolLevel {
  init(_ level: SchoolLevel) {
    switch level {
    case .elementary: self = .elementary
    case .middle: self = .middle
    case .high: self = .high
    case .special: self = .special
    case .other: self = .other
    }
  }
}

extension SchoolLevel {
  /// The level; nil for an absent or unknown one.
  init?(_ level: WireSchoolLevel) {
    switch level {
    case .unspecified, .UNRECOGNIZED: return nil
    case .elementary: self = .elementary
    case .middle: self = .middle
    case .high: self = .high
    case .special: self = .special
    case .other: self = .other
    }
  }
}
