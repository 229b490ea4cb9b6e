// The scripts of cheats: an honest ride for some seconds, then the lie.
//
// Pure: a story follows from its seed.
import Foundation

package struct CheatStory {
  private static let rideM = 12.0
  private static let boundM = 12.5
  private static let lapM = 3.0
  private let kind: CheatKind
  private let seconds: Int
  private var random: SplitMix64
  private let plane: Plane
  private let heading: Double
  /// The accuracy that the receiver claims, metres. The honest claim 5: a footprint needs that distance.
  private let accuracyM: UInt32
  /// The number of honest seconds before the lie.
  private let honestSeconds: Int
  private var steps: [PhoneScript.Step] = []

  package static func script(_ kind: CheatKind, seconds: Int, seed: UInt64, around ring: LandRing?) -> PhoneScript {
    var story = CheatStory(kind, seconds, seed)
    if kind.isLap, let ring { return story.lap(around: ring) }
    return story.ride()
  }

  private init(_ kind: CheatKind, _ seconds: Int, _ seed: UInt64) {
    self.kind = kind
    self.seconds = seconds
    random = SplitMix64(seed)
    let place = RandomWalk.place(seed: seed)
    plane = Plane(latE7: place.latE7, lngE7: place.lngE7)
    heading = random.fraction(in: 0...(2 * .pi))
    let claims: [UInt32] = kind.fate == .reference ? [5] : [3, 5, 10, 20]
    accuracyM = claims[Int(random.next() % UInt64(claims.count))]
    honestSeconds = Int(random.fraction(in: 8...13))
  }

  /// A fix on the way, so far ahead, and so far beside it.
  private func fix(_ seconds: Double, aheadM: Double, leftM: Double = 0) -> PhoneFix {
    let spot = Spot(x: 0, y: 0).moved(ahead: aheadM, left: leftM, heading: heading)
    return PhoneFix(atMs: Int64(seconds * 1_000), plane.coordinate(spot), accuracyM: accuracyM)
  }

  /// The honest fix of a second of the ride.
  private func honest(_ second: Int) -> PhoneFix {
    fix(Double(second) + 0.5, aheadM: Self.rideM * Double(second))
  }

  private mutating func tell(_ fixes: [PhoneFix], at seconds: Double, mocked: Bool = false, isLive: Bool = true) {
    steps.append(PhoneScript.Step(atMs: Int64(seconds * 1_000), .tell(fixes, mocked: mocked, isLive: isLive)))
  }

  private mutating func act(_ act: PhoneScript.Act, at seconds: Double) {
    steps.append(PhoneScript.Step(atMs: Int64(seconds * 1_000), act))
  }

  private mutating func end(cheatsFrom: Double) -> PhoneScript {
    act(.finish, at: Double(seconds))
    var script = PhoneScript(name: kind.rawValue, steps)
    if kind.fate != .reference { script.cheatsFromMs = Int64(cheatsFrom * 1_000) }
    return script
  }

  private mutating func ride() -> PhoneScript {
    let last = seconds - 1
    var cheatsFrom = Double(honestSeconds) + 0.5
    let honestUntil = kind == .honest || kind == .outside ? last : honestSeconds
    for second in 0..<honestUntil { tell([honest(second)], at: Double(second) + 0.5) }
    let beganM = Self.rideM * Double(honestSeconds)
    switch kind {
    case .compressed: cheatsFrom = compress(from: honestSeconds, beganM)
    case .edge: cheatsFrom = waitForTheEdge()
    case .forgedGap: forgeGap()
    case .secondDevice: useSecondDevice(beganM)
    case .outside: cheatsFrom = leaveTheGame()
    default:
      let drawn = (farM: random.fraction(in: 1_000...5_000), aheadS: random.fraction(in: 3...20))
      for second in honestSeconds..<max(honestSeconds, last) where honestUntil == honestSeconds {
        lie(second, since: second - honestSeconds, beganM, farM: drawn.farM, aheadS: drawn.aheadS)
      }
    }
    return end(cheatsFrom: cheatsFrom)
  }

  /// The lie of one second.
  private mutating func lie(_ second: Int, since: Int, _ beganM: Double, farM: Double, aheadS: Double) {
    let now = Double(second) + 0.5
    let rideM = Self.rideM * Double(second)
    var fixes = [honest(second)]
    switch kind {
    case .teleporter:
      fixes = [fix(now, aheadM: (second % 2 == 0 ? 50_000 : -50_000) + Double(second % 7) * 1_000)]
    case .speeder: fixes = [fix(now, aheadM: beganM + 40 + 2 * Self.boundM * Double(since))]
    case .overspeed: fixes = [fix(now, aheadM: beganM + 1.3 * Self.boundM * Double(since))]
    case .frozen: fixes = [fix(Double(honestSeconds) + 0.5, aheadM: rideM)]
    case .jumping: fixes = [fix(now, aheadM: rideM, leftM: since % 2 == 0 ? 100 + farM / 25 : 0)]
    case .twoPlaces: fixes = [fix(now, aheadM: rideM, leftM: since / 12 % 2 == 0 ? farM : 0)]
    case .slowStory: fixes = [fix(now, aheadM: rideM, leftM: since / 31 % 2 == 0 ? farM : 0)]
    case .ahead: fixes = [fix(now + aheadS, aheadM: rideM)]
    case .sameTime: fixes.append(fix(now, aheadM: rideM, leftM: 50 + farM / 10))
    case .retold where since % 10 == 9:
      tell(fixes, at: now)
      let again = (0..<10).map { fix(now - Double(9 - $0), aheadM: rideM - Self.rideM * Double(9 - $0), leftM: 30) }
      return tell(again, at: now + 0.2, isLive: false)
    default: break
    }
    tell(fixes, at: now, mocked: kind == .mocker)
  }

  /// Holds back 40 s, and then tells too long a way.
  private mutating func compress(from second: Int, _ beganM: Double) -> Double {
    act(.lose(isSilent: false), at: Double(second))
    act(.comeBack, at: Double(second) + 40)
    let fixes = (0..<40).map { fix(Double(second + $0) + 0.5, aheadM: beganM + 2.5 * Self.rideM * Double($0)) }
    let told = Double(second) + 42.5
    tell(fixes, at: told, isLive: false)
    for more in 43..<max(43, seconds - 1 - second) {
      tell(
        [fix(Double(second + more) + 0.5, aheadM: beganM + 2.5 * Self.rideM * Double(more))],
        at: Double(second + more) + 0.5
      )
    }
    return told
  }

  /// Tells the rest of the game just before its end, with times that are as old, and as far ahead, as they may be.
  private mutating func waitForTheEdge() -> Double {
    let told = Double(seconds) - 2.5
    act(.lose(isSilent: false), at: Double(honestSeconds))
    act(.comeBack, at: told - 2.5)
    tell((honestSeconds..<Int(told) + 2).map(honest), at: told, isLive: false)
    return told
  }

  /// Keeps quiet for 40 s over a connection that answers, and again for the rest.
  private mutating func forgeGap() {
    let middle = honestSeconds + 40
    tell((honestSeconds..<middle).map(honest), at: Double(middle), isLive: false)
    tell((middle..<seconds - 1).map(honest), at: Double(seconds) - 0.5, isLive: false)
  }

  /// Every five seconds the other device says hello, and tells its own place.
  private mutating func useSecondDevice(_ beganM: Double) {
    let farM = random.fraction(in: 500...2_000)
    for second in honestSeconds..<seconds - 1 {
      let since = second - honestSeconds
      if since % 5 == 0 { act(.otherDevice, at: Double(second)) }
      let isOther = since / 5 % 2 == 0
      tell(
        [fix(Double(second) + 0.5, aheadM: Self.rideM * Double(second), leftM: isOther ? farM : 0)],
        at: Double(second) + 0.5
      )
    }
  }

  /// Tells a ride from before the game; loses its connection at the end, and comes back with a ride from behind it.
  private mutating func leaveTheGame() -> Double {
    let before = (0..<20).map { fix(Double($0) - 21, aheadM: Self.rideM * Double($0 - 21)) }
    tell(before, at: 0.1, isLive: false)
    act(.lose(isSilent: false), at: Double(seconds) - 0.8)
    act(.comeBack, at: Double(seconds) + 8)
    tell((seconds..<seconds + 8).map(honest), at: Double(seconds) + 8.2, isLive: false)
    return 0.1
  }

  // Laps.

  private mutating func lap(around ring: LandRing) -> PhoneScript {
    let times = PhoneWalk.timesMs(seconds: seconds - 4, rateHz: 1)
    let places = PhoneWalk.laps(around: ring, pace: Self.lapM, atMs: times)
    var fixes = zip(times, places).map { PhoneFix(atMs: $0, $1, accuracyM: accuracyM) }
    let told = Double(seconds) - 2
    switch kind {
    case .forgedGapLap: tell(fixes, at: told, isLive: false)
    case .fasterLap:
      act(.lose(isSilent: false), at: 0.2)
      act(.comeBack, at: told - 1.5)
      // A server would refuse more fixes a second than ten.
      for index in fixes.indices { fixes[index].atMs = (fixes[index].atMs + Int64(seconds) * 1_000) / 2 - 3_000 }
      tell(fixes, at: told, isLive: false)
    default:
      for fix in fixes { tell([fix], at: Double(fix.atMs) / 1_000) }
    }
    return end(cheatsFrom: kind == .fasterLap ? told : 0.5)
  }
}
