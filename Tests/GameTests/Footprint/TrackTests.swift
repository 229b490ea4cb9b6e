// Footprint games along recorded tracks, compared with a small independent calculation without the rules' integers:
// great circles by libm and a search through all points.
import Foundation
import Game
import Testing

@Suite("Tracks")
struct TrackTests {
  /// Ten tracks of the apps' own test drives, and the footprints of their first 60 s at one fix a second.
  static let recorded: KeyValuePairs = [
    "bupyeongdong-20mph": 61, "bupyeongdong-4_2mph": 21, "bupyeongdong-4mph": 21, "bupyeongdong-5mph": 21,
    "buwon-12kmh": 31, "buwon-5mph": 21, "kookmin-12kmh": 30, "kookmin-30kmh": 36, "workspace-25kmh": 28,
    "workspace-6kmh": 20,
  ]
  /// Two small ones of the project's own.
  static let own: KeyValuePairs = ["yard-loop": 26, "yard-zigzag": 15]

  static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let recordedFolder = package.appending(path: "../shared/data/gpx")

  @Test("The project's own tracks give the expected footprints", arguments: own.map { ($0, $1) })
  func ownTracks(name: String, points: Int) throws {
    try check(Self.package.appending(path: "Tests/GameTests/Tracks/\(name).gpx"), points: points)
  }

  @Test(
    "The recorded tracks give the expected footprints",
    .enabled(if: FileManager.default.fileExists(atPath: recordedFolder.path)),
    arguments: recorded.map { ($0, $1) }
  )
  func recordedTracks(name: String, points: Int) throws {
    try check(Self.recordedFolder.appending(path: "\(name).gpx"), points: points)
  }

  /// Plays the first 60 s of a track alone, and calculates its points independently.
  private func check(_ file: URL, points: Int) throws {
    let fixes = try Track(contentsOf: file).fixes(count: 61)
    var test = try TestRoom(duration: .seconds(70), players: 2)
    test.start()
    for fix in fixes {
      #expect(test.move(0, fix) == nil)
      test.wait(.seconds(1))
    }
    test.wait(.seconds(9))
    test.tick()

    let row = try #require(test.room.board.first)
    #expect(row.seat == 0 && row.rank == 1 && row.won && row.completed)
    #expect(row.points == UInt32(points))
    #expect(row.points == UInt32(Self.footprints(fixes)))
    let distanceM = Self.distanceM(fixes)
    #expect(abs(Double(row.distanceMm) / 1_000 - distanceM) < distanceM * 0.001)
    #expect(row.calories == row.distanceMm / 100)
  }

  private static func footprints(_ fixes: [Fix]) -> Int {
    var scored: [Coordinate] = []
    for fix in fixes {
      let here = Coordinate(latE7: fix.latE7, lngE7: fix.lngE7)
      if scored.allSatisfy({ GeodesyTests.haversineM($0, here) >= 5 }) {
        scored.append(here)
      }
    }
    return scored.count
  }

  private static func distanceM(_ fixes: [Fix]) -> Double {
    let path = fixes.map { Coordinate(latE7: $0.latE7, lngE7: $0.lngE7) }
    return zip(path, path.dropFirst()).map(GeodesyTests.haversineM).filter { $0 <= 100 }.reduce(0, +)
  }
}

/// A track of a GPX file: its `wpt` and `trkpt` elements with their times, in order.
struct Track {
  private var points: [(seconds: Double, lat: Double, lng: Double)] = []

  init(contentsOf file: URL) throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    let pattern = try Regex(#"<(?:wpt|trkpt) lat="([-0-9.]+)" lon="([-0-9.]+)">.*?<time>([^<]+)</time>"#)
      .dotMatchesNewlines()
    for match in text.matches(of: pattern) {
      let fields = match.output.compactMap(\.substring).map(String.init)
      let time = try Date(fields[3], strategy: .iso8601)
      points.append((time.timeIntervalSince1970, try Self.number(fields[1]), try Self.number(fields[2])))
    }
    #expect(points.count > 1)
  }

  /// One fix a second from the track's start, on straight lines between its points; after its end they stand still.
  func fixes(count: Int) -> [Fix] {
    (0..<count).compactMap { second in
      guard let first = points.first, let last = points.last else { return nil }
      let time = min(first.seconds + Double(second), last.seconds)
      guard let end = points.dropFirst().firstIndex(where: { $0.seconds >= time }) else { return nil }
      let (a, b) = (points[end - 1], points[end])
      let part = (time - a.seconds) / (b.seconds - a.seconds)
      return Fix(
        latE7: Int32(((a.lat + (b.lat - a.lat) * part) * 1e7).rounded()),
        lngE7: Int32(((a.lng + (b.lng - a.lng) * part) * 1e7).rounded()),
        accuracyM: 5
      )
    }
  }

  private static func number(_ text: String) throws -> Double {
    try #require(Double(text))
  }
}
