// The way of a bot: along a recorded track, or at random from a seed.
//
// Values. Time is counted from the start of the walk; a track that has ended stands still at its last point.

import Foundation

/// A point on Earth; degrees.
package struct Coordinate: Equatable, Sendable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  package var latE7: Int32 { Int32(clamping: Int64((latitude * 1e7).rounded())) }
  package var lngE7: Int32 { Int32(clamping: Int64((longitude * 1e7).rounded())) }
}

/// Points in order of time.
package struct Track: Sendable {
  package struct Point: Equatable, Sendable {
    /// The seconds since the first point.
    package var seconds: Double
    package var coordinate: Coordinate

    package init(seconds: Double, coordinate: Coordinate) {
      self.seconds = seconds
      self.coordinate = coordinate
    }
  }

  package let name: String
  package let points: [Point]

  /// - Returns: nil when there is no point, or time goes back.
  package init?(name: String, points: [Point]) {
    guard !points.isEmpty, zip(points, points.dropFirst()).allSatisfy({ $0.seconds <= $1.seconds }) else { return nil }
    self.name = name
    self.points = points
  }

  /// The track's place `seconds` after its first point: between two points in proportion to time.
  package func coordinate(at seconds: Double) -> Coordinate {
    guard let next = points.firstIndex(where: { $0.seconds > seconds }) else {
      return points[points.count - 1].coordinate
    }
    guard next > 0 else { return points[0].coordinate }
    let (from, to) = (points[next - 1], points[next])
    let share = (seconds - from.seconds) / (to.seconds - from.seconds)
    return Coordinate(
      latitude: from.coordinate.latitude + (to.coordinate.latitude - from.coordinate.latitude) * share,
      longitude: from.coordinate.longitude + (to.coordinate.longitude - from.coordinate.longitude) * share
    )
  }
}

/// A walk that turns a little with every step.
package struct RandomWalk: Sendable {
  private var generator: SplitMix64
  private var coordinate: Coordinate
  private var heading: Double
  private let metresPerSecond: Double
  private var seconds = 0.0

  /// - Parameter seed: the same seed walks the same way.
  package init(seed: UInt64) {
    generator = SplitMix64(seed)
    coordinate = Self.place(&generator)
    heading = generator.fraction(in: 0...(2 * .pi))
    metresPerSecond = generator.fraction(in: 0.8...6)
  }

  /// The start of a seed's walk.
  static func place(seed: UInt64) -> Coordinate {
    var generator = SplitMix64(seed)
    return place(&generator)
  }

  /// A place within a few kilometres of the middle of Seoul.
  private static func place(_ generator: inout SplitMix64) -> Coordinate {
    Coordinate(
      latitude: 37.5665 + generator.fraction(in: -0.02...0.02),
      longitude: 126.9780 + generator.fraction(in: -0.02...0.02)
    )
  }

  /// Walks on to `seconds` after the start; never back.
  package mutating func coordinate(at time: Double) -> Coordinate {
    let metres = metresPerSecond * max(0, time - seconds)
    seconds = max(seconds, time)
    heading += generator.fraction(in: -0.3...0.3)
    // A degree of latitude is 111,195 m; one of longitude is less than 0.8 of that here, so the speed is never
    // exceeded.
    coordinate.latitude += metres * cos(heading) / 111_195
    coordinate.longitude += metres * sin(heading) / (111_195 * 0.8)
    return coordinate
  }
}

/// Laps of a circle of 75 m in 50 s. From the second lap on no new ground is covered, so the server's data of a game no
/// longer grows.
package struct Circuit: Sendable {
  private static let radiusM = 12.0
  private static let metresPerSecond = 1.5

  private let middle: Coordinate

  /// The same seed walks the same circle.
  package init(seed: UInt64) {
    var generator = SplitMix64(seed)
    middle = Coordinate(
      latitude: 37.5665 + generator.fraction(in: -0.02...0.02),
      longitude: 126.9780 + generator.fraction(in: -0.02...0.02)
    )
  }

  /// The place `seconds` after the start.
  package func coordinate(at seconds: Double) -> Coordinate {
    let angle = seconds * Self.metresPerSecond / Self.radiusM
    return Coordinate(
      latitude: middle.latitude + Self.radiusM * cos(angle) / 111_195,
      longitude: middle.longitude + Self.radiusM * sin(angle) / (111_195 * 0.8)
    )
  }
}

/// A small generator whose numbers follow from its seed alone.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(_ seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func fraction(in range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }
}

/// The course of a bot.
package enum Course: Sendable {
  case track(Track)
  case random(RandomWalk)

  package mutating func coordinate(at seconds: Double) -> Coordinate {
    switch self {
    case .track(let track):
      return track.coordinate(at: seconds)
    case .random(var walk):
      let coordinate = walk.coordinate(at: seconds)
      self = .random(walk)
      return coordinate
    }
  }
}

extension Course {
  /// The name in the report.
  var name: String {
    switch self {
    case .track(let track): track.name
    case .random: "random walk"
    }
  }
}
