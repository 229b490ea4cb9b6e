// The elements of HTTP's grammar in heads: tokens, white space, lists (RFC 9110 §5.6). Pure functions. They are strict:
// a text that two readers could read in two ways is not a token here. Nothing is normalised or repaired.

enum HTTPGrammar {
  /// `tchar`, RFC 9110 §5.6.2.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
      UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default:
      false
    }
  }

  /// `token`: one or more `tchar`.
  static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(isTokenByte)
  }

  /// Whether the bytes may form `uri-host [":" port]` (RFC 3986 §3.2.2); may be empty. User information is not allowed.
  static func isHost(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "#"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"): false
      case UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "("), UInt8(ascii: ")"),
        UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
        true
      default: isTokenByte(byte)
      }
    }
  }

  /// The bytes without optional white space (`OWS`: spaces and tabs) at both ends.
  static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    var start = bytes.startIndex
    var end = bytes.endIndex
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    return bytes[start..<end]
  }

  /// The elements of a comma-separated list, trimmed; empty ones are left out (RFC 9110 §5.6.1.2).
  static func listElements(of value: String) -> [String] {
    value.utf8.split(separator: UInt8(ascii: ",")).compactMap { element in
      let rest = element.drop(while: isSpace)
      guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return nil }
      return String(rest[...last])
    }
  }

  /// Whether two strings are equal apart from the case of their ASCII letters.
  static func equalIgnoringCase(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
    left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
