// The kinds of cheats that `madang-loadtest cheats` plays, and the fate of each.
//
// Pure.
import ArgumentParser

package enum CheatKind: String, CaseIterable, ExpressibleByArgument, Sendable {
  case honest
  case teleporter, speeder, frozen, mocker
  case overspeed
  case jumping
  case twoPlaces = "two-places"
  case ahead
  case sameTime = "same-time"
  case compressed
  case slowStory = "slow-story"
  case edge
  case secondDevice = "second-device"
  case forgedGap = "forged-gap"
  case retold
  case outside
  case forgedWalk = "forged-walk"
  case honestLap = "honest-lap"
  case forgedGapLap = "forged-gap-lap"
  case fasterLap = "faster-lap"

  package enum Fate: Sendable {
    /// The best honest run, which the others are compared with.
    case reference
    /// It breaks a rule of positions: suspect within a minute, and nothing gained.
    case suspect
    /// It gains nothing.
    case noGain
    /// It obeys every rule. The documents tell what it gains.
    case unavoidable
  }

  package var fate: Fate {
    switch self {
    case .honest, .honestLap: .reference
    case .teleporter, .speeder, .frozen, .mocker, .overspeed, .jumping, .twoPlaces, .ahead, .sameTime, .compressed:
      .suspect
    case .slowStory, .edge, .secondDevice, .forgedGap, .retold, .outside, .forgedGapLap: .noGain
    case .forgedWalk, .fasterLap: .unavoidable
    }
  }

  /// Whether it runs around a land.
  package var isLap: Bool { reference == .honestLap }

  /// The honest run that it is compared with.
  package var reference: CheatKind {
    switch self {
    case .honestLap, .forgedGapLap, .fasterLap: .honestLap
    default: .honest
    }
  }

  package var text: String {
    switch self {
    case .honest: "rides straight on at 12 m/s, the most that an honest player gains"
    case .teleporter: "is at another place with each fix"
    case .speeder: "goes at twice the bound"
    case .frozen: "its clock stands still"
    case .mocker: "its phone says that its fixes are mocked"
    case .overspeed: "keeps up 1.3 times the bound"
    case .jumping: "jumps to new ground and back with each fix"
    case .twoPlaces: "is at two far places in turn, 12 s each"
    case .ahead: "its times are 3 to 20 s ahead"
    case .sameTime: "tells two places for each time"
    case .compressed: "holds fixes back, then tells 2.5 times the way that fits into their times"
    case .slowStory: "is at far places in turn, long enough at each to be believed"
    case .edge: "tells its whole ride at the last moment that is left, with fixes 1.9 s ahead"
    case .secondDevice: "a second device tells another place, in turn with the first"
    case .forgedGap: "claims a dead zone while its connection answers"
    case .retold: "tells again what was judged, at other places"
    case .outside: "tells fixes from before the game and from behind its end"
    case .forgedWalk: "sits at home, and makes up a ride at 12 m/s"
    case .honestLap: "walks around the land at 3 m/s"
    case .forgedGapLap: "the same, told over 30 s late while its connection answers"
    case .fasterLap: "the same behind a gap, told as if it had been twice as fast"
    }
  }
}
