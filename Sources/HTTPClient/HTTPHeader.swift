// One header field of a request or a response. A value.

package struct HTTPHeader: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether a request can carry it: the name is a token (RFC 9110 §5.6.2), the value printable ASCII without blanks
  /// at its ends. A line end would begin another field.
  var isSendable: Bool {
    !name.isEmpty && name.utf8.allSatisfy { Self.isTokenByte($0) }
      && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
      && value.utf8.first != 0x20 && value.utf8.last != 0x20
  }

  func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
