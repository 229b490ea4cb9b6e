// What a file says, as it may be printed: a file is others', and must neither steer the operator's terminal nor forge lines.

extension String {
  /// The beginning, with a mark in place of whatever moves a terminal's cursor, colours it, or turns it around.
  var printable: String { printable(40) }

  /// The same, of a text that may be longer; so many scalars of it.
  func printable(_ scalarsMax: Int) -> String {
    var text = String.UnicodeScalarView()
    // By scalars, for a character may be endlessly long.
    for scalar in unicodeScalars.prefix(scalarsMax) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: text.append("\u{FFFD}")
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
