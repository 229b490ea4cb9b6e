// Texts in XML files. Pure.

extension String {
  /// The text as an element of an XML file may hold it.
  ///
  /// Scalar by scalar: to Swift `<` with a mark upon it is another character. U+FFFE and U+FFFF are none to XML.
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
