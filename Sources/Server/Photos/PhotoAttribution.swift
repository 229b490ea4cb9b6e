// The attribution of a photo: who made it, as its source or the operator says. Pure.

enum PhotoAttribution {
  static let charactersMax = 300
  /// A character may have any number of marks.
  static let bytesMax = 1_000

  /// One line without control characters and those that turn the direction of text around, cut to its bounds.
  static func line(of text: String) -> String {
    let blank: Unicode.Scalar = " "
    let scalars = text.unicodeScalars.filter { !$0.properties.isBidiControl }.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: blank
      default: scalar
      }
    }
    var line = String.UnicodeScalarView()
    line.append(contentsOf: scalars)
    let words = String(line).split(separator: " ")
    var cut = ""
    for character in words.joined(separator: " ").prefix(charactersMax) {
      guard cut.utf8.count + character.utf8.count <= bytesMax else { break }
      cut.append(character)
    }
    return cut
  }

  /// A display string of a header field (RFC 9651, 3.3.8): ASCII, with other bytes of UTF-8 as `%` and two digits.
  static func displayString(_ text: String) -> String {
    let digits = Array("0123456789abcdef")
    var encoded = "%\""
    for byte in text.utf8 {
      if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "%"), byte != UInt8(ascii: "\"") {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return encoded + "\""
  }
}
