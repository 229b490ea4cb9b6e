// A flat piece of Earth around one place, in metres, as PROTOCOL.md defines it for arenas: the bots' geometry.
//
// Values. A second implementation beside the server's on purpose: in floating point, with no shared code.
import Foundation

/// A place on a plane: metres east and north of its middle.
package struct Spot: Hashable, Sendable {
  package var x: Double
  package var y: Double

  /// The margin within which the server may decide otherwise: it calculates in whole millimetres.
  static let unclearM = 0.01

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package func metres(to other: Spot) -> Double {
    ((other.x - x) * (other.x - x) + (other.y - y) * (other.y - y)).squareRoot()
  }

  /// The spot so far on the straight way to another; the other itself when it is nearer.
  func moved(toward other: Spot, by metres: Double) -> Spot {
    let way = self.metres(to: other)
    guard way > metres else { return other }
    return Spot(x: x + (other.x - x) * metres / way, y: y + (other.y - y) * metres / way)
  }

  /// The spot ahead of and left of where `heading` points; `heading` counts from east to north.
  func moved(ahead: Double, left: Double, heading: Double) -> Spot {
    Spot(
      x: x + ahead * cos(heading) - left * sin(heading),
      y: y + ahead * sin(heading) + left * cos(heading)
    )
  }
}

/// A plane that touches the Earth in its middle.
package struct Plane: Sendable {
  private static let metresPerE7 = 0.011_119_508
  private let latE7: Double
  private let lngE7: Double
  private let eastMetresPerE7: Double

  package init(latE7: Int32, lngE7: Int32) {
    self.latE7 = Double(latE7)
    self.lngE7 = Double(lngE7)
    eastMetresPerE7 = Self.metresPerE7 * cos(Double(latE7) / 1e7 * .pi / 180)
  }

  package func spot(latE7: Int32, lngE7: Int32) -> Spot {
    Spot(x: (Double(lngE7) - self.lngE7) * eastMetresPerE7, y: (Double(latE7) - self.latE7) * Self.metresPerE7)
  }

  package func coordinate(_ spot: Spot) -> Coordinate {
    Coordinate(
      latitude: (latE7 + spot.y / Self.metresPerE7) / 1e7,
      longitude: (lngE7 + spot.x / eastMetresPerE7) / 1e7
    )
  }
}

extension Coordinate {
  private static let earthRadiusM = 6_371_008.8

  /// The distance along the great circle, by haversine.
  package func metres(to other: Coordinate) -> Double {
    let radians = Double.pi / 180
    let northward = sin((other.latitude - latitude) * radians / 2)
    let eastward = sin((other.longitude - longitude) * radians / 2)
    let share =
      northward * northward + cos(latitude * radians) * cos(other.latitude * radians) * eastward * eastward
    return 2 * Self.earthRadiusM * asin(min(1, share.squareRoot()))
  }

  /// The coordinate as sent: rounded to 1e-7 degree.
  var rounded: Coordinate {
    Coordinate(latitude: Double(latE7) / 1e7, longitude: Double(lngE7) / 1e7)
  }
}
