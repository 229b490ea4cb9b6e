// Walks as GPX 1.1, the format of other programs for tracks: a file, a track for each player. Pure. It makes the pieces
// of a file in their order; its caller writes each away, for a whole file may have tens of megabytes.

package enum GPXText {
  /// The begin of a file with this name, of this moment.
  package static func begin(named name: String, at moment: Instant) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="madang" xmlns="http://www.topografix.com/GPX/1/1">
    <metadata><name>\(name.escapedForXML)</name><time>\(moment.utc)</time></metadata>

    """
  }

  /// The begin of a player's track.
  package static func beginTrack(named name: String) -> String {
    "<trk><name>\(name.escapedForXML)</name><trkseg>\n"
  }

  package static func point(_ point: GameTracks.Point) -> String {
    let (lat, lng) = point.coordinate.degrees
    return #"<trkpt lat="\#(lat)" lon="\#(lng)"><time>\#(point.at.utc)</time></trkpt>"# + "\n"
  }

  package static let endTrack = "</trkseg></trk>\n"
  package static let end = "</gpx>\n"
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
