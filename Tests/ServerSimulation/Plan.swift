// The draws of a seed before a run begins: players, duration, workloads, faults and limits. A value.
import Gateway
import MadangProtocol
import Net
import SeededRandom
import Server

package struct Plan: Sendable {
  let players: Int
  let rooms: Int
  let shards: Int
  /// The duration of workloads and faults.
  let busyMs: Int64
  let mode: WireMode
  /// Whether paths are cut, in territory mode.
  let cutting: Bool
  let gameS: UInt32
  /// Whether rooms are so fast, and shards so loaded, that moves are read right before ticks.
  let readsAtTicks: Bool
  let tickHz: UInt32
  /// A large room tells far players less often; it has few players here all the same.
  let capacity: UInt32
  let hostOnly: Bool
  let spectators: Bool
  /// So many free seats at most are practice opponents'.
  let fill: UInt32
  let fillStrength: WireWalkerStrength
  let compresses: Bool
  /// The number of players in a hundred that speak JSON.
  let jsonPercent: Int

  let walks: Bool
  let chats: Bool
  let churns: Bool
  let stalls: Bool
  let storms: Bool
  /// The mean time between two cut connections; nil for none.
  let cutMs: Int?
  /// Whether players change their names, block each other and look up their results.
  let tendsAccounts: Bool
  let taps: Bool
  /// The number of further players that never enter a room, and tap.
  let loners: Int
  let schools: Int
  /// Whether other editions of the list of schools come while the server is down.
  let editsSchools: Bool
  /// The mean time between two ends of the server; nil for none.
  let crashMs: Int?
  /// The number of ends in a hundred that are in good order.
  let drainPercent: Int
  let graceS: Int64
  /// The mean time between two faults of the store; nil for none.
  let storeFaultMs: Int?
  /// The longest time of a commit.
  let commitMs: Int
  let commitIntervalMs: Int64

  let latencyMs: ClosedRange<Int>
  let jitterPercent: Int
  let jitterMs: Int
  let dripPercent: Int
  /// The time that each look at the clock takes.
  let lookMicroseconds: Int64
  let limits: NetLimits
  /// The mean time between two actions of operators; nil for none.
  let operateMs: Int?
  /// Whether players ask for other paces of ticks.
  let paces: Bool
  /// Whether players watch places and bury capsules, and the number of further players who do nothing else.
  let visits: Bool
  let visitors: Int
  /// Whether players write posts.
  let writes: Bool
  /// Whether a backend is told of events.
  let tellsWebhooks: Bool
  /// Whether one player uses everything that is allowed.
  let isGreedy: Bool
  /// Whether shards become full, so that lobbies move.
  let fillsShards: Bool
  /// Whether hosts remove players and lock their rooms.
  let hostsAct: Bool

  init(_ random: inout SplitMix64) {
    // One in ten is long enough for holds to expire and rooms to be deserted, with few players.
    let isLong = random.chance(10)
    players = isLong ? random.draw(2...4) : random.draw(2...12)
    rooms = random.draw(1...min(3, (players + 1) / 2))
    shards = random.draw(1...3)
    busyMs = Int64(isLong ? random.draw(40_000...90_000) : random.draw(6_000...15_000))
    mode = random.chance(40) ? .territory : .footprint
    cutting = mode == .territory && random.chance(50)
    gameS = UInt32(mode == .territory ? random.draw(15...30) : random.draw(10...13))
    let slowTickHz = UInt32(random.draw(2...5))
    let smallCapacity = UInt32(random.draw(2...max(2, players)))
    hostOnly = random.chance(20)
    spectators = random.chance(80)
    compresses = random.chance(30)
    jsonPercent = random.pick([0, 0, 25, 100])

    walks = random.chance(80)
    chats = random.chance(80)
    churns = random.chance(50)
    stalls = random.chance(60)
    storms = random.chance(30)
    cutMs = random.pick([nil, 8_000, 4_000, 1_500])

    tendsAccounts = random.chance(50)
    taps = random.chance(60)
    loners = taps ? random.draw(0...2) : 0
    schools = random.draw(1...6)
    editsSchools = random.chance(30)
    crashMs = random.pick([nil, 12_000, 5_000, 2_500])
    drainPercent = random.pick([0, 25, 100])
    graceS = Int64(random.draw(1...8))
    storeFaultMs = random.pick([nil, nil, 6_000, 3_000])
    commitMs = random.pick([1, 10, 50, 50, 400])
    commitIntervalMs = random.pick([50, 50, 50, 0, 200])

    latencyMs = random.pick([1...2, 5...40, 30...150])
    jitterPercent = random.pick([0, 5, 30])
    jitterMs = random.pick([50, 400, 2_000])
    dripPercent = random.pick([0, 0, 20, 80])
    lookMicroseconds = random.pick([0, 0, 0, 100, 1_500])
    var limits = NetLimits()
    limits.connectionsMax = 10_000
    limits.descriptorsMax = 20_000
    limits.compressTextFromBytes = random.pick([64, 1_024])
    limits.compressBinaryFromBytes = limits.compressTextFromBytes
    limits.kernelSendBytes = 2_048
    limits.behindBytes = random.pick([50, 300, 64 * 1_024])
    limits.unsentBytesMax = random.pick([16 * 1_024, 1_024 * 1_024])
    operateMs = random.pick([nil, nil, 1_500, 500])
    // From a copy, so that the seed's other draws stay the same.
    var copy = random
    isGreedy = copy.chance(20)
    paces = copy.chance(60)
    capacity = copy.chance(30) ? UInt32(copy.draw(50...200)) : smallCapacity
    visits = copy.chance(50)
    visitors = visits ? copy.draw(1...2) : 0
    tellsWebhooks = copy.chance(60)
    writes = copy.chance(50)
    fillsShards = shards > 1 && copy.chance(80)
    hostsAct = copy.chance(40)
    fill = copy.chance(35) ? UInt32(copy.draw(1...10)) : 0
    fillStrength = copy.pick([.easy, .even, .hard])
    // Moves are read right before the ticks of fast rooms, from a load on that these runs have with it.
    readsAtTicks = copy.chance(30)
    if readsAtTicks { limits.coalescingDeliveriesPerSecond = 1 }
    tickHz = readsAtTicks ? UInt32(copy.draw(10...20)) : slowTickHz
    self.limits = limits
  }

  /// Whether a seed's run has a greedy player.
  package static func isGreedy(seed: UInt64) -> Bool {
    var random = SplitMix64(seed: seed)
    return Plan(&random).isGreedy
  }

  func configuration(random: SplitMix64, _ sender: any WebhookSender) -> ServerConfiguration {
    var configuration = ServerConfiguration(webRoot: nil)
    configuration.shards = shards
    configuration.gateway.compresses = true
    configuration.gateway.graceSeconds = graceS
    configuration.gateway.commitIntervalMilliseconds = commitIntervalMs
    configuration.netLimits = limits
    configuration.webhookSender = sender
    configuration.publicURL = "https://play.example.org"
    let source = DrawnBytes(random)
    configuration.gateway.random = { source.draw($0) }
    return configuration
  }
}
