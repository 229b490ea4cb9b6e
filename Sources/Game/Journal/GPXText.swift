// Walks as GPX 1.1, the format of other programs for tracks: a file, a track for each player. Pure; a value.

package struct GPXText: Sendable {
  private var lines: [String]
  /// The bytes of the text so far.
  package private(set) var byteCount = 0

  /// A file with this name, of this moment.
  package init(named name: String, at moment: Instant) {
    lines = []
    add(#"<?xml version="1.0" encoding="UTF-8"?>"#)
    add(#"<gpx version="1.1" creator="madang" xmlns="http://www.topografix.com/GPX/1/1">"#)
    add("<metadata><name>\(name.escapedForXML)</name><time>\(moment.utc)</time></metadata>")
  }

  /// Adds a player's track.
  package mutating func add(trackNamed name: String, _ points: some Sequence<(at: Instant, coordinate: Coordinate)>) {
    add("<trk><name>\(name.escapedForXML)</name><trkseg>")
    for point in points {
      let (lat, lng) = point.coordinate.degrees
      add(#"<trkpt lat="\#(lat)" lon="\#(lng)"><time>\#(point.at.utc)</time></trkpt>"#)
    }
    add("</trkseg></trk>")
  }

  /// The whole file, without a line's end behind it.
  package var text: String { (lines + ["</gpx>"]).joined(separator: "\n") }

  private mutating func add(_ line: String) {
    byteCount += line.utf8.count + 1
    lines.append(line)
  }
}

extension Coordinate {
  /// Degrees with seven decimals, as text: exact.
  package var degrees: (lat: String, lng: String) { (Self.degrees(latE7), Self.degrees(lngE7)) }

  private static func degrees(_ e7: Int32) -> String {
    let magnitude = UInt64(e7.magnitude)
    let fraction = String(magnitude % 10_000_000)
    let zeros = String(repeating: "0", count: 7 - fraction.count)
    return "\(e7 < 0 ? "-" : "")\(magnitude / 10_000_000).\(zeros)\(fraction)"
  }
}

extension String {
  /// The text as an element of an XML file may hold it.
  ///
  /// It works by scalars: to Swift `<` with a combining mark is another character. XML does not allow U+FFFE and
  /// U+FFFF.
  package var escapedForXML: String {
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
