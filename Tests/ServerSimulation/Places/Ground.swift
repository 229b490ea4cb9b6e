// The ground that players of a run walk on, with its fences, as a referee sees it: in metres and floating point. Values
// and functions that share nothing with the rules of `Game`.
import Glibc

/// A place in degrees.
struct GroundPlace: Hashable {
  var lat: Double
  var lng: Double

  init(lat: Double, lng: Double) {
    self.lat = lat
    self.lng = lng
  }

  init(latE7: Int32, lngE7: Int32) {
    self.init(lat: Double(latE7) / 1e7, lng: Double(lngE7) / 1e7)
  }

  /// The place so far from the middle of the ground.
  init(northM: Double, eastM: Double) {
    self.init(latE7: Ground.latE7(northM), lngE7: Ground.lngE7(eastM))
  }

  var latE7: Int32 { Int32((lat * 1e7).rounded()) }
  var lngE7: Int32 { Int32((lng * 1e7).rounded()) }

  /// Metres along a great circle, by the haversine formula.
  func metres(to other: GroundPlace) -> Double {
    let radians = Double.pi / 180
    let (a, b) = (lat * radians, other.lat * radians)
    let (dLat, dLng) = (b - a, (other.lng - lng) * radians)
    let half = pow(sin(dLat / 2), 2) + cos(a) * cos(b) * pow(sin(dLng / 2), 2)
    return 2 * Ground.earthM * asin(min(1, half.squareRoot()))
  }
}

/// A fence of the ground.
struct GroundFence {
  enum Shape {
    case circle(northM: Double, eastM: Double, radiusM: Double)
    /// Corners, north and east.
    case polygon([(Double, Double)])
  }

  let number: Int
  let shape: Shape
  var dwellS: Int64?
  /// The time for which it is there, milliseconds; nil for ever.
  var openMs: Range<Int64>?

  /// Whether it is there at a time.
  func isOpen(atMs timeMs: Int64) -> Bool { openMs?.contains(timeMs) ?? true }

  /// Whether it is gone at a time.
  func hasClosed(atMs timeMs: Int64) -> Bool { openMs.map { $0.upperBound <= timeMs } ?? false }

  /// The identifier on the wire.
  var id: String { String(repeating: "0", count: 31) + String(number, radix: 16) }

  /// The metres to the edge; negative outside.
  func depthM(of place: GroundPlace) -> Double {
    switch shape {
    case .circle(let northM, let eastM, let radiusM):
      return radiusM - GroundPlace(northM: northM, eastM: eastM).metres(to: place)
    case .polygon(let corners):
      let (north, east) = Ground.metres(of: place)
      var isInside = false
      var nearestM = Double.infinity
      for (index, corner) in corners.enumerated() {
        let (aNorth, aEast) = corner
        let (bNorth, bEast) = corners[(index + 1) % corners.count]
        if (aNorth > north) != (bNorth > north), east < aEast + (north - aNorth) / (bNorth - aNorth) * (bEast - aEast) {
          isInside.toggle()
        }
        let (sideNorth, sideEast) = (bNorth - aNorth, bEast - aEast)
        let along = (north - aNorth) * sideNorth + (east - aEast) * sideEast
        let part = min(1, max(0, along / (sideNorth * sideNorth + sideEast * sideEast)))
        nearestM = min(nearestM, hypot(north - aNorth - part * sideNorth, east - aEast - part * sideEast))
      }
      return isInside ? nearestM : -nearestM
    }
  }

  /// Surely inside for somebody who stands here with fixes of 5 m, surely outside, or nil where both may be told: the
  /// newest look may be up to 5 m away, or have had another accuracy. Nobody is in one that is not there; that it opens
  /// or closes is told with the next fixes.
  func mustHold(_ place: GroundPlace, atMs timeMs: Int64) -> Bool? {
    if let openMs, [openMs.lowerBound, openMs.upperBound].contains(where: { abs(timeMs - $0) < 5_000 }) { return nil }
    guard isOpen(atMs: timeMs) else { return false }
    let depthM = depthM(of: place)
    if depthM > 11 { return true }
    return depthM < -66 ? false : nil
  }
}

enum Ground {
  static let earthM = 6_371_008.8
  /// The middle.
  static let originE7 = (lat: Int32(375_665_000), lng: Int32(1_269_780_000))
  private static let metreE7 = 1e7 / (earthM * Double.pi / 180)
  private static let shrink = cos(Double(originE7.lat) / 1e7 * Double.pi / 180)

  /// The fences of a store from the beginning of a world at this time, milliseconds.
  static func fences(from startMs: Int64) -> [GroundFence] {
    lastingFences + [
      GroundFence(
        number: 8,
        shape: .circle(northM: 20, eastM: -20, radiusM: 90),
        dwellS: 6,
        openMs: startMs + 20_000..<startMs + 45_000
      ),
      GroundFence(
        number: 9,
        shape: .polygon([(-100, -100), (100, -100), (100, 100), (-100, 100)]),
        openMs: startMs..<startMs + 30_000
      ),
    ]
  }

  private static let lastingFences = [
    GroundFence(number: 1, shape: .circle(northM: 60, eastM: 0, radiusM: 50), dwellS: 4),
    GroundFence(number: 2, shape: .circle(northM: -40, eastM: 60, radiusM: 20)),
    GroundFence(number: 3, shape: .polygon([(-150, -120), (-150, 10), (-70, 10), (-70, -60), (0, -60), (0, -120)])),
    GroundFence(number: 4, shape: .circle(northM: 30, eastM: 30, radiusM: 160), dwellS: 10),
    GroundFence(number: 5, shape: .circle(northM: farM, eastM: 0, radiusM: 80)),
  ]
  /// Those that operators import while the server is down.
  static let laterFences = [
    GroundFence(number: 6, shape: .polygon([(-60, 40), (60, 40), (60, 140), (-60, 140)]), dwellS: 2),
    GroundFence(number: 7, shape: .circle(northM: 0, eastM: 0, radiusM: 30)),
  ]

  /// The way to a place that nobody can walk to in a run.
  static let farM = 5_560.0

  static func latE7(_ northM: Double) -> Int32 { originE7.lat + Int32((northM * metreE7).rounded()) }
  static func lngE7(_ eastM: Double) -> Int32 { originE7.lng + Int32((eastM * metreE7 / shrink).rounded()) }

  /// Metres north and east of the middle.
  static func metres(of place: GroundPlace) -> (north: Double, east: Double) {
    (
      (place.lat * 1e7 - Double(originE7.lat)) / metreE7, (place.lng * 1e7 - Double(originE7.lng)) / metreE7 * shrink
    )
  }
}
