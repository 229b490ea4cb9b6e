// The ways in which a spoofer cheats, and what each must be refused for.
//
// Pure.
import MadangProtocol

package enum Cheat: Sendable {
  case teleport, tooFast, frozenClock, mocked

  var refusal: WireFixRefusal {
    switch self {
    case .teleport, .tooFast: .tooFast
    case .frozenClock: .notAfterLast
    case .mocked: .mocked
    }
  }

  /// The cheat's fix number `number`, `seconds` after the first, from where the honest part has ended. The clock that stands
  /// still does so at `timeMs`. Nothing here can be forgiven: no ten fixes agree with each other.
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
      // Further than anybody comes in a game, and from each other too.
      let north = (number % 2 == 0 ? 0.5 : -0.5) + Double(number % 7) / 100
      return WireMove(at: Coordinate(latitude: last.latitude + north, longitude: last.longitude))
    case .tooFast:
      // The first step is one already.
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
