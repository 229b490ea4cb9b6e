// Players take nothing from the network for a while: some catch up, the server gives up others.
import Net
import SeededRandom

struct SlowReaders: Workload {
  private(set) var next: Timestamp
  private var random: SplitMix64

  init(from start: Timestamp, random: SplitMix64) {
    self.random = random
    next = start.advanced(milliseconds: 1_500)
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: 2_000)
    let links = world.players.compactMap(\.link)
    guard !links.isEmpty else { return }
    let stallMs = random.chance(70) ? random.draw(3_000...16_000) : random.draw(200...4_000)
    let link = random.pick(links)
    world.trace("link \(link.number) is not read for \(stallMs) ms")
    world.network.stall(link, until: now.advanced(milliseconds: Int64(stallMs)))
  }
}
