// Printable texts from files. A file is foreign: it must neither control the operator's terminal nor forge lines. Pure.

extension String {
  /// The beginning of the text, with a mark in place of characters that move a cursor, colour or turn the text.
  package var printable: String { printable(40) }

  /// The first `scalarsMax` scalars of the text, with the same marks.
  package func printable(_ scalarsMax: Int) -> String {
    var text = String.UnicodeScalarView()
    // The bound is in scalars, because a character may be endlessly long.
    for scalar in unicodeScalars.prefix(scalarsMax) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: text.append("\u{FFFD}")
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
