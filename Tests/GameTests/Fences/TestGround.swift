// Shared by the tests of fences and capsules: a piece of ground in metres around a place, fences on it, and the errors
// of a receiver. Floating point, and no code in common with the rules.
import Foundation
import Game
import SeededRandom

/// A piece of ground, in metres east and north of a place.
struct TestGround {
  var latE7: Int32 = 375_665_000
  var lngE7: Int32 = 1_269_780_000

  private static let metresPerE7 = 6_371_008.8 * .pi / 180 * 1e-7

  func at(_ eastM: Double, _ northM: Double) -> Coordinate {
    let cosine = cos(Double(latE7) * 1e-7 * .pi / 180)
    var lng = Double(lngE7) + eastM / Self.metresPerE7 / cosine
    if lng > 1.8e9 { lng -= 3.6e9 }
    if lng < -1.8e9 { lng += 3.6e9 }
    return Coordinate(
      latE7: Int32((Double(latE7) + northM / Self.metresPerE7).rounded()),
      lngE7: Int32(lng.rounded())
    )
  }

  func circle(
    _ id: UInt128,
    _ eastM: Double = 0,
    _ northM: Double = 0,
    radiusM: Double,
    dwellS: Int64? = nil,
    opensAt: Int64? = nil,
    closesAt: Int64? = nil
  ) throws -> Fence {
    let circle = try FenceCircle(center: at(eastM, northM), radiusMm: Int64(radiusM * 1_000))
    return try Fence(
      id: FenceID(id),
      name: "fence \(id)",
      shape: .circle(circle),
      dwellS: dwellS,
      opensAt: opensAt.map { Instant(milliseconds: $0 * 1_000) },
      closesAt: closesAt.map { Instant(milliseconds: $0 * 1_000) }
    )
  }

  func polygon(_ corners: [(Double, Double)]) throws -> FencePolygon {
    let ring = corners.map { at($0.0, $0.1) }
    return try FencePolygon(ring: ring + ring.prefix(1))
  }

  func polygon(_ id: UInt128, _ corners: [(Double, Double)], dwellS: Int64? = nil) throws -> Fence {
    try Fence(id: FenceID(id), name: "fence \(id)", shape: .polygon(try polygon(corners)), dwellS: dwellS)
  }

  /// A star around a place of the ground, which never crosses itself.
  static func star(
    _ random: inout SplitMix64,
    _ eastM: Double,
    _ northM: Double,
    radiusM: Double,
    corners: Int
  ) -> [(Double, Double)] {
    (0..<corners).map { corner in
      let angle = 2 * Double.pi * Double(corner) / Double(corners)
      let awayM = radiusM * Double.random(in: 0.4...1, using: &random)
      return (eastM + awayM * cos(angle), northM + awayM * sin(angle))
    }
  }
}

extension SplitMix64 {
  /// Of a normal distribution, by Box and Muller.
  mutating func normal() -> Double {
    let share = Double(next() >> 11) * 0x1p-53
    return (-2 * log(1 - share)).squareRoot() * cos(2 * .pi * Double(next() >> 11) * 0x1p-53)
  }
}

/// A receiver's errors, with a fix a second: independent ones, or such that wander and are forgotten after a while. Two
/// of three lie within the accuracy, as receivers claim it: it is 1.5 standard deviations on each axis.
struct TestErrors {
  private let sigmaM: Double
  /// The share of an error that is still in the next one.
  private let kept: Double
  private var eastM: Double
  private var northM: Double

  init(accuracyM: Double, forgottenAfterS: Double?, using random: inout SplitMix64) {
    sigmaM = accuracyM / 1.5
    kept = forgottenAfterS.map { exp(-1 / $0) } ?? 0
    eastM = sigmaM * random.normal()
    northM = sigmaM * random.normal()
  }

  mutating func next(using random: inout SplitMix64) -> (eastM: Double, northM: Double) {
    let fresh = sigmaM * (1 - kept * kept).squareRoot()
    eastM = kept * eastM + fresh * random.normal()
    northM = kept * northM + fresh * random.normal()
    return (eastM, northM)
  }
}

extension Instant {
  static func seconds(_ seconds: Int) -> Instant { Instant(milliseconds: Int64(seconds) * 1_000) }
}
