// The server is lost from one moment to the next, or ordered to end, and comes back after a while.
import Net
import SeededRandom

struct Crashes: Workload {
  private(set) var next: Timestamp
  private let meanMs: Int
  private let drainPercent: Int
  private var random: SplitMix64

  init(meanMs: Int, _ drainPercent: Int, from start: Timestamp, random: SplitMix64) {
    self.meanMs = meanMs
    self.drainPercent = drainPercent
    self.random = random
    next = start
    next = self.random.moment(after: start, aboutMs: meanMs)
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: meanMs)
    if random.chance(drainPercent) { world.drain(at: now) } else { world.crash(at: now) }
  }
}
