// A game in which a phone tells a walk through a network with outages. A value; it is over when it is made.
import Game
import SeededRandom

/// One telling of a walk.
struct LateWalkGame {
  /// The walk and its room.
  struct Plan {
    let configuration: RoomConfiguration
    let seed: UInt64
    let durationMs: Int64
    let fixes: [Fix]
  }

  /// The figures that must be the same however the walk is told.
  struct Outcome: Equatable {
    var points: UInt32 = 0
    var distanceMm: Int64 = 0
    var time = Duration.zero
    var isCompleted = false
    /// The times of captures.
    var runs: [Duration] = []
    /// The vertices that the last run has visited.
    var visited = 0
    var withheldPercent: UInt8 = 0
  }

  static let began = Instant(milliseconds: 1_790_000_000_000)
  private static let walker = Place.seat(0)
  private static let other = Place.seat(1)
  private static let stepMs: Int64 = 100
  private static let answerMs: Int64 = 200
  /// The longest wait of a solo game's board, and the phone's last messages.
  private static let endMs: Int64 = 700_000

  private(set) var outcome = Outcome()
  private(set) var wasSuspect = false
  private(set) var lateFixes = 0
  private(set) var fingerprint: UInt64 = 0

  private let plan: Plan
  private let outages: [Outage]
  private var room: Room
  private var effects = Effects()
  private var phone = KeepingPhone()
  private var random: SplitMix64
  private var nowMs: Int64 = 0
  /// The beginning of the phone's connection, and its number.
  private var connectedMs: Int64 = 0
  private var connection = 0
  private var inFlight: [(dueMs: Int64, connection: Int, message: KeepingPhone.Message)] = []
  private var answer: (dueMs: Int64, connection: Int, through: Instant)?
  private var isOver = false
  private var hasEnded = false

  private var now: Instant { Self.began + .milliseconds(nowMs) }

  init(_ plan: Plan, outages: [Outage]) throws {
    self.plan = plan
    self.outages = outages
    random = SplitMix64(seed: ~plan.seed)
    room = Room(plan.configuration, seed: plan.seed, at: Self.began)
    for seat in 0..<plan.configuration.capacity {
      apply(.join(PlayerID(UInt128(seat) + 1), nickname: "\(seat)"))
    }
    apply(.startGame(Self.walker))
    var next = 0
    while !isOver {
      try changeNetwork()
      deliver()
      while next < plan.fixes.count, plan.fixes[next].time.map({ $0 <= now }) ?? false {
        send(phone.take(plan.fixes[next]))
        next += 1
      }
      if nowMs >= plan.durationMs, !hasEnded, phone.isConnected, !isCut {
        hasEnded = true
        send(phone.end())
      }
      if nowMs % 500 == 0 { apply(.tick(through: .max)) }
      try Violation.unless(nowMs < plan.durationMs + Self.endMs, "the game does not end")
      nowMs += Self.stepMs
    }
  }

  // The network.

  /// Whether no message passes now.
  private var isCut: Bool { outages.contains { $0.contains(nowMs) } }

  private mutating func changeNetwork() throws {
    for outage in outages where outage.kind == .gap {
      if isNow(outage.beginMs + outage.noticedByPhoneMs) { phone.lose() }
      if isNow(outage.beginMs + outage.noticedByServerMs), outage.contains(nowMs) { apply(.lose(Self.walker)) }
      if outage.crashesServer, isNow((outage.beginMs + outage.endMs) / 2) { try crash() }
      if isNow(outage.endMs) { comeBack() }
    }
  }

  private func isNow(_ ms: Int64) -> Bool { (nowMs..<nowMs + Self.stepMs).contains(ms) }

  /// The server ends and begins again at the same moment, with what it has written.
  private mutating func crash() throws {
    var writer = JournalWriter()
    var bytes: [UInt8] = []
    writer.append(snapshotOf: room, at: now)
    writer.take(into: &bytes)
    guard let recovered = try RoomRecovery(from: bytes)?.room else { throw Violation(description: "no room") }
    room = recovered
    apply(.restart(downtime: .zero))
    if plan.configuration.capacity > 1 { apply(.comeBack(Self.other)) }
  }

  private mutating func comeBack() {
    phone.lose()
    connection += 1
    connectedMs = nowMs
    inFlight.removeAll()
    answer = nil
    apply(.comeBack(Self.walker))
    if nowMs >= plan.durationMs {
      hasEnded = true
      _ = phone.end()
    }
    send(phone.comeBack(judgedThrough: room.judgedThrough(seat: 0)))
  }

  /// Sends a message: it arrives at once, at the end of a stall, or not at all.
  private mutating func send(_ message: KeepingPhone.Message?) {
    guard let message else { return }
    guard let dueMs = arrivalMs(after: 0) else { return }
    inFlight.append((dueMs, connection, message))
    deliver()
  }

  private func arrivalMs(after delayMs: Int64) -> Int64? {
    let dueMs = nowMs + delayMs
    guard let outage = outages.first(where: { $0.contains(dueMs) || $0.contains(nowMs) }) else { return dueMs }
    return outage.kind == .stall ? outage.endMs : nil
  }

  private mutating func deliver() {
    while let first = inFlight.first, first.dueMs <= nowMs {
      inFlight.removeFirst()
      receive(first.message)
    }
    if let arrived = answer, arrived.dueMs <= nowMs {
      answer = nil
      send(phone.answered(through: arrived.through))
    }
  }

  // The server.

  private mutating func receive(_ message: KeepingPhone.Message) {
    switch message {
    case .move(let fix):
      apply(.move(Self.walker, fix))
    case .moves(let fixes, let hasMore):
      let batch = FixBatch(fixes, hasMore: hasMore, aliveSince: Self.began + .milliseconds(connectedMs))
      lateFixes += fixes.count
      // A batch whose answer was lost comes again.
      for _ in 0..<(random.chance(10) ? 2 : 1) { apply(.moves(Self.walker, batch)) }
      let through = fixes.compactMap(\.time).max() ?? Self.began
      if let dueMs = arrivalMs(after: Self.answerMs) {
        answer = (dueMs, connection, max(through, room.judgedThrough(seat: 0) ?? through))
      }
    }
  }

  private mutating func apply(_ input: Input) {
    guard !isOver else { return }
    room.apply(input, at: now, into: &effects)
    for output in effects.outputs { take(output) }
  }

  private mutating func take(_ output: Effect) {
    switch output {
    case .verdict(Self.walker, _, suspect: true):
      wasSuspect = true
    case .run(Self.walker, let run):
      outcome.visited = run.visited
      if run.state == .captured { outcome.runs.append(run.time) }
    case .gameEnded(let result):
      isOver = true
      fingerprint = result.fingerprint
      guard let row = result.board.first(where: { $0.seat == 0 }) else { return }
      outcome.points = row.points
      outcome.distanceMm = row.distanceMm
      outcome.time = row.time
      outcome.isCompleted = row.completed
      outcome.withheldPercent = row.withheldPercent
    default: break
    }
  }
}
