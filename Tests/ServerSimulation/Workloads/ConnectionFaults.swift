// Connections end, one now and then, in each possible way.
import Net
import SeededRandom

struct ConnectionFaults: Workload {
  private(set) var next: Timestamp
  private let cutMs: Int
  private var random: SplitMix64

  init(cutMs: Int, from start: Timestamp, random: SplitMix64) {
    self.cutMs = cutMs
    self.random = random
    next = start
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: cutMs)
    let links = world.players.compactMap(\.link)
    guard !links.isEmpty else { return }
    let link = random.pick(links)
    let cut = random.pick(Network.Cut.allCases)
    world.trace("link \(link.number) is \(cut)")
    world.network.cut(link, cut, at: now)
  }
}
