// Files of fences: what becomes of each feature, and by what it is known.
import Foundation
import Game
import Testing
import Commands

@Suite("A GeoJSON file of fences")
struct FenceOfferTests {
  private static let square = "[[126.7,37.5],[126.701,37.5],[126.701,37.501],[126.7,37.501],[126.7,37.5]]"

  private func offers(_ features: String...) throws -> [FenceOffer] {
    let text = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    return try FenceOffer.all(inGeoJSON: Data(text.utf8))
  }

  private func point(_ properties: String, id: String? = nil, at position: String = "[126.978,37.5665]") -> String {
    feature(properties, id: id, #"{"type":"Point","coordinates":\#(position)}"#)
  }

  private func polygon(_ properties: String, id: String? = nil, _ rings: String...) -> String {
    feature(properties, id: id, #"{"type":"Polygon","coordinates":[\#(rings.joined(separator: ","))]}"#)
  }

  private func feature(_ properties: String, id: String?, _ geometry: String) -> String {
    let id = id.map { #""id":\#($0),"# } ?? ""
    return #"{"type":"Feature",\#(id)"properties":{\#(properties)},"geometry":\#(geometry)}"#
  }

  private func fence(_ feature: String) throws -> Fence { try #require(offers(feature).first).fence.get() }

  private func refusal(_ offer: FenceOffer?) -> String? {
    guard case .failure(let refusal) = offer?.fence else { return nil }
    return refusal.description
  }

  @Test("A point with a radius is a circle, with all its properties")
  func circle() throws {
    let properties = """
      "name":"남문","topic":"gate","radiusM":12.345,"dwellS":60,"opensAt":"2026-12-24T18:00:00+09:00",\
      "closesAt":"2026-12-24T15:00:00.5Z","colour":"red"
      """
    let fence = try fence(point(properties, at: "[126.97800004,37.56650006,80]"))
    let center = Coordinate(latE7: 375_665_001, lngE7: 1_269_780_000)
    #expect(fence.shape == .circle(try FenceCircle(center: center, radiusMm: 12_345)))
    #expect(fence.name == "남문" && fence.topic == "gate" && fence.dwellS == 60)
    #expect(fence.opensAt == Instant(rfc3339: "2026-12-24T09:00:00Z"))
    #expect(fence.closesAt?.utc == "2026-12-24T15:00:00.500Z")
    for radius in ["5", "5.0", "5.001", "49999.999", "50000", "5e4", "100.00000000000001"] {
      #expect(refusal(try offers(point(#""name":"a","radiusM":\#(radius)"#)).first) == nil, "\(radius)")
    }
  }

  @Test("A property that is null is as good as none")
  func null() throws {
    let bare = try fence(point(#""name":"a","radiusM":5"#))
    let properties = #""name":"a","radiusM":5,"topic":null,"dwellS":null,"opensAt":null,"closesAt":null"#
    #expect(try fence(point(properties, id: "null")) == bare)
    #expect(bare.topic.isEmpty && bare.dwellS == nil && bare.opensAt == nil && bare.closesAt == nil)
  }

  @Test("A polygon has one ring; each of a MultiPolygon's is a fence of its own, with a number, or it is refused whole")
  func polygons() throws {
    let one = try fence(polygon(#""name":"뜰""#, Self.square))
    guard case .polygon(let shape) = one.shape else { throw Unexpected() }
    #expect(shape.corners.count == 4 && shape.corners[2] == Coordinate(latE7: 375_010_000, lngE7: 1_267_010_000))
    let other = Self.square.replacing("37.5", with: "38.5")
    let faulty = #"{"type":"MultiPolygon","coordinates":[[\#(Self.square)],[\#(other),\#(other)],[\#(other)]]}"#
    let refused = try offers(feature(#""name":"뜰""#, id: nil, faulty))
    #expect(refused.map(\.title) == (0..<3).map { "feature 0 \"뜰\", polygon \($0)" })
    let part = "another polygon of the feature is refused"
    #expect(refused.map(refusal) == [part, "a polygon with holes", part])
    let middle = Self.square.replacing("37.5", with: "39.5")
    let multi = #"{"type":"MultiPolygon","coordinates":[[\#(Self.square)],[\#(middle)],[\#(other)]]}"#
    let parts = try offers(feature(#""name":"뜰""#, id: nil, multi))
    #expect(parts.map(\.title) == (0..<3).map { "feature 0 \"뜰\", polygon \($0)" })
    let (first, third) = (try parts[0].fence.get(), try parts[2].fence.get())
    #expect([first.name, third.name] == ["뜰 1", "뜰 3"] && first.id != third.id)
    let named = try offers(feature(#""name":"뜰""#, id: "7", multi))
    #expect(try named[0].fence.get().name == "뜰 1" && named[0].fence.get().id != first.id)
    // The only polygon has no number.
    let single = #"{"type":"MultiPolygon","coordinates":[[\#(Self.square)]]}"#
    #expect(try fence(feature(#""name":"뜰""#, id: nil, single)) == one)
  }

  @Test("A fence is known by its feature's id, a text or a number, and without one by its name")
  func identifiers() throws {
    let id = { (id: String?, name: String) in
      try fence(point(#""name":"\#(name)","radiusM":5"#, id: id)).id
    }
    #expect(try id(nil, "남문").description == "53e0b6a7f93b39c5104180df90a4edf7")
    #expect(try id(#""7""#, "남문") == id("7", "북문") && id("7", "a") == id("7.0", "a"))
    let all = try [
      id(nil, "7"), id("7", "a"), id("8", "a"), id("7.5", "a"), id(nil, "a"), id(#""""#, "a"),
      id("-9223372036854775808", "a"), id("18446744073709551615", "a"), id("1e30", "a"),
    ]
    #expect(Set(all).count == all.count)
    for bad in ["true", "[]", "{}"] {
      #expect(
        refusal(try offers(point(#""name":"a","radiusM":5"#, id: bad)).first) == "its id is neither a text nor a number"
      )
    }
  }

  @Test("Of two sound features with one identifier the second is refused, which names the first")
  func repeated() throws {
    let offers = try offers(
      point(#""name":"a","radiusM":1"#),
      point(#""name":"a","radiusM":5"#),
      point(#""name":"a","radiusM":6"#),
      point(#""name":"b","radiusM":6"#, id: "7"),
      point(#""name":"c","radiusM":6"#, id: #""7""#)
    )
    #expect(
      offers.map(refusal) == [
        "a radius of 1000 mm is not within 5 m to 50 km", nil, #"feature 1 "a" has the same identifier"#, nil,
        #"feature 3 "b" has the same identifier"#,
      ]
    )
  }

  @Test(
    "A property that is none of its kind is refused by its name",
    arguments: [
      (#""radiusM":5"#, "it has no name among its properties"),
      (#""name":5,"radiusM":5"#, "it has no name among its properties"),
      (#""name":"","radiusM":5"#, "its name: the text is empty"),
      (#""name":"a\u0007","radiusM":5"#, "its name: the text has a control character"),
      (#""name":"a""#, "a Point needs its radius in metres among its properties, as radiusM"),
      (#""name":"a","radiusM":"5""#, "its radiusM is no number of metres with at most three decimals"),
      (#""name":"a","radiusM":true"#, "its radiusM is no number of metres with at most three decimals"),
      (#""name":"a","radiusM":5.0001"#, "its radiusM is no number of metres with at most three decimals"),
      (#""name":"a","radiusM":1e300"#, "its radiusM is no number of metres with at most three decimals"),
      (#""name":"a","radiusM":-5"#, "a radius of -5000 mm is not within 5 m to 50 km"),
      (#""name":"a","radiusM":4.999"#, "a radius of 4999 mm is not within 5 m to 50 km"),
      (#""name":"a","radiusM":50000.001"#, "a radius of 50000001 mm is not within 5 m to 50 km"),
      (#""name":"a","radiusM":5,"topic":5"#, "its topic is no text"),
      (#""name":"a","radiusM":5,"topic":" ""#, "its topic: the text is only white space"),
      (#""name":"a","radiusM":5,"dwellS":"60""#, "its dwellS is no whole number of seconds"),
      (#""name":"a","radiusM":5,"dwellS":0.5"#, "its dwellS is no whole number of seconds"),
      (#""name":"a","radiusM":5,"dwellS":true"#, "its dwellS is no whole number of seconds"),
      (#""name":"a","radiusM":5,"dwellS":86401"#, "86401 s of dwelling is not within 1 to 86400 s"),
      (#""name":"a","radiusM":5,"opensAt":5"#, "its opensAt is no time like 2026-11-21T09:00:00+09:00"),
      (#""name":"a","radiusM":5,"closesAt":"2026-12-24""#, "its closesAt is no time like 2026-11-21T09:00:00+09:00"),
      (
        #""name":"a","radiusM":5,"closesAt":"1969-12-31T23:59:59Z""#,
        "its opening or closing is before 1970 or too far ahead"
      ),
      (
        #""name":"a","radiusM":5,"opensAt":"2026-01-01T00:00:00Z","closesAt":"2026-01-01T09:00:00+09:00""#,
        "it closes before it opens"
      ),
    ]
  )
  func properties(properties: String, reason: String) throws {
    #expect(refusal(try offers(point(properties)).first) == reason)
  }

  @Test(
    "A geometry that is no fence's is refused with the reason",
    arguments: [
      (#"null"#, "a feature without geometry is neither a Point nor a Polygon nor a MultiPolygon"),
      (#"{"type":"LineString","coordinates":[]}"#, "LineString is neither a Point nor a Polygon nor a MultiPolygon"),
      (#"{"type":"Point"}"#, "its coordinates are not those of its geometry"),
      (#"{"type":"Point","coordinates":[1]}"#, "its coordinates are not those of its geometry"),
      (#"{"type":"Point","coordinates":[true,1]}"#, "its coordinates are not those of its geometry"),
      (#"{"type":"Point","coordinates":["1","1"]}"#, "its coordinates are not those of its geometry"),
      (#"{"type":"Point","coordinates":[0,85.1]}"#, "coordinate 0 is beyond 85° north or south"),
      (
        #"{"type":"Point","coordinates":[180.1,0]}"#,
        "coordinate 0 is not on Earth: up to 180° east and west, 90° north and south"
      ),
      (
        #"{"type":"Point","coordinates":[0,1e300]}"#,
        "coordinate 0 is not on Earth: up to 180° east and west, 90° north and south"
      ),
      (#"{"type":"Polygon","coordinates":[]}"#, "its coordinates are not those of its geometry"),
      (#"{"type":"Polygon","coordinates":[[]]}"#, "the polygon has fewer than three different corners"),
      (#"{"type":"Polygon","coordinates":[[[1,1],5]]}"#, "its coordinates are not those of its geometry"),
      (#"{"type":"MultiPolygon","coordinates":[]}"#, "its coordinates are not those of its geometry"),
      (#"{"type":"MultiPolygon","coordinates":[5]}"#, "its coordinates are not those of its geometry"),
      (
        #"{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0]]]}"#,
        "the polygon is not closed: its last coordinate is not its first"
      ),
      (
        #"{"type":"Polygon","coordinates":[[[0,0],[0.01,0.01],[0.01,0],[0,0.01],[0,0]]]}"#,
        "the polygon crosses or touches itself: the sides that begin at coordinates 0 and 2 meet"
      ),
      (
        #"{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,0]]]}"#,
        "coordinate 1 is more than 100 km from the first"
      ),
      (
        #"{"type":"Polygon","coordinates":[[[0,0],[0.00001,0],[0.00001,1e-5],[0,0]]]}"#,
        "its area divided by its perimeter is 162 mm, less than 1 m"
      ),
    ]
  )
  func geometries(geometry: String, reason: String) throws {
    #expect(refusal(try offers(feature(#""name":"a","radiusM":5"#, id: nil, geometry)).first) == reason)
  }

  @Test("A fence's text over 64 KiB is refused; white space, and the other polygons of a feature, are not counted")
  func size() throws {
    let long = String(repeating: "x", count: 65_536)
    let tooLong = try #require(refusal(try offers(point(#""name":"a","radiusM":5,"note":"\#(long)""#)).first))
    #expect(tooLong.hasPrefix("the fence has 655") && tooLong.hasSuffix("bytes, more than 65536"))
    let blank = String(repeating: " ", count: 65_536)
    #expect(refusal(try offers(point(#""name":"a",\#(blank)"radiusM":5"#)).first) == nil)

    // A ring of a thousand corners is sound, and three of them have more than 64 KiB.
    let ring = { (count: Int, latitude: Double) -> String in
      let corners = (0..<count).map { step -> String in
        let angle = 2 * Double.pi * Double(step % (count - 1)) / Double(count - 1)
        return "[\(127 + cos(angle) / 9),\(latitude + sin(angle) / 9)]"
      }
      return "[\(corners.joined(separator: ","))]"
    }
    let rings = [36.0, 37, 38].map { "[\(ring(1_001, $0))]" }.joined(separator: ",")
    let parts = try offers(feature(#""name":"a""#, id: nil, #"{"type":"MultiPolygon","coordinates":[\#(rings)]}"#))
    #expect(parts.map(refusal) == [nil, nil, nil])
    #expect(
      refusal(try offers(polygon(#""name":"a""#, ring(1_002, 37))).first)
        == "the polygon has 1001 vertices, more than 1000"
    )
    #expect(refusal(try offers(polygon(#""name":"a""#, ring(4_000, 37))).first)?.hasPrefix("the fence has ") == true)
  }

  @Test(
    "A file that is no GeoJSON is reported",
    arguments: [
      ("{", "it is not JSON"), ("", "it is not JSON"),
      ("{\n  \"type\": Point}", "it is not JSON around line 2, column 11"), ("[]", "it has no type"),
      ("{}", "it has no type"),
      (#"{"type":"FeatureCollection"}"#, "it has no features"),
      (#"{"type":"Point"}"#, "it is neither a FeatureCollection nor a Feature but a Point"),
    ]
  )
  func noGeoJSON(text: String, reason: String) {
    #expect(throws: GeoJSON.Fault.self) { try FenceOffer.all(inGeoJSON: Data(text.utf8)) }
    do { _ = try FenceOffer.all(inGeoJSON: Data(text.utf8)) } catch { #expect(error.reason == reason) }
  }

  @Test("A latitude before a longitude is told by its place")
  func swapped() throws {
    let hint = "is beyond the poles: GeoJSON has the longitude first, then the latitude"
    #expect(
      refusal(try offers(point(#""name":"a","radiusM":5"#, at: "[37.5665,126.978]")).first)
        == "the latitude of coordinate 0 \(hint)"
    )
    let ring = "[[126.7,37.5],[37.5,126.701],[126.701,37.501],[126.7,37.5]]"
    #expect(
      refusal(try offers(polygon(#""name":"a""#, ring)).first) == "the latitude of coordinate 1 \(hint)"
    )
  }

  @Test("A broken feature among others is refused, and the others are taken; a single feature is a file too")
  func others() throws {
    let sound = point(#""name":"a","radiusM":5"#)
    #expect(try offers("5", #"{"type":"Feature"}"#, sound).map { refusal($0) == nil } == [false, false, true])
    #expect(try FenceOffer.all(inGeoJSON: Data(sound.utf8)).first?.fence.get().name == "a")
  }

  private struct Unexpected: Error {}
}
