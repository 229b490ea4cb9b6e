// A player who walks about an arena, by seeded chance.
//
// A value.
import SeededRandom

struct ArenaWalker {
  enum Habit {
    /// Keeps turning, in changing directions.
    case loops
    /// Walks to and fro without ever closing anything.
    case lines
  }

  private let habit: Habit
  private(set) var eastM: Double
  private(set) var northM: Double
  private let speedM: Double
  private var turn = 0.1
  /// The direction: a vector of length 1.
  private var (east, north) = (1.0, 0.0)

  init(_ habit: Habit, _ number: Int, _ random: inout SplitMix64) {
    self.habit = habit
    switch habit {
    case .loops:
      eastM = Double(random.draw(10...3_990))
      northM = Double(random.draw(10...3_990))
      speedM = Double(random.draw(15...80)) / 10
    case .lines:
      (eastM, northM, speedM) = (50, 15 + Double(number) * 19, 8)
    }
  }

  mutating func go(seconds: Double, _ random: inout SplitMix64) {
    switch habit {
    case .loops:
      if random.draw(0...999) < Int(10 * seconds) {
        turn = Double(random.draw(20...300)) / (random.chance(50) ? 1_000 : -1_000)
      }
      // A small turn, kept to length 1.
      (east, north) = (east - north * turn * seconds, north + east * turn * seconds)
      let length = (east * east + north * north).squareRoot()
      (east, north) = (east / length, north / length)
      eastM += east * speedM * seconds + Double(random.draw(-10...10)) / 10
      northM += north * speedM * seconds + Double(random.draw(-10...10)) / 10
    case .lines:
      eastM += east * speedM * seconds
      if eastM < 40 || eastM > ArenaRoom.sideM - 40 {
        east = -east
        northM += 12
      }
    }
    eastM = min(max(eastM, 5), ArenaRoom.sideM - 5)
    northM = min(max(northM, 5), ArenaRoom.sideM - 5)
  }
}
