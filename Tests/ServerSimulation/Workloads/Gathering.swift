// Players make rooms, enter those of others by their codes, and start games: every run needs this.
import MadangProtocol
import Net
import SeededRandom

struct Gathering: Workload {
  private(set) var next: Timestamp
  private let plan: Plan
  private var random: SplitMix64

  init(_ plan: Plan, from start: Timestamp, random: SplitMix64) {
    self.plan = plan
    self.random = random
    next = start
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: max(30, 600 / plan.players))
    guard let player = random.pickFree(of: world) else { return }
    guard let copy = player.copy else { return enter(player, world, at: now) }
    switch copy.phase {
    case .lobby where copy.members.count >= 2 || random.chance(5):
      if random.chance(50) { player.ask(.startGame(.init()), .startGame(after: copy.lastEvent), at: now) }
    case .ended where random.chance(15):
      player.ask(.playAgain(.init()), .playAgain(after: copy.lastEvent), at: now)
    default:
      break
    }
  }

  private mutating func enter(_ player: Player, _ world: World, at now: Timestamp) {
    var codes: [String] = []
    for case let code? in world.players.map({ $0.copy?.code }) where !codes.contains(code) { codes.append(code) }
    if !codes.isEmpty, codes.count >= plan.rooms || random.chance(60) {
      var join = WireJoinRoom()
      join.code = random.pick(codes)
      join.watch = random.chance(15)
      player.ask(.joinRoom(join), .joinRoom, at: now)
      player.askForTimeAtOnce(at: now)
    } else {
      player.ask(.createRoom(Self.room(plan, &random)), .createRoom, at: now)
    }
  }

  /// A room with the configuration of the run.
  static func room(_ plan: Plan, _ random: inout SplitMix64) -> WireCreateRoom {
    var create = WireCreateRoom()
    create.mode = plan.mode
    if plan.mode == .territory {
      create.cutting = plan.cutting
      create.arena = TerritoryWalk.arena(&random)
      create.speedMaxMmS = TerritoryWalk.speedMaxMmS
    }
    create.capacity = plan.capacity
    create.durationS = plan.gameS
    create.tickHz = plan.tickHz
    create.hostOnly = plan.hostOnly
    create.spectators = plan.spectators
    create.fill = plan.fill
    create.fillStrength = plan.fillStrength
    return create
  }
}
