// Shards become full, and have room again: driven shards have no load of their own. Most often it is the shard of a
// lobby, so that the room moves when its game begins. One shard always has room, so that no new room is refused.
import MadangProtocol
import Net
import SeededRandom

struct FullShards: Workload {
  private(set) var next: Timestamp
  private var random: SplitMix64

  init(from start: Timestamp, random: SplitMix64) {
    self.random = random
    next = start
  }

  mutating func act(in world: World, at now: Timestamp) {
    // A load is forgotten after two seconds.
    next = random.moment(after: now, aboutMs: 600)
    guard world.isServing else { return }
    let lobbies = world.players.compactMap(\.copy).filter { $0.phase == .lobby }
    let codes = lobbies.compactMap { RoomCode($0.code) }
    var full = random.draw(0...world.plan.shards - 1)
    if !codes.isEmpty, random.chance(90) { full = world.homes[random.pick(codes)] ?? full }
    let free = (full + random.draw(1...world.plan.shards - 1)) % world.plan.shards
    for shard in 0..<world.plan.shards {
      let isFull = shard == full || shard != free && random.chance(30)
      world.server.load(shard, isFull ? Double(random.draw(80...100)) / 100 : 0.2)
    }
  }
}
