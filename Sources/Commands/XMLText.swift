// Texts in XML files. Pure.

extension String {
  /// The text as an element of an XML file may hold it.
  ///
  /// It works by scalars: to Swift `<` with a combining mark is another character. XML does not allow U+FFFE and
  /// U+FFFF.
  var escapedForXML: String {
    unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
