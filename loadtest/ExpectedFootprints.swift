// A bot's own calculation of its walk's score, compared with the server's board.
//
// A value. A second implementation of the footprint rule on purpose: in floating point, by haversine, comparing with
// every point. Right for one fix a second, where the server's bound on scoring has no effect.

struct ExpectedFootprints: Sendable {
  private var prints: [Coordinate] = []

  var points: UInt32 { UInt32(prints.count) }

  /// Takes a fix with an accuracy of `accuracyM`, as sent: rounded to 1e-7 degree.
  mutating func take(latE7: Int32, lngE7: Int32, accuracyM: Double) {
    let coordinate = Coordinate(latitude: Double(latE7) / 1e7, longitude: Double(lngE7) / 1e7)
    let reach = max(5, accuracyM)
    if prints.allSatisfy({ $0.metres(to: coordinate) >= reach }) { prints.append(coordinate) }
  }
}
