// Forged walks: each kind breaks a rule of positions, or obeys them all and is listed as unavoidable. A value; the same
// seed gives the same forgery.
import Game
import SeededRandom

/// A kind of forged walk.
package enum Forgery: String, CaseIterable, Sendable {
  // The kinds of the load test's bots.
  case teleport, doubleSpeed, frozenClock, mocked
  /// 1.15 to 1.5 times the greatest speed.
  case passenger
  case fivefoldSpeed
  /// A speed of 1.3 to 2 times the greatest, in uneven steps and with claims from 3 to 50 m.
  case unevenSpeed
  /// Far too fast for some seconds, then still, then again.
  case surges
  /// Two places in turn, a few fixes at each.
  case shuttle
  /// A place is kept until its fixes are believed, then the next one.
  case relay
  /// A few dozen metres to the side every few seconds, for new footprints.
  case hops
  /// Times ahead of the server.
  case ahead
  /// Each time is told twice, for two places.
  case twoPlacesAtOnce
  /// Some of the fixes say that they are mocked.
  case partlyMocked
  /// An honest ride, held back and told in a fraction of its time.
  case compressed
  /// The fixes of two people who are far from each other, as one stream.
  case twoPeople
  /// Fixes that are as old as the room allows, and too fast.
  case windowEdge

  // These obey every rule.
  /// A walk that never was, at the greatest speed.
  case plausible
  /// A true walk at 3 m/s, told in a quarter of its time.
  case compressedWithinBounds
  /// 1.05 times the greatest speed, with claims of 20 m.
  case slightlyFaster
  /// One jump every 25 to 40 s.
  case rareJumps
  /// Back and forth within the claimed accuracy, ten times a second.
  case zigzag
  /// The clock is set back, and the walk goes on elsewhere.
  case clockSetBack

  /// Whether it breaks no rule that a server can see.
  package var isUnavoidable: Bool {
    switch self {
    case .plausible, .compressedWithinBounds, .slightlyFaster, .rareJumps, .zigzag, .clockSetBack: true
    default: false
    }
  }

  /// The greatest speed of a player, in mm/s.
  static let speedMax: Int64 = 12_500
  static let lengthMs: Int64 = 120_000
}

/// A fix, and the time at which it is told, in milliseconds from the walk's beginning.
struct ToldFix {
  var fix: Fix
  var atMs: Int64
}

/// Draws the fixes of a forgery.
struct Forger {
  private var random: SplitMix64
  private let beganMs: Int64
  private var accuracyM: UInt32
  private var told: [ToldFix] = []

  /// The fixes of two minutes from `beganMs` on, where an honest walk has ended at the way's beginning.
  static func fixes(of kind: Forgery, fromMs beganMs: Int64, random: SplitMix64) -> [ToldFix] {
    var forger = Forger(random: random, beganMs: beganMs)
    forger.forge(kind)
    return forger.told
  }

  private init(random: SplitMix64, beganMs: Int64) {
    self.random = random
    self.beganMs = beganMs
    accuracyM = UInt32(self.random.draw(3...20))
  }

  private mutating func tell(
    _ timeMs: Int64,
    northMm: Int64,
    eastMm: Int64 = 0,
    atMs: Int64? = nil,
    mocked: Bool = false
  ) {
    let noise = (north: Int64(random.draw(-1_500...1_500)), east: Int64(random.draw(-1_500...1_500)))
    let coordinate = HonestWalk.coordinate(
      northM: Double(northMm + noise.north) / 1_000,
      eastM: Double(eastMm + noise.east) / 1_000
    )
    let time = ForgeryTrial.began + .milliseconds(beganMs + timeMs)
    let fix = Fix(latE7: coordinate.latE7, lngE7: coordinate.lngE7, accuracyM: accuracyM, time: time, mocked: mocked)
    told.append(ToldFix(fix: fix, atMs: beganMs + (atMs ?? timeMs)))
  }

  /// A straight way at one speed, a fix a second.
  private mutating func ride(mmPerS: Int64, fromMm: Int64 = 0, atMs: (Int64) -> Int64 = { $0 }) {
    for timeMs in stride(from: 1_000, through: Forgery.lengthMs, by: 1_000) {
      tell(timeMs, northMm: fromMm + mmPerS * timeMs / 1_000, atMs: atMs(timeMs))
    }
  }

