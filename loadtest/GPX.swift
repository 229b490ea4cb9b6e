// GPX 1.1: reads a track's points and times from a file.
//
// Reads `trkpt` and `wpt` in their order; other elements are skipped. Of a file with track points only those are read,
// since its `wpt` are places beside the way.
import Foundation
import FoundationXML

package struct GPXFailure: Error, CustomStringConvertible {
  package let description: String
}

package enum GPX {
  /// - Throws: `GPXFailure` naming the file and its fault.
  package static func read(_ path: String) throws -> Track {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw GPXFailure(description: "\(path): can't be read")
    }
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return try parse(data, name: name)
  }

  package static func parse(_ data: Data, name: String) throws -> Track {
    let reader = PointReader()
    let parser = XMLParser(data: data)
    parser.delegate = reader
    // Some errors only reach the delegate, such as an end tag of another element.
    let isParsed = parser.parse()
    let complaint = reader.complaint ?? (reader.trackPoints.isEmpty ? reader.wayPointComplaint : nil)
    if let complaint { throw GPXFailure(description: "\(name): \(complaint)") }
    guard isParsed else { throw GPXFailure(description: "\(name): line \(parser.lineNumber): not XML") }
    let found = reader.trackPoints.isEmpty ? reader.wayPoints : reader.trackPoints
    guard let first = found.first else { throw GPXFailure(description: "\(name): no trkpt and no wpt") }
    let points = found.map {
      Track.Point(seconds: $0.time.timeIntervalSince(first.time), coordinate: $0.coordinate)
    }
    guard let track = Track(name: reader.name ?? name, points: points) else {
      throw GPXFailure(description: "\(name): its times go back")
    }
    return track
  }
}

private final class PointReader: NSObject, XMLParserDelegate {
  struct Found {
    var coordinate: Coordinate
    var time: Date
  }

  private(set) var trackPoints: [Found] = []
  private(set) var wayPoints: [Found] = []
  private(set) var name: String?
  private(set) var complaint: String?
  /// Matters only when the way points are the way.
  private(set) var wayPointComplaint: String?
  private var open: [String] = []
  private var coordinate: Coordinate?
  private var time: Date?
  private var text = ""
  private let wholeSeconds = Date.ISO8601FormatStyle()
  private let fractions = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  func parser(
    _ parser: XMLParser,
    didStartElement element: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    open.append(element)
    text = ""
    guard element == "trkpt" || element == "wpt" else { return }
    guard
      let latitude = attributes["lat"].flatMap(Double.init), abs(latitude) <= 90,
      let longitude = attributes["lon"].flatMap(Double.init), abs(longitude) <= 180
    else {
      complaint = complaint ?? "line \(parser.lineNumber): \(element) without a valid lat and lon"
      return
    }
    coordinate = Coordinate(latitude: latitude, longitude: longitude)
    time = nil
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    complaint = complaint ?? "line \(parser.lineNumber): not XML"
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    text += string
  }

  func parser(
    _ parser: XMLParser,
    didEndElement element: String,
    namespaceURI: String?,
    qualifiedName: String?
  ) {
    open.removeLast()
    let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch element {
    case "time" where coordinate != nil:
      time = (try? wholeSeconds.parse(value)) ?? (try? fractions.parse(value))
      if time == nil { complaint = complaint ?? "line \(parser.lineNumber): \(value) is no time" }
    case "name" where open.last == "trk":
      name = value
    case "trkpt", "wpt":
      guard let coordinate else { return }
      guard let time else {
        let what = "line \(parser.lineNumber): \(element) without a time"
        if element == "trkpt" { complaint = complaint ?? what } else { wayPointComplaint = wayPointComplaint ?? what }
        return
      }
      let found = Found(coordinate: coordinate, time: time)
      if element == "trkpt" { trackPoints.append(found) } else { wayPoints.append(found) }
      self.coordinate = nil
    default:
      break
    }
  }
}
