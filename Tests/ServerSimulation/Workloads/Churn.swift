// Players leave their rooms. The gathering brings them into others; some ask for one at the same time.
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
    guard let player = random.pickFree(of: world), let copy = player.copy else { return }
    player.ask(.leaveRoom(.init()), .leaveRoom, at: now)
    let others = world.players.compactMap(\.copy?.code).filter { $0 != copy.code }
    guard !others.isEmpty, random.chance(30) else { return }
    var join = WireJoinRoom()
    join.code = random.pick(others)
    join.watch = random.chance(15)
    player.ask(.joinRoom(join), .joinRoom, at: now)
  }
}
