// Players leave their rooms; the gathering brings them into others.
import MadangProtocol
import Net
import SeededRandom

struct Churn: Workload {
  private(set) var next: Timestamp
  private var random: SplitMix64

  init(from start: Timestamp, random: SplitMix64) {
    self.random = random
    next = start.advanced(milliseconds: 1_000)
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: 1_500)
    guard let player = random.pickFree(of: world), player.copy != nil else { return }
    player.ask(.leaveRoom(.init()), .leaveRoom, at: now)
  }
}
