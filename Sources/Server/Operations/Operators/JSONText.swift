// JSON for operators, written member by member. A value; never on the path of a message.

struct JSONText {
  private(set) var bytes: [UInt8] = []

  init() {}

  /// A value that is JSON already.
  init(json bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// An object with the members that `body` writes.
  static func object(_ body: (inout JSONText) -> Void) -> JSONText {
    var text = JSONText()
    text.bytes.append(UInt8(ascii: "{"))
    body(&text)
    text.bytes.append(UInt8(ascii: "}"))
    return text
  }

  static func array(_ values: [JSONText]) -> JSONText {
    var text = JSONText()
    text.bytes.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { text.bytes.append(UInt8(ascii: ",")) }
      text.bytes += value.bytes
    }
    text.bytes.append(UInt8(ascii: "]"))
    return text
  }

  mutating func member(_ name: String, _ value: some BinaryInteger) { member(name, raw: String(value)) }
  mutating func member(_ name: String, _ value: Bool) { member(name, raw: value ? "true" : "false") }
  mutating func member(_ name: String, _ value: String) { member(name, raw: Self.quoted(value)) }

  /// Writes a member in seconds, from microseconds.
  mutating func member(_ name: String, seconds microseconds: Int64) { member(name, raw: Self.seconds(microseconds)) }

  mutating func member(_ name: String, _ value: JSONText) {
    key(name)
    bytes += value.bytes
  }

  /// Writes all members of a non-empty object.
  mutating func members(of object: JSONText) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes += object.bytes.dropFirst().dropLast()
  }

  mutating func member(_ name: String, _ values: [JSONText]) { member(name, .array(values)) }

  private mutating func member(_ name: String, raw: String) {
    key(name)
    bytes += raw.utf8
  }

  private mutating func key(_ name: String) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes += Self.quoted(name).utf8
    bytes.append(UInt8(ascii: ":"))
  }

  /// Seconds with six decimals: whole microseconds.
  private static func seconds(_ microseconds: Int64) -> String {
    let fraction = String(microseconds.magnitude % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.count)
    return "\(microseconds < 0 ? "-" : "")\(microseconds.magnitude / 1_000_000).\(zeros)\(fraction)"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
