// Hosts lock their rooms and open them again, and remove a member now and then.
import MadangProtocol
import Net
import SeededRandom

struct Hosting: Workload {
  private(set) var next: Timestamp
  private var random: SplitMix64

  init(from start: Timestamp, random: SplitMix64) {
    self.random = random
    next = start
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: 500)
    guard let player = random.pickFree(of: world), let copy = player.copy else { return }
    // Those who are no hosts try it too, and are refused.
    guard copy.isHost(copy.you) || random.chance(20) else { return }
    if random.chance(15) {
      let others = copy.members.values.map(\.playerID).sorted()
      var kick = WireKickPlayer()
      kick.playerID = random.pick(others)
      player.ask(.kickPlayer(kick), .kickPlayer(kick.playerID, after: copy.lastEvent), at: now)
    } else {
      var lock = WireLockRoom()
      lock.locked = !copy.isLocked && random.chance(60)
      player.ask(.lockRoom(lock), .lockRoom, at: now)
    }
  }
}
