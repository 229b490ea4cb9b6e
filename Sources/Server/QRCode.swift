// The QR of a room: a phone's camera reads it to join.
//
// Pure values; libqrencode draws the modules, this draws the pictures.
import CQREncode

package struct QRCode {
  /// Modules in a side, without the quiet zone.
  package let side: Int
  private let modules: [Bool]
  /// Light modules around, as the standard requires.
  private static let quietZone = 4

  /// Nil when the text is too long for a QR: over 3,391 characters of the smaller kind.
  ///
  /// - Parameter text: the code's content. Upper-case letters, digits and `$%*+-./:` alone make a smaller code.
  package init?(_ text: String) {
    // Case-sensitive, or the encoder turns small letters into capitals; it chooses the alphanumeric mode by itself.
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(code) }
    guard let data = code.pointee.data else { return nil }
    let width = Int(code.pointee.width)
    side = width
    // The lowest bit of a module's byte is set for a dark one.
    modules = (0..<width * width).map { data[$0] & 1 == 1 }
  }

  private func isDark(_ row: Int, _ column: Int) -> Bool {
    guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
    return modules[row * side + column]
  }

  /// An SVG picture, a unit a module; one path, a run of dark modules a rectangle.
  package var svg: String {
    let size = side + 2 * Self.quietZone
    var path = ""
    for row in 0..<side {
      var column = 0
      while column < side {
        let start = column
        while isDark(row, column) { column += 1 }
        if column > start {
          path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(column - start)v1h-\(column - start)z"
        }
        column += 1
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
      <rect width="\(size)" height="\(size)" fill="#fff"/><path d="\(path)"/></svg>

      """
  }

  /// A PNG of 1200 × 630 points, the form of link previews, with the code in its middle.
  package var png: [UInt8] {
    let (width, height) = (1_200, 630)
    let size = side + 2 * Self.quietZone
    // The largest QR has 177 modules in a side.
    let scale = (height - 60) / size
    let (left, top) = ((width - scale * size) / 2, (height - scale * size) / 2)
    var image = PaletteImage(width: width, height: height)
    image.fill(x: left, y: top, width: scale * size, height: scale * size, colour: 1)
    for row in 0..<side {
      for column in 0..<side where isDark(row, column) {
        let (x, y) = (left + scale * (column + Self.quietZone), top + scale * (row + Self.quietZone))
        image.fill(x: x, y: y, width: scale, height: scale, colour: 2)
      }
    }
    return image.png(colours: [0x1F7A4D, 0xFFFFFF, 0x000000])
  }

  /// The code for a terminal, two modules a character, light on any background.
  package var terminal: String {
    var text = ""
    for row in stride(from: -Self.quietZone, to: side + Self.quietZone, by: 2) {
      text += "\u{1B}[30;47m"
      for column in -Self.quietZone..<side + Self.quietZone {
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (true, true): text += "█"
        case (true, false): text += "▀"
        case (false, true): text += "▄"
        case (false, false): text += " "
        }
      }
      text += "\u{1B}[0m\n"
    }
    return text
  }
}
