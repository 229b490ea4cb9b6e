// One run: a server, a network, players and their actions, on one virtual clock, all drawn from one seed.
//
// Used on one thread. A step is one moment: arrived bytes are delivered, players and workloads do their due acts, the
// shards take turns until they rest, and every rule is checked. Then the clock moves to the next due moment.
import Game
import Net
import SeededRandom
import Server
import WebSocket

/// A part of a run that acts now and then.
protocol Workload {
  /// The time of its next act.
  var next: Timestamp { get }

  /// Acts, and sets `next` to a later moment.
  mutating func act(in world: World, at now: Timestamp)
}

package final class World {
  package let plan: Plan
  private let clock: VirtualClock
  let store: FaultyStore
  var server: SimulatedServer
  var condition = ServerCondition.serving
  var downSince = Timestamp(microseconds: 0)
  let network: Network
  private(set) var players: [Player] = []
  var ledger = Ledger()
  var written = WrittenRooms()
  var writtenTaps = WrittenTaps()
  var operators = SimulatedOperators()
  private(set) var schools: SimulatedSchools
  var capsules = CapsuleReferee()
  var stories = StoryReferee()
  let backend: SimulatedBackend
  /// The fences of the store.
  private(set) var fences: [GroundFence] = []
  let brokenOnPurpose: BrokenOnPurpose?
  let inflater = Inflater()
  package internal(set) var report = Report()

  /// The acknowledged chats, with the room's code, and the refused ones.
  var acknowledgedChats: [(text: String, code: String)] = []
  var refusedChats: [String] = []
  var homes = RoomHomes()
  /// Whether the store has had a fault: answers may call it unavailable.
  var hasStoreFailed = false

  private var workloads: [any Workload] = []
  private var random: SplitMix64
  private var fingerprint = RunFingerprint()
  private let isTraced: Bool
  /// The newest lines of a traced run.
  package private(set) var lines: [String] = []
  private let start: Timestamp
  private let configuration: ServerConfiguration
  private var order: [Int]

  /// The limit of rounds in one moment, far more than needed.
  private static let roundsMax = 2_000
  /// The limit of steps in one run, far more than needed.
  private static let stepsMax = 100_000
  private static let linesMax = 400

  /// Makes the world of a seed; `makeWorkloads` draws its workloads, which begin at the start.
  init(
    seed: UInt64,
    isTraced: Bool = false,
    brokenOnPurpose: BrokenOnPurpose? = nil,
    _ makeWorkloads: (Plan, _ start: Timestamp, inout SplitMix64) -> [any Workload]
  ) throws {
    var random = SplitMix64(seed: seed)
    plan = Plan(&random)
    start = Timestamp(milliseconds: 1_790_000_000_000 + Int64(random.draw(0...1_000_000)))
    clock = VirtualClock(start: start, lookMicroseconds: plan.lookMicroseconds)
    backend = SimulatedBackend(clock: clock, random: SplitMix64(seed: seed ^ 0xBACC))
    configuration = plan.configuration(random: SplitMix64(seed: random.next()), backend.receiver)
    store = FaultyStore(plan, clock: clock, random: SplitMix64(seed: random.next()), brokenOnPurpose)
    self.brokenOnPurpose = brokenOnPurpose
    schools = try SimulatedSchools(count: plan.schools)
    _ = try store.applySchools(schools.open, at: Instant(milliseconds: start.milliseconds))
    if plan.visits {
      fences = Ground.fences(from: start.milliseconds)
      try store.importFences(fences, at: Instant(milliseconds: start.milliseconds))
      operators.noteImport()
    }
    if plan.tellsWebhooks {
      store.addWebhook(at: Instant(milliseconds: start.milliseconds))
      operators.noteImport()
    }
    server = try SimulatedServer(configuration, store, clock: clock)
    network = Network(plan, random: SplitMix64(seed: random.next()))
    order = Array(0..<plan.shards)
    self.isTraced = isTraced
    self.random = SplitMix64(seed: random.next())
    for number in 0..<plan.players + plan.loners {
      let dialAt = start.advanced(milliseconds: Int64(random.draw(0...1_500)))
      players.append(Player(number, in: self, plan: plan, dialAt: dialAt, random: SplitMix64(seed: random.next())))
    }
    workloads = makeWorkloads(plan, start, &random)
    // From another generator, so that the seed's other draws stay the same.
    var visiting = SplitMix64(seed: seed ^ 0x5EED)
    for number in players.count..<players.count + plan.visitors {
      let dialAt = start.advanced(milliseconds: Int64(visiting.draw(0...1_500)))
      players.append(Player(number, in: self, plan: plan, dialAt: dialAt, random: SplitMix64(seed: visiting.next())))
    }
  }

  deinit {
    server.abandon()
  }

  /// Another server over the same store.
  func makeServer() throws -> SimulatedServer {
    if plan.editsSchools {
      schools.edit(&random)
      _ = try store.applySchools(schools.open, at: Instant(milliseconds: now.milliseconds))
    }
    if plan.visits, !fences.contains(where: { $0.id == Ground.laterFences[0].id }) {
      fences += Ground.laterFences
      try store.importFences(Ground.laterFences, at: Instant(milliseconds: now.milliseconds))
      operators.noteImport()
    }
    return try SimulatedServer(configuration, store, clock: clock)
  }

  func drawDownMs() -> Int64 {
    network.isCalm ? 1 : Int64(random.chance(80) ? random.draw(1...3_000) : random.draw(3_000...60_000))
  }

  var now: Timestamp { clock.current }

  /// Notes a line in a traced run.
  func trace(_ line: @autoclosure () -> String) {
    guard isTraced else { return }
    if lines.count == Self.linesMax { lines.removeFirst() }
    lines.append("\(now.microseconds(since: start) / 1_000) ms  \(line())")
  }

  // The run.

  /// Runs to the end; throws the first broken rule.
  package func run() throws(BrokenRule) {
    try pass(until: start.advanced(milliseconds: plan.busyMs)) { () throws(BrokenRule) in false }
    workloads = []
    network.calm(at: now)
    store.calm()
    backend.receiver.calm()
    if case .down = condition { condition = .down(until: now) }
    trace("no more faults")
    try awaitQuiescence()
    try checkTaps()
    try checkRankings()
    try checkRecords()
    try checkPlaces()
    try checkNews()
    try takeLeave()
    try checkGames()
    try checkTaps()
    try checkCapsules()
    try checkStories()
    try checkWebhooks()
    report.runs = 1
    report.arrivalsDeferred += server.arrivalsDeferred
    report.events = ledger.eventCount
    report.captures = ledger.captureCount
    report.chats = acknowledgedChats.count
    report.virtualSeconds = now.microseconds(since: start) / 1_000_000
    report.faults = network.counts
    report.storeFailures = store.failures
    report.fingerprint = fingerprint.value
  }

  /// Goes from moment to moment until `isOver` or `end`; true when it is over.
  @discardableResult
  func pass(until end: Timestamp, _ isOver: () throws(BrokenRule) -> Bool) throws(BrokenRule) -> Bool {
    while now < end {
      if try isOver() { return true }
      clock.advance(to: min(nextDue, end))
      try step()
    }
    return try isOver()
  }

  private var nextDue: Timestamp {
    var next = min(serverDue, network.nextDue ?? .distantFuture, store.nextDue ?? .distantFuture)
    next = min(next, backend.receiver.nextDue ?? .distantFuture)
    for player in players { next = min(next, player.nextWake) }
    for workload in workloads { next = min(next, workload.next) }
    return next
  }

  private func step() throws(BrokenRule) {
    report.steps += 1
    try BrokenRule.unless(report.steps <= Self.stepsMax, .comesToRest, "\(report.steps) steps")
    let now = now
    store.act(at: now)
    try takeWritten()
    try backend.act(at: now)
    try tendServer(at: now)
    network.deliverToServer(at: now) { link, bytes in note(link, bytes, at: now) }
    try network.deliverToPlayers(at: now) { link, bytes in note(link, bytes, at: now) }
    for player in players { try player.wake(at: now) }
    for index in workloads.indices where workloads[index].next <= now { workloads[index].act(in: self, at: now) }
    try takeTurns()
    try takeOutcomes()
    if case .down = condition { return }
    try ledger.observe(server, at: now)
    try checkQueues()
    try checkBudgets()
    try checkCensus()
    report.roomsMoved += try homes.check(server)
    try compareCopies()
    try compareRankings()
  }

  private func note(_ link: Link, _ bytes: [UInt8], at now: Timestamp) {
    fingerprint.add(now.microseconds)
    fingerprint.add(Int64(link.number))
    fingerprint.add(bytes)
  }

  /// Lets the shards take turns, in an order drawn anew each time, until none has anything to do.
  func takeTurns() throws(BrokenRule) {
    var rounds = 0
    var isAtWork = true
    while isAtWork {
      rounds += 1
      try BrokenRule.unless(rounds <= Self.roundsMax, .comesToRest, "\(rounds) rounds in one moment")
      isAtWork = false
      order.swapAt(0, random.draw(0...order.count - 1))
      for shard in order { isAtWork = server.turn(shard) || isAtWork }
      isAtWork = network.collect(at: now) || isAtWork
    }
  }
}
