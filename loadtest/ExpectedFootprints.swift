// A bot's own calculation of its walk's score, compared with the server's board.
//
// A value. A second implementation of the footprint rule on purpose: in floating point, by haversine, comparing with
// every point. Right for one fix a second, where the server's bound on scoring has no effect.

struct ExpectedFootprints: Sendable {
  private var prints: [Coordinate] = []

  /// Whether a few millimetres have decided about a point: the server's flat distances are within 0.1 % of these.
  private(set) var isUnclear = false
  private static let unclearShare = 0.001

  var points: UInt32 { UInt32(prints.count) }

  /// Takes a fix with an accuracy of `accuracyM`, as sent: rounded to 1e-7 degree.
  mutating func take(latE7: Int32, lngE7: Int32, accuracyM: Double) {
    let coordinate = Coordinate(latitude: Double(latE7) / 1e7, longitude: Double(lngE7) / 1e7)
    let reach = max(5, accuracyM)
    let nearestM = prints.reduce(.infinity) { min($0, $1.metres(to: coordinate)) }
    if abs(nearestM - reach) < reach * Self.unclearShare { isUnclear = true }
    if nearestM >= reach { prints.append(coordinate) }
  }
}
