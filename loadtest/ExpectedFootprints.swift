// What a bot reckons that its own walk should score, to hold against the server's board.
//
// A value. A second calculation of the footprint rule on purpose: in floating point, by haversine, comparing with every
// point. Right for one fix a second, where the server's bound on scoring never bites.
import Foundation

struct ExpectedFootprints: Sendable {
  private var prints: [Coordinate] = []
  private static let earthRadiusM = 6_371_008.8

  var points: UInt32 { UInt32(prints.count) }

  /// Takes a fix with an accuracy of `accuracyM`, as it is sent: rounded to 1e-7 degree.
  mutating func take(latE7: Int32, lngE7: Int32, accuracyM: Double) {
    let coordinate = Coordinate(latitude: Double(latE7) / 1e7, longitude: Double(lngE7) / 1e7)
    let reach = max(5, accuracyM)
    if prints.allSatisfy({ Self.metres($0, coordinate) >= reach }) { prints.append(coordinate) }
  }

  private static func metres(_ from: Coordinate, _ to: Coordinate) -> Double {
    let radians = Double.pi / 180
    let northward = sin((to.latitude - from.latitude) * radians / 2)
    let eastward = sin((to.longitude - from.longitude) * radians / 2)
    let share =
      northward * northward
      + cos(from.latitude * radians) * cos(to.latitude * radians) * eastward * eastward
    return 2 * earthRadiusM * asin(min(1, share.squareRoot()))
  }
}
