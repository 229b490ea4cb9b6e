// The walk of an honest player, and what their phone's receiver makes of it. A value; a seed gives the same walk.
import Game
import ReceiverErrors
import SeededRandom

/// Legs at one speed: with turns and pauses wherever they lead, or around a square.
package struct HonestWalk {
  /// The fixes that the phone has, with rising times.
  package private(set) var fixes: [Fix] = []

  /// The square's corners and the points of its sides that are this far apart are a land's vertices.
  static let vertexEveryM = 8
  static let squareSideM = 80

  private static let stepMs: Int64 = 100
  private static let latE7: Int32 = 375_000_000
  private static let lngE7: Int32 = 1_267_000_000
  private static let latE7PerM = 1 / 0.011119508
  /// At that latitude.
  private static let lngE7PerM = 1 / 0.011119508 / 0.793353340

  /// Walks at one speed. The fixes' times are milliseconds behind `began`, and rise. Without `errors` the receiver is
  /// perfect and claims 5 m.
  package init(
    from began: Instant,
    atMs timesMs: [Int64],
    errors: [ReceiverError]?,
    speedMPerS: Double,
    aroundSquare: Bool = false,
    using random: inout SplitMix64
  ) {
    var leg = Leg(aroundSquare ? Int64(Double(Self.squareSideM) / speedMPerS * 1_000) : nil, using: &random)
    var place = (northM: 0.0, eastM: 0.0)
    var nowMs: Int64 = 0
    for (index, timeMs) in timesMs.enumerated() {
      while nowMs < timeMs {
        let stepMs = min(Self.stepMs, timeMs - nowMs, leg.leftMs)
        let stepM = speedMPerS * Double(stepMs) / 1_000
        if !leg.isPause { place = (place.northM + stepM * leg.north, place.eastM + stepM * leg.east) }
        nowMs += stepMs
        leg.leftMs -= stepMs
        if leg.leftMs <= 0 { leg.turn(using: &random) }
      }
      let error = errors?[index] ?? ReceiverError(accuracyM: 5)
      let coordinate = Self.coordinate(northM: place.northM + error.northM, eastM: place.eastM + error.eastM)
      fixes.append(
        Fix(
          latE7: coordinate.latE7,
          lngE7: coordinate.lngE7,
          accuracyM: UInt32(min(error.accuracyM.rounded(.up), 1e6)),
          time: began + .milliseconds(timeMs)
        )
      )
    }
  }

  /// The land around which the square leads.
  static let square: Land = {
    let perSide = squareSideM / vertexEveryM
    let vertices = (0..<4 * perSide).map { index in
      let alongM = Double(index % perSide * vertexEveryM)
      let sideM = Double(squareSideM)
      let (northM, eastM) =
        switch index / perSide {
        case 0: (alongM, 0.0)
        case 1: (sideM, alongM)
        case 2: (sideM - alongM, sideM)
        default: (0.0, sideM - alongM)
        }
      return coordinate(northM: northM, eastM: eastM)
    }
    return Land(id: LandID(1), name: "square", vertices: ContiguousArray(vertices))
  }()

  /// The place so far from the walk's beginning.
  static func coordinate(northM: Double, eastM: Double) -> Coordinate {
    Coordinate(
      latE7: latE7 + Int32((northM * latE7PerM).rounded()),
      lngE7: lngE7 + Int32((eastM * lngE7PerM).rounded())
    )
  }

  private struct Leg {
    var north = 1.0
    var east = 0.0
    var isPause = false
    var leftMs: Int64 = 0
    /// The time of each side of the square; nil for a walk anywhere.
    private let sideMs: Int64?

    init(_ sideMs: Int64?, using random: inout SplitMix64) {
      self.sideMs = sideMs
      if let sideMs { leftMs = sideMs } else { turn(using: &random) }
    }

    mutating func turn(using random: inout SplitMix64) {
      if let sideMs {
        leftMs = sideMs
        // North, east, south, west.
        (north, east) = (-east, north)
        return
      }
      isPause = random.chance(15)
      leftMs = Int64(random.draw(5...60)) * 1_000
      // A quarter turn mostly; sometimes back.
      (north, east) = random.chance(10) ? (-north, -east) : random.chance(50) ? (east, -north) : (-east, north)
    }
  }
}