  private mutating func forge(_ kind: Forgery) {
    switch kind {
    case .doubleSpeed: ride(mmPerS: 2 * Forgery.speedMax, fromMm: 40_000)
    case .fivefoldSpeed: ride(mmPerS: 5 * Forgery.speedMax)
    case .passenger: ride(mmPerS: Forgery.speedMax * Int64(random.draw(115...150)) / 100)
    case .unevenSpeed: forgeUnevenSpeed()
    case .surges: forgeSurges()
    case .teleport: forgeTeleport()
    case .shuttle: forgeStays(atMm: Int64(random.draw(200_000...5_000_000)), fixes: 1...4, places: 2)
    case .relay: forgeStays(atMm: Int64(random.draw(200_000...5_000_000)), fixes: 11...14, places: random.draw(2...9))
    case .hops: forgeStays(atMm: Int64(random.draw(60_000...100_000)), fixes: 1...3, places: random.draw(2...9))
    case .rareJumps: forgeStays(atMm: 1_000_000, fixes: 25...40, places: 9)
    case .mocked: forgeMocked(every: 1)
    case .partlyMocked: forgeMocked(every: random.draw(2...8))
    case .frozenClock, .ahead, .twoPlacesAtOnce, .windowEdge, .compressed, .clockSetBack: forgeTimes(kind)
    case .twoPeople: forgeTwoPeople()
    case .plausible: ride(mmPerS: Forgery.speedMax - 100)
    case .compressedWithinBounds:
      ride(mmPerS: 12_000, atMs: { Forgery.lengthMs * 4 + $0 / 60 })
    case .slightlyFaster:
      accuracyM = 20
      ride(mmPerS: Forgery.speedMax * 105 / 100)
    case .zigzag:
      accuracyM = 20
      for timeMs in stride(from: 100, through: Forgery.lengthMs, by: 100) {
        tell(timeMs, northMm: timeMs / 100 % 2 == 0 ? 0 : 17_000)
      }
    }
  }

  private mutating func forgeUnevenSpeed() {
    let speed = Forgery.speedMax * Int64(random.draw(130...200)) / 100
    for timeMs in stride(from: 1_000, through: Forgery.lengthMs, by: 1_000) {
      accuracyM = UInt32(random.draw(3...50))
      let unevenMm = speed * Int64(random.draw(-60...60)) / 100
      tell(timeMs, northMm: speed * timeMs / 1_000 + unevenMm)
    }
  }

  private mutating func forgeSurges() {
    let fastS = Int64(random.draw(5...9))
    let stillS = Int64(random.draw(2...4))
    let speed = Forgery.speedMax * Int64(random.draw(25...40)) / 10
    var northMm: Int64 = 0
    for second in 1...Forgery.lengthMs / 1_000 {
      if second % (fastS + stillS) < fastS { northMm += speed }
      tell(second * 1_000, northMm: northMm)
    }
  }

  private mutating func forgeTeleport() {
    for second in 1...Forgery.lengthMs / 1_000 {
      // Further than any player comes in a game, and far from each other too.
      tell(second * 1_000, northMm: (second % 2 == 0 ? 55_000_000 : -55_000_000) + second % 7 * 1_000_000)
    }
  }

  /// Stays of so many fixes at each of some places, with a walk at each.
  private mutating func forgeStays(atMm apartMm: Int64, fixes: ClosedRange<Int>, places: Int) {
    var place: Int64 = 1
    var left = random.draw(fixes)
    for second in 1...Forgery.lengthMs / 1_000 {
      tell(second * 1_000, northMm: place * apartMm, eastMm: second * 2_000)
      left -= 1
      if left == 0 {
        left = random.draw(fixes)
        place = (place + 1) % Int64(places)
      }
    }
  }

  private mutating func forgeMocked(every count: Int) {
    for second in 1...Forgery.lengthMs / 1_000 {
      tell(second * 1_000, northMm: second * 3_000, mocked: second % Int64(count) == 0)
    }
  }

  private mutating func forgeTimes(_ kind: Forgery) {
    let aheadMs = Int64(random.draw(2_500...60_000))
    let share = Int64(random.draw(25...40))
    for second in 1...Forgery.lengthMs / 1_000 {
      let timeMs = second * 1_000
      switch kind {
      case .frozenClock: tell(500, northMm: second * 4_000, atMs: timeMs)
      case .ahead: tell(timeMs + aheadMs, northMm: second * 3_000, atMs: timeMs)
      case .twoPlacesAtOnce:
        tell(timeMs, northMm: second * 3_000)
        tell(timeMs, northMm: second * 3_000, eastMm: 300_000)
      // A solo room takes fixes of the whole game; the edge is that of a shared room.
      case .windowEdge: tell(timeMs, northMm: second * 20_000, atMs: timeMs + 119_000)
      // Told at once behind the ride, at 6 to 8 m/s in 25 to 40 % of its time.
      case .compressed: tell(timeMs, northMm: second * 800_000 / share, atMs: Forgery.lengthMs * 4 + second * 20)
      case .clockSetBack:
        tell(timeMs % 20_000, northMm: second * 3_000, eastMm: timeMs / 20_000 * 500_000, atMs: timeMs)
      default: break
      }
    }
  }

  private mutating func forgeTwoPeople() {
    let apartMm = Int64(random.draw(100_000...20_000_000))
    for second in 1...Forgery.lengthMs / 1_000 {
      tell(second * 1_000, northMm: second * 2_000)
      tell(second * 1_000 + 500, northMm: apartMm, eastMm: second * 2_000)
    }
  }
}
