// The fields of requests about capsules: checked one by one, each with its own refusal. Pure.
import Game
import MadangProtocol
import Store

/// The reason why a request about a capsule is refused.
struct CapsuleRefusal: Error {
  let code: WireErrorCode
  /// Nil for the code's own text.
  let text: String?

  init(_ code: WireErrorCode, _ text: String? = nil) {
    self.code = code
    self.text = text
  }

  init(_ fault: CapsuleFault) {
    switch fault {
    case .title(let fault): self.init(fault, in: "title")
    case .text(let fault): self.init(fault, in: "text")
    case .tooManyPictures: self.init(.tooManyPictures)
    case .dateInFuture: self.init(.dateAhead)
    }
  }

  private init(_ fault: TextFault, in field: String) {
    switch fault {
    case .empty, .onlyWhiteSpace: self.init(.textEmpty, "\(field): \(fault)")
    case .tooLong, .tooManyBytes: self.init(.textTooLong, "\(field): \(fault)")
    case .controlCharacter, .lineBreak: self.init(.outOfRange, "\(field): \(fault)")
    }
  }
}

enum CapsuleField {
  static func id(_ text: String) throws(CapsuleRefusal) -> CapsuleID {
    guard let id = CapsuleID(text) else { throw CapsuleRefusal(.capsuleNotFound) }
    return id
  }

  static func title(_ title: String) throws(CapsuleRefusal) -> String {
    try checked { () throws(CapsuleFault) in try CapsuleRules.title(title) }
  }

  static func text(_ text: String) throws(CapsuleRefusal) -> String {
    try checked { () throws(CapsuleFault) in try CapsuleRules.text(text) }
  }

  /// The pictures of some identifiers; the commit says whether they are the owner's.
  static func pictures(_ ids: [String]) throws(CapsuleRefusal) -> [MediaID] {
    try checked { () throws(CapsuleFault) in try CapsuleRules.check(pictures: ids.count) }
    var pictures: [MediaID] = []
    for id in ids {
      guard let picture = MediaID(id) else { throw CapsuleRefusal(.mediaNotFound) }
      pictures.append(picture)
    }
    return pictures
  }

  /// A day like `2026-11-21`, as a number from 1970-01-01 on.
  static func day(_ text: String, at now: Instant) throws(CapsuleRefusal) -> Int64 {
    guard let day = CivilDate(checking: text)?.number else {
      throw CapsuleRefusal(.outOfRange, "memoryDate: a date like 2026-11-21")
    }
    try checked { () throws(CapsuleFault) in try CapsuleRules.check(memoryDay: day, at: now) }
    return day
  }

  /// A place on the 180th meridian has one form, to the west: watches and indices compare places.
  static func place(_ latE7: Int32?, _ lngE7: Int32?) throws(CapsuleRefusal) -> Coordinate {
    guard let latE7, let lngE7, PositionRules.isOnMap(Coordinate(latE7: latE7, lngE7: lngE7)) else {
      throw CapsuleRefusal(.outOfRange, "latE7, lngE7: a place on Earth, up to 85° north and south")
    }
    return Coordinate(latE7: latE7, lngE7: Geodesy.longitudeE7(Int64(lngE7)))
  }

  /// The players of some identifiers; nobody is told which of them exist.
  static func players(_ ids: [String]) throws(CapsuleRefusal) -> [PlayerID] {
    var players: [PlayerID] = []
    for id in ids {
      guard let player = PlayerID(id) else {
        throw CapsuleRefusal(.outOfRange, "withPlayers, withoutPlayers: 32 hexadecimal digits each")
      }
      players.append(player)
    }
    return players
  }

  private static func checked<Checked>(
    _ check: () throws(CapsuleFault) -> Checked
  ) throws(CapsuleRefusal) -> Checked {
    do throws(CapsuleFault) { return try check() } catch { throw CapsuleRefusal(error) }
  }
}
