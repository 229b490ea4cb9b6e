// The store's disk is full, broken or stands still for a while.
import Net
import SeededRandom
import Store

struct StoreFaults: Workload {
  private(set) var next: Timestamp
  private let meanMs: Int
  private var random: SplitMix64

  init(meanMs: Int, from start: Timestamp, random: SplitMix64) {
    self.meanMs = meanMs
    self.random = random
    next = start
    next = self.random.moment(after: start, aboutMs: meanMs)
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: meanMs)
    let lastsMs = Int64(random.draw(random.chance(70) ? 50...2_000 : 2_000...8_000))
    let end = now.advanced(milliseconds: lastsMs)
    world.hasStoreFailed = true
    switch random.draw(1...3) {
    case 1:
      world.trace("the store is full for \(lastsMs) ms")
      world.store.fail(.full, until: end)
    case 2:
      world.trace("the store is broken for \(lastsMs) ms")
      world.store.fail(.io("error 5"), until: end)
    default:
      world.trace("the store stands still for \(lastsMs) ms")
      world.store.stall(until: end)
    }
  }
}
