// The walk of an honest player, and what their phone's receiver makes of it. A value; the same seed gives the same walk.
import Game
import ReceiverErrors
import SeededRandom

/// Legs at one speed, with turns between them and pauses.
package struct HonestWalk {
  /// The fixes that the phone has, with rising times, beginning at `began`.
  package private(set) var fixes: [Fix] = []
  /// Metres a second.
  package let speedMPerS: Double

  private static let stepMs: Int64 = 100
  private static let latE7: Int32 = 375_000_000
  private static let lngE7: Int32 = 1_267_000_000
  private static let latE7PerM = 1 / 0.011119508
  /// At that latitude.
  private static let lngE7PerM = 1 / 0.011119508 / 0.793353340

  /// Walks all legs at one speed. The fixes' times are milliseconds behind `began`, and rise. Without `errors` the
  /// receiver is perfect and claims 5 m.
  package init(
    from began: Instant,
    atMs timesMs: [Int64],
    errors: [ReceiverError]?,
    speedMPerS: Double,
    using random: inout SplitMix64
  ) {
    self.speedMPerS = speedMPerS
    var leg = Leg(using: &random)
    var place = (northM: 0.0, eastM: 0.0)
    var nowMs: Int64 = 0
    for (index, timeMs) in timesMs.enumerated() {
      while nowMs < timeMs {
        let stepMs = min(Self.stepMs, timeMs - nowMs)
        let stepM = speedMPerS * Double(stepMs) / 1_000
        place = leg.isPause ? place : (place.northM + stepM * leg.north, place.eastM + stepM * leg.east)
        nowMs += stepMs
        leg.leftMs -= stepMs
        if leg.leftMs <= 0 { leg.turn(using: &random) }
      }
      let error = errors?[index] ?? ReceiverError(accuracyM: 5)
      fixes.append(
        Fix(
          latE7: Self.latE7 + Int32(((place.northM + error.northM) * Self.latE7PerM).rounded()),
          lngE7: Self.lngE7 + Int32(((place.eastM + error.eastM) * Self.lngE7PerM).rounded()),
          accuracyM: UInt32(min(error.accuracyM.rounded(.up), 1e6)),
          time: began + .milliseconds(timeMs)
        )
      )
    }
  }

  private struct Leg {
    var north = 1.0
    var east = 0.0
    var isPause = false
    var leftMs: Int64 = 0

    init(using random: inout SplitMix64) { turn(using: &random) }

    mutating func turn(using random: inout SplitMix64) {
      isPause = random.chance(15)
      leftMs = Int64(random.draw(5...60)) * 1_000
      // A quarter turn mostly; sometimes back.
      (north, east) = random.chance(10) ? (-north, -east) : random.chance(50) ? (east, -north) : (-east, north)
    }
  }
}
