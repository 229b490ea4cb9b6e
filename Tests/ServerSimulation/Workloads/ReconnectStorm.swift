// Nearly all players lose their connection at once, as when a proxy restarts, and come back at once.
import Net
import SeededRandom

struct ReconnectStorm: Workload {
  private(set) var next: Timestamp
  private var random: SplitMix64

  init(from start: Timestamp, random: SplitMix64) {
    self.random = random
    next = start
    next = self.random.moment(after: start, aboutMs: 4_000)
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: 6_000)
    world.trace("a storm")
    world.network.counts.storms += 1
    for player in world.players {
      guard let link = player.link, random.chance(90) else { continue }
      world.network.cut(link, random.chance(80) ? .closed : .reset, at: now)
    }
  }
}
