// GPX files: the points and times that are read, and the errors for files that can't be.
import Foundation
import Testing
import madang_loadtest

@Suite struct GPXTests {
  private func parse(_ body: String, name: String = "file") throws -> Track {
    let text = """
      <?xml version="1.0"?>
      <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
      \(body)
      </gpx>
      """
    return try GPX.parse(Data(text.utf8), name: name)
  }

  private func point(_ element: String, _ latitude: String, _ longitude: String, _ time: String) -> String {
    "<\(element) lat=\"\(latitude)\" lon=\"\(longitude)\"><ele>3</ele><time>\(time)</time></\(element)>\n"
  }

  private func complaint(_ body: String) -> String? {
    do {
      _ = try parse(body)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("Track points of all segments are read in order, with seconds counted from the first")
  func trackPoints() throws {
    let track = try parse(
      "<metadata><name>not this</name><time>2000-01-01T00:00:00Z</time></metadata><trk><name>the way</name><trkseg>"
        + point("trkpt", "37.5", "127", "2024-02-28T23:59:50Z")
        + point("trkpt", "37.6", "126.5", "2024-02-29T00:00:00Z")
        + "</trkseg><trkseg>" + point("trkpt", "-33.25", "-70.125", "2024-02-29T00:01:00Z") + "</trkseg></trk>"
    )
    #expect(track.name == "the way")
    #expect(
      track.points == [
        Track.Point(seconds: 0, coordinate: Coordinate(latitude: 37.5, longitude: 127)),
        Track.Point(seconds: 10, coordinate: Coordinate(latitude: 37.6, longitude: 126.5)),
        Track.Point(seconds: 70, coordinate: Coordinate(latitude: -33.25, longitude: -70.125)),
      ]
    )
  }

  @Test("Without track points the way points form the track, and the file's name is its name")
  func wayPoints() throws {
    let two = point("wpt", "1", "2", "2024-01-01T00:00:00Z") + point("wpt", "3", "4", "2024-01-01T00:00:05Z")
    let track = try parse(two, name: "harbour")
    #expect(track.name == "harbour")
    #expect(track.points.map(\.seconds) == [0, 5])
    let both = try parse(two + "<trk><trkseg>" + point("trkpt", "5", "6", "2024-01-01T00:00:00Z") + "</trkseg></trk>")
    #expect(both.points.map(\.coordinate) == [Coordinate(latitude: 5, longitude: 6)])
  }

  @Test(
    "Times are read with and without fractions, and with an offset",
    arguments: [
      ("2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z", 1),
      ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00.250Z", 0.25),
      ("2024-01-01T00:00:00.5Z", "2024-01-01T00:00:02Z", 1.5),
      ("2024-01-01T00:00:00.125Z", "2024-01-01T00:00:00.375Z", 0.25),
      ("2024-01-01T09:00:00+09:00", "2024-01-01T00:00:03Z", 3),
      (" 2024-01-01T00:00:00Z\n", "2024-01-01T00:00:00Z", 0),
    ]
  )
  func times(first: String, second: String, seconds: Double) throws {
    let track = try parse(point("wpt", "1", "2", first) + point("wpt", "1", "2", second))
    #expect(abs(track.points[1].seconds - seconds) < 1e-6)
  }

  @Test("An error is reported with its file and line")
  func complaints() {
    let good = point("wpt", "1", "2", "2024-01-01T00:00:00Z")
    let bad: [(String, String)] = [
      (
        good + "<wpt lat=\"91\" lon=\"0\">\n<time>2024-01-01T00:00:00Z</time></wpt>",
        "file: line 4: wpt without a valid"
      ),
      (good + "<wpt lat=\"0\" lon=\"-180.1\"></wpt>", "file: line 4: wpt without a valid lat and lon"),
      (good + "<wpt lat=\"nan\" lon=\"0\"></wpt>", "file: line 4: wpt without a valid lat and lon"),
      (good + "<wpt lon=\"0\"></wpt>", "file: line 4: wpt without a valid lat and lon"),
      (good + good + "<wpt lat=\"0\" lon=\"0\"></wpt>", "file: line 5: wpt without a time"),
      (good + point("wpt", "1", "2", "yesterday"), "file: line 4: yesterday is no time"),
      (point("wpt", "1", "2", "2024-13-01T00:00:00Z"), "file: line 3: 2024-13-01T00:00:00Z is no time"),
      ("", "file: no trkpt and no wpt"),
      (point("wpt", "1", "2", "2024-01-01T00:00:01Z") + good, "file: its times go back"),
      ("<trk>\n<trkseg>\n</trk>", "file: line 5: not XML"),
      (good + "<trk>", "file: line 5: not XML"),
    ]
    for (body, beginning) in bad {
      let message = complaint(body)
      #expect(message?.hasPrefix(beginning) == true, "\(message ?? "no complaint") instead of \(beginning)")
    }
  }

  @Test("A file that is missing or not XML is reported by its name")
  func noFile() {
    #expect {
      _ = try GPX.parse(Data("no track".utf8), name: "notes")
    } throws: { "\($0)".hasPrefix("notes: line 1: not XML") }
    #expect {
      let text = "<gpx>\n" + point("wpt", "1", "2", "2024-01-01T00:00:00Z")
      _ = try GPX.parse(Data(text.utf8), name: "cut off")
    } throws: { "\($0)" == "cut off: line 2: not XML" }
    #expect {
      _ = try GPX.read("/nowhere/at all.gpx")
    } throws: { "\($0)" == "/nowhere/at all.gpx: can't be read" }
  }

  private static let recordings: [String] = {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folder = "\(root)/../shared/data/gpx"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".gpx") }.sorted().map { "\(folder)/\($0)" }
  }()

  @Test("Recorded files are read whole", .enabled(if: !recordings.isEmpty), arguments: recordings)
  func recording(path: String) throws {
    let track = try GPX.read(path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(track.points.count == text.ranges(of: "<wpt ").count + text.ranges(of: "<trkpt ").count)
    #expect(track.points[0].seconds == 0)
    #expect(try #require(track.points.last).seconds > 0)
    #expect(path.hasSuffix("/\(track.name).gpx"))
    // All of these tracks lie in and around Seoul.
    for point in track.points {
      #expect((37...38).contains(point.coordinate.latitude))
      #expect((126...128).contains(point.coordinate.longitude))
    }
  }
}
