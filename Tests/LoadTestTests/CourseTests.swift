// The ways of bots: along a track in proportion to time, or at random, the same way for the same seed.
import Foundation
import Testing
import madang_loadtest

@Suite struct CourseTests {
  private func makeTrack(_ points: (Double, Double, Double)...) -> Track? {
    Track(
      name: "test",
      points: points.map {
        Track.Point(seconds: $0.0, coordinate: Coordinate(latitude: $0.1, longitude: $0.2))
      }
    )
  }

  @Test("A track moves evenly between two points, and rests before the first and after the last")
  func interpolation() throws {
    let track = try #require(makeTrack((0, 10, 20), (10, 11, 18), (30, 11, 19)))
    for (seconds, latitude, longitude) in [
      (-5, 10, 20), (0, 10, 20), (2.5, 10.25, 19.5), (10, 11, 18), (20, 11, 18.5), (30, 11, 19), (1e9, 11, 19),
    ] {
      #expect(track.coordinate(at: seconds) == Coordinate(latitude: latitude, longitude: longitude), "at \(seconds)")
    }
  }

  @Test("Points with the same time are a jump: the last of them holds from then on")
  func equalTimes() throws {
    let track = try #require(makeTrack((0, 0, 0), (10, 1, 1), (10, 5, 5), (10, 6, 6), (20, 8, 8)))
    #expect(track.coordinate(at: 5) == Coordinate(latitude: 0.5, longitude: 0.5))
    #expect(track.coordinate(at: 10) == Coordinate(latitude: 6, longitude: 6))
    #expect(track.coordinate(at: 15) == Coordinate(latitude: 7, longitude: 7))
    let standing = try #require(makeTrack((0, 1, 2), (0, 3, 4)))
    #expect(standing.coordinate(at: 0) == Coordinate(latitude: 3, longitude: 4))
  }

  @Test("A track needs a point and times that don't run backwards")
  func badTracks() {
    #expect(makeTrack() == nil)
    #expect(makeTrack((0, 0, 0), (5, 0, 0), (4, 0, 0)) == nil)
    #expect(makeTrack((0, 0, 0)) != nil)
  }

  @Test("Degrees are rounded to the nearest ten-millionth")
  func rounding() {
    let coordinate = Coordinate(latitude: 37.123_456_78, longitude: -126.999_999_96)
    #expect(coordinate.latE7 == 371_234_568)
    #expect(coordinate.lngE7 == -1_270_000_000)
  }

  /// Metres on a sphere with the Earth's mean radius.
  private func metres(_ from: Coordinate, _ to: Coordinate) -> Double {
    let radians = Double.pi / 180
    let latitudes = (from.latitude * radians, to.latitude * radians)
    let (dLat, dLng) = (latitudes.1 - latitudes.0, (to.longitude - from.longitude) * radians)
    let square = pow(sin(dLat / 2), 2) + cos(latitudes.0) * cos(latitudes.1) * pow(sin(dLng / 2), 2)
    return 2 * 6_371_008.8 * asin(sqrt(square))
  }

  @Test("A random walk is determined by its seed and is never faster than 6 m/s", arguments: 0..<50 as Range<UInt64>)
  func randomWalk(seed: UInt64) {
    var (walk, again) = (RandomWalk(seed: seed), RandomWalk(seed: seed))
    var other = RandomWalk(seed: seed + 1_000)
    var pace = SplitMix64(seed)
    var (seconds, last, total) = (0.0, walk.coordinate(at: 0), 0.0)
    #expect(again.coordinate(at: 0) == last)
    #expect(other.coordinate(at: 0) != last)
    for _ in 0..<2_000 {
      let step = Double.random(in: 0.05...3, using: &pace)
      seconds += step
      let next = walk.coordinate(at: seconds)
      #expect(again.coordinate(at: seconds) == next)
      let way = metres(last, next)
      // A hundredth of a per mille for rounding on both sides.
      #expect(way <= 6 * step * 1.000_01)
      total += way
      last = next
    }
    #expect(total > 0.5 * seconds)
  }

  @Test("A random walk never runs backwards in time")
  func noWayBack() {
    var walk = RandomWalk(seed: 1)
    let there = walk.coordinate(at: 100)
    #expect(walk.coordinate(at: 50) == there)
    let later = walk.coordinate(at: 101)
    #expect(metres(there, later) <= 6.001)
  }
}
