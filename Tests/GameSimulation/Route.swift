// A walk in an arena: around in loops, across others' ways, home, out of the arena and back, or not at all. A value;
// whole numbers only, so that the walk is the same on every machine.
import SeededRandom

/// A walk in an arena.
struct Route {
  private(set) var spot: Spot
  private var ahead: [Spot] = []
  private var restMs = 0
  private let home: Spot
  private let sideMm: Int
  private let speedMmPerS: Int

  private static let corners = [
    (1_000, 0), (707, 707), (0, 1_000), (-707, 707), (-1_000, 0), (-707, -707), (0, -1_000), (707, -707),
  ]

  init(sideMm: Int, speedMmPerS: Int, random: inout SplitMix64) {
    self.sideMm = sideMm
    // In a small arena at full speed, people would only draw a line across it.
    self.speedMmPerS = min(speedMmPerS, sideMm / 12)
    home = Spot(x: random.draw(0...sideMm - 1), y: random.draw(0...sideMm - 1))
    spot = home
  }

  /// Continues for this long. `others` are the positions of all people.
  mutating func go(ms: Int, past others: [Spot], random: inout SplitMix64) {
    var leftMs = ms
    while leftMs > 0 {
      if restMs > 0 {
        let restedMs = min(restMs, leftMs)
        restMs -= restedMs
        leftMs -= restedMs
      } else if let next = ahead.first {
        // The sum of both ways is never less than the way, so nobody exceeds their speed.
        let way = abs(next.x - spot.x) + abs(next.y - spot.y)
        let reach = max(1, speedMmPerS * leftMs / 1_000)
        if way > reach {
          spot = Spot(x: spot.x + (next.x - spot.x) * reach / way, y: spot.y + (next.y - spot.y) * reach / way)
          leftMs = 0
        } else {
          spot = next
          ahead.removeFirst()
          leftMs -= max(1, way * 1_000 / speedMmPerS)
        }
      } else {
        plan(past: others, &random)
      }
    }
  }

  private mutating func plan(past others: [Spot], _ random: inout SplitMix64) {
    switch random.draw(1...100) {
    case 1...70: ahead = loop(&random)
    case 71...78: ahead = [random.pick(others), home]
    case 79...84: ahead = [home]
    case 85...87: ahead = [Spot(x: spot.x, y: random.chance(50) ? -30_000 : sideMm + 30_000), spot]
    case 88...90: restMs = random.draw(1_000...20_000)
    case 91...95: ahead = (0..<8).map { _ in around(8_000, &random) }
    default: ahead = [Spot(x: random.draw(0...sideMm), y: random.draw(0...sideMm))]
    }
  }

  /// A loop around a place nearby, in either direction, and a little further; seldom out of the arena.
  private func loop(_ random: inout SplitMix64) -> [Spot] {
    let radius = random.draw(8_000...max(9_000, sideMm / 3))
    var middle = around(radius, &random)
    if random.chance(95) {
      middle.x = max(radius, min(sideMm - radius, middle.x))
      middle.y = max(radius, min(sideMm - radius, middle.y))
    }
    let first = random.draw(0...7)
    let count = random.draw(7...9)
    return (0...count).map { number in
      let corner = Self.corners[(first + (middle.x & 1 == 0 ? number : 16 - number)) % 8]
      return Spot(x: middle.x + radius * corner.0 / 1_000, y: middle.y + radius * corner.1 / 1_000)
    }
  }

  private func around(_ reach: Int, _ random: inout SplitMix64) -> Spot {
    Spot(x: spot.x + random.draw(-reach...reach), y: spot.y + random.draw(-reach...reach))
  }
}
