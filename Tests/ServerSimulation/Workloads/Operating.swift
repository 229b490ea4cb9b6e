// Operators kick players, ban and mute them for a while, close rooms and announce.
import Game
import MadangProtocol
import Net
import SeededRandom
import Server

struct Operating: Workload {
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
    guard world.isServing else { return }
    let known = world.players.filter { !$0.isLoner && $0.playerID != nil }
    let codes = world.players.compactMap(\.copy?.code)
    switch random.draw(1...12) {
    case 1 where !codes.isEmpty:
      let code = random.pick(codes)
      guard let room = RoomCode(code).flatMap({ world.written.rooms[$0]?.row.id }) else { return }
      world.operators.mayClose(code)
      world.operate(.closeRoom(room))
    case 2: world.operate(.announce(world.operators.makeAnnouncement(), in: nil))
    case 3 where !codes.isEmpty:
      guard let room = RoomCode(random.pick(codes)).flatMap({ world.written.rooms[$0]?.row.id }) else { return }
      world.operate(.announce(world.operators.makeAnnouncement(), in: room))
    default:
      guard !known.isEmpty else { return }
      actOnPlayer(random.pick(known), in: world)
    }
  }

  private mutating func actOnPlayer(_ player: Player, in world: World) {
    guard let id = player.playerID.flatMap({ PlayerID($0) }) else { return }
    // Shorter than the time in which a run must become quiescent.
    let duration = Duration.milliseconds(random.draw(1_000...6_000))
    let action: OperatorAction =
      switch random.draw(1...8) {
      case 1: .kick(id)
      case 2, 3: .ban(id, for: duration, reason: "a ban of a simulation")
      case 4: .unban(id)
      case 5, 6, 7: .mute(id, for: duration, reason: "")
      default: .unmute(id)
      }
    world.operate(action, on: player)
  }
}
