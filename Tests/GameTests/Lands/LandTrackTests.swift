// Two real lands and ten recorded tracks around them, at one fix a second: the captures, compared with a small
// independent calculation by libm.
import Foundation
import Game
import Testing

@Suite("Land mode: tracks", .enabled(if: TestLands.areRealOnesHere))
struct LandTrackTests {
  private enum Around {
    static let school = ["bupyeongdong-20mph", "bupyeongdong-4_2mph", "bupyeongdong-4mph", "bupyeongdong-5mph"]
    static let workspace = ["workspace-25kmh", "workspace-6kmh"]
    static let neither = ["buwon-12kmh", "buwon-5mph", "kookmin-12kmh", "kookmin-30kmh"]
  }

  private struct Collection: Decodable {
    struct Feature: Decodable {
      let properties: Properties
      let geometry: Polygon
    }
    struct Properties: Decodable {
      let id: UInt8
      let name: String
    }
    struct Polygon: Decodable {
      let type: String
      let coordinates: [[[Double]]]
    }
    let features: [Feature]
  }

  /// The school, then the workspace.
  private static func lands() throws -> [Land] {
    let collection = try JSONDecoder().decode(Collection.self, from: Data(contentsOf: TestLands.realOnes))
    return try collection.features.map { feature in
      let ring = feature.geometry.coordinates[0].map { place in
        Coordinate(latE7: Int32((place[1] * 1e7).rounded()), lngE7: Int32((place[0] * 1e7).rounded()))
      }
      return Land(
        id: LandID(UInt128(feature.properties.id)),
        name: feature.properties.name,
        vertices: try LandSurvey.vertices(ofRing: ring)
      )
    }
  }

  private static func fixes(_ name: String) throws -> [Fix] {
    let track = try Track(contentsOf: TrackTests.recordedFolder.appending(path: "\(name).gpx"))
    // To its end, and one second of standing there.
    let all = track.fixes(count: 1_800)
    let end = try #require(all.indices.last { all[$0] != all[all.count - 1] })
    return Array(all[...(end + 1)])
  }

  /// Plays a track in a room over both lands. Returns the captured lands, and the first refusal with its second.
  private func play(
    _ fixes: [Fix],
    speedMaxMmPerS: Int? = nil
  ) throws -> (captured: [Int], refused: (verdict: FixVerdict, second: Int)?) {
    let lands = try Self.lands()
    var test = try TestLands.game(lands, speedMaxMmPerS: speedMaxMmPerS)
    var refused: (FixVerdict, Int)?
    for (second, fix) in fixes.enumerated() {
      if let refusal = test.move(0, fix), refused == nil { refused = (refusal, second) }
      test.wait(.seconds(1))
    }
    return (test.captures.compactMap { capture in lands.firstIndex { $0.id == capture.land } }, refused)
  }

  @Test("Both lands are valid: they have their own vertices, with others between where these are far apart")
  func lands() throws {
    let lands = try Self.lands()
    #expect(lands.map(\.name) == ["Bupyeongdong Elementary School", "workspace"])
    for land in lands {
      for (index, vertex) in land.vertices.enumerated() {
        #expect(GeodesyTests.haversineM(vertex, land.vertices[(index + 1) % land.vertices.count]) < 8.001)
      }
    }
    #expect(lands[0].vertices.count >= 143 && lands[1].vertices.count >= 92)
    #expect((400_000..<600_000).contains(lands[0].lengthMm))
    #expect((150_000..<300_000).contains(lands[1].lengthMm))
  }

  @Test("The four Bupyeongdong tracks visit all vertices of that land and capture it", arguments: Around.school)
  func school(name: String) throws {
    let fixes = try Self.fixes(name)
    let missed = try Self.missed(by: fixes, of: Self.lands()[0])
    #expect(missed == 0)
    let played = try play(fixes)
    #expect(played.captured == [0])
    #expect(played.refused == nil)
  }

  @Test("The two workspace tracks capture the other land", arguments: Around.workspace)
  func workspace(name: String) throws {
    let played = try play(try Self.fixes(name))
    #expect(played.captured == [1])
    #expect(played.refused == nil)
  }

  @Test("The Buwon and Kookmin tracks capture nothing", arguments: Around.neither)
  func neither(name: String) throws {
    let played = try play(try Self.fixes(name))
    #expect(played.captured == [])
    #expect(played.refused == nil)
  }

  @Test("Where 5 m/s is the greatest speed, the 20 mph track is set aside within 30 s and captures nothing")
  func tooFast() throws {
    let played = try play(try Self.fixes("bupyeongdong-20mph"), speedMaxMmPerS: 5_000)
    #expect(played.refused?.verdict == .setAside)
    #expect(try #require(played.refused?.second) <= 30)
    #expect(played.captured == [])
  }

  /// The number of vertices without a step of a track within 5 m, by libm on a plane around each vertex.
  private static func missed(by fixes: [Fix], of land: Land) -> Int {
    land.vertices.count { vertex in
      func place(_ fix: Fix) -> SIMD2<Double> {
        let radiansPerE7 = Double.pi / 180 * 1e-7
        return SIMD2(
          (Double(fix.lngE7) - Double(vertex.lngE7)) * cos(Double(vertex.latE7) * radiansPerE7),
          Double(fix.latE7) - Double(vertex.latE7)
        ) * radiansPerE7 * 6_371_008.8
      }
      return !zip(fixes, fixes.dropFirst()).contains { from, to in
        let (a, way) = (place(from), place(to) - place(from))
        let length = (way * way).sum()
        let nearest = a + way * (length == 0 ? 0 : max(0, min(1, -(a * way).sum() / length)))
        return (nearest * nearest).sum().squareRoot() <= 5
      }
    }
  }
}
