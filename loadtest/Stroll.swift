// A walk that stays in a square, at a walker's speed: the players of one place.
//
// A value. It follows from its seed alone.
import Foundation

package struct Stroll: Sendable {
  /// The middle of every square: a place in Seoul.
  private static let middle = Coordinate(latitude: 37.5665, longitude: 126.9780)
  private static let metresPerSecond = 0.9...2.0

  private var generator: SplitMix64
  private let half: Double
  private let speed: Double
  private var spot: Spot
  private var heading: Double
  private var seconds = 0.0
  private let plane = Plane(latE7: Stroll.middle.latE7, lngE7: Stroll.middle.lngE7)

  /// - Parameters:
  ///   - seed: the same seed walks the same way.
  ///   - squareM: the side of the square; metres.
  package init(seed: UInt64, squareM: Double) {
    generator = SplitMix64(seed)
    half = squareM / 2
    speed = generator.fraction(in: Self.metresPerSecond)
    spot = Spot(x: generator.fraction(in: -half...half), y: generator.fraction(in: -half...half))
    heading = generator.fraction(in: 0...(2 * .pi))
  }

  /// Walks on to `time`, in seconds after the start; never back. At an edge the way turns to the middle.
  package mutating func coordinate(at time: Double) -> Coordinate {
    let metres = speed * max(0, time - seconds)
    seconds = max(seconds, time)
    heading += generator.fraction(in: -0.3...0.3)
    if max(abs(spot.x), abs(spot.y)) + metres > half { heading = atan2(-spot.y, -spot.x) }
    spot = spot.moved(ahead: metres, left: 0, heading: heading)
    return plane.coordinate(spot)
  }
}
