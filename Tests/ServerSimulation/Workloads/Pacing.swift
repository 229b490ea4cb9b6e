// Players turn their screens off and on: they ask for other paces of ticks, nothing but events among them.
import Net
import SeededRandom

struct Pacing: Workload {
  private(set) var next: Timestamp
  private var random: SplitMix64

  init(from start: Timestamp, random: SplitMix64) {
    self.random = random
    next = start
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: 400)
    guard let player = random.pickFree(of: world), player.copy != nil else { return }
    player.setPace(random.pick([nil, 0, 0, 1, 2, 20]), at: now)
  }
}
