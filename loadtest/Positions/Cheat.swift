// The ways in which a spoofer cheats, and the reason for which the server must refuse each.
//
// Pure.
import MadangProtocol

package enum Cheat: Sendable {
  case teleport, tooFast, frozenClock, mocked

  var verdict: WireFixVerdict {
    switch self {
    case .teleport, .tooFast: .tooFast
    case .frozenClock: .notAfterLast
    case .mocked: .mocked
    }
  }

  /// The cheat's fix number `number`, `seconds` after the first, from the end of the honest part. The frozen clock
  /// stands at `timeMs`. No cheat can be forgiven: no ten fixes agree with each other.
  package func move(
    _ number: Int,
    from last: Coordinate,
    seconds: Double,
    pace: Double,
    speedMaxM: Double,
    timeMs: Int64
  ) -> WireMove {
    let plane = Plane(latE7: last.latE7, lngE7: last.lngE7)
    func ahead(_ metresPerSecond: Double) -> Coordinate {
      plane.coordinate(Spot(x: 0, y: metresPerSecond * seconds))
    }
    switch self {
    case .teleport:
      // Further than any player comes in a game, and far from each other too.
      let north = (number % 2 == 0 ? 0.5 : -0.5) + Double(number % 7) / 100
      return WireMove(at: Coordinate(latitude: last.latitude + north, longitude: last.longitude))
    case .tooFast:
      // The first step is a cheat already.
      return WireMove(at: plane.coordinate(Spot(x: 40, y: 2 * speedMaxM * seconds)))
    case .frozenClock:
      var move = WireMove(at: ahead(pace))
      move.timeMs = timeMs
      return move
    case .mocked:
      var move = WireMove(at: ahead(pace))
      move.mocked = true
      return move
    }
  }
}
