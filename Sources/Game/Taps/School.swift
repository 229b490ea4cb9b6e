// A school of the national list, as its newest edition describes it. A value that exists only when it can be shown: its
// texts are bounded and in Unicode's normal form C. The importer knows the lists and their formats.

/// A school.
package struct School: Hashable, Sendable {
  package static let nameCharactersMax = 100
  package static let regionCharactersMax = 40
  package static let addressCharactersMax = 200
  /// The bound of bytes per character, since a character may have any length.
  private static let characterBytesMax = 4

  package let id: SchoolID
  package let name: String
  package let level: SchoolLevel
  /// The province or metropolitan city, for example `서울특별시`; empty where the list has none.
  package let region: String
  /// The address; empty where the list has none.
  package let address: String
  /// Whether the school is closed: nobody can find or choose it any more, and its counts stay.
  package let isClosed: Bool

  /// A school with these texts, trimmed of white space.
  /// - Throws: The fault of a text that can't be shown.
  package init(
    id: SchoolID,
    name: String,
    level: SchoolLevel,
    region: String,
    address: String,
    isClosed: Bool = false
  ) throws(SchoolFault) {
    self.id = id
    self.name = try Self.text(name, charactersMax: Self.nameCharactersMax) { .name($0) }
    self.level = level
    self.region = try Self.optionalText(region, charactersMax: Self.regionCharactersMax) { .region($0) }
    self.address = try Self.optionalText(address, charactersMax: Self.addressCharactersMax) { .address($0) }
    self.isClosed = isClosed
  }

  private static func optionalText(
    _ text: String,
    charactersMax: Int,
    _ fault: (TextFault) -> SchoolFault
  ) throws(SchoolFault) -> String {
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return "" }
    return try Self.text(text, charactersMax: charactersMax, fault)
  }

  private static func text(
    _ text: String,
    charactersMax: Int,
    _ fault: (TextFault) -> SchoolFault
  ) throws(SchoolFault) -> String {
    let scalars = text.normalFormC.unicodeScalars
    let first = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.startIndex
    let last = scalars.lastIndex { !$0.properties.isWhitespace }.map(scalars.index(after:)) ?? first
    let trimmed = String(scalars[first..<last])
    do throws(TextFault) {
      try TextFault.check(trimmed, charactersMax: charactersMax, bytesMax: characterBytesMax * charactersMax)
    } catch {
      throw fault(error)
    }
    guard trimmed.unicodeScalars.allSatisfy(\.isPlain) else { throw fault(.controlCharacter) }
    return trimmed
  }

  /// The same school, closed.
  package var closed: School { School(self, isClosed: true) }

  private init(_ other: School, isClosed: Bool) {
    id = other.id
    name = other.name
    level = other.level
    region = other.region
    address = other.address
    self.isClosed = isClosed
  }
}

extension Unicode.Scalar {
  /// Whether the character neither changes how a line is shown nor looks different to different readers. Unlike a
  /// player's own text, a list's texts are shown to everybody, and no school's name needs a joiner.
  fileprivate var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: false
    default: true
    }
  }
}

/// The reason why something is no school.
package enum SchoolFault: Error, Hashable, Sendable, CustomStringConvertible {
  case name(TextFault)
  case region(TextFault)
  case address(TextFault)

  package var description: String {
    switch self {
    case .name(let fault): "its name: \(fault)"
    case .region(let fault): "its region: \(fault)"
    case .address(let fault): "its address: \(fault)"
    }
  }
}
