// Land mode: runs around lands, and their holders. A value beside a room's seats. Fixes are judged before they come
// here.
// Decisions: 037 (docs/decisions).

/// The state of land mode in the newest game.
struct LandGame: ModeRules {
  /// A run begins within this distance of a vertex; beyond it the player is warned.
  static let vertexReachMm: Int64 = 10_000

  /// The holder of a land.
  struct Holder: Hashable, Sendable {
    var seat: Int
    /// The time that the run took.
    var timeMs: Int64
  }

  let lands: [Land]
  /// Whether captures are records of their players.
  private let ranksRuns: Bool
  /// A run with a larger share of withheld fixes is no record.
  private let withheldPercentMax: Int
  /// The time of a lap at the greatest speed, by land.
  private let lapsMinMs: [Int64]
  /// By land, for the walks of practice opponents; empty without any. See `Land.milestonesMm`.
  let milestonesMm: [[Int64]]
  /// By land.
  private(set) var holders: [Holder?]
  /// By seat, up to the highest that has been taken.
  private var runs: ContiguousArray<LandRun?> = []
  private let seats: Int
  /// Seats whose players were notified that they are too far from every land.
  private var seatsTooFar: SlotSet

  init(_ settings: LandSettings, _ terms: GameTerms) {
    lands = settings.lands
    ranksRuns = terms.ranksRuns
    withheldPercentMax = terms.withheldPercentMax
    let speed = Int64(terms.speedMaxMmPerS)
    lapsMinMs = lands.map { ($0.lengthMm * 1_000 + speed - 1) / speed }
    milestonesMm = terms.hasWalkers ? lands.map(\.milestonesMm) : []
    holders = Array(repeating: nil, count: lands.count)
    seats = terms.seats
    seatsTooFar = SlotSet(count: seats)
  }

  mutating func makeSeats(_ count: Int) {
    while runs.count < count { runs.append(nil) }
  }

  var seatsTaken: Int {
    max(runs.count, (holders.compactMap { $0?.seat }.max() ?? -1) + 1)
  }

  mutating func clear() {
    for land in holders.indices { holders[land] = nil }
    end()
  }

  /// Ends all runs with the game.
  mutating func end() {
    for seat in runs.indices { runs[seat] = nil }
    seatsTooFar.removeAll()
  }

  /// The number of lands that a seat holds.
  func points(of seat: Int) -> UInt32 {
    holders.reduce(0) { $0 + ($1?.seat == seat ? 1 : 0) }
  }

  /// The total time of the runs by which a seat holds its lands.
  func tieTimeMs(of seat: Int) -> Int64 {
    holders.reduce(0) { $0 + ($1?.seat == seat ? $1?.timeMs ?? 0 : 0) }
  }

  /// Whether every land is held, which leaves nothing to do.
  var isCompleted: Bool { holders.allSatisfy { $0 != nil } }

  func completionMs(of seat: Int) -> Int64? { isCompleted ? tieTimeMs(of: seat) : nil }

  /// The state of a seat's run; nil without one.
  func run(of seat: Int, at now: Instant) -> RunProgress? {
    guard runs.indices.contains(seat) else { return nil }
    return runs[seat].map { progress($0.isWarned ? .warned : .running, $0, at: now) }
  }

  /// Ends a seat's run.
  mutating func giveUp(_ seat: Int, at now: Instant, into outputs: inout [Effect]) -> Bool {
    guard let run = runs[seat] else { return false }
    runs[seat] = nil
    outputs.append(.run(.seat(seat), progress(.givenUp, run, at: now)))
    return true
  }

  mutating func leave(_ seat: Int) {
    runs[seat] = nil
  }

  /// The segment to the player's current position is not believed and visits nothing. A refused fix has no position.
  mutating func disbelieve(_ seat: Int, isRefused: Bool, into outputs: inout [Effect]) {
    if !isRefused { runs[seat]?.last = nil }
  }

  /// The player who captures a land holds it; the game ends when all are held.
  mutating func take(_ fix: CountedFix, into outputs: inout [Effect]) -> Score {
    guard let capture = walk(fix, into: &outputs) else { return .nothing }
    let (land, time) = (lands[capture.land].id, Duration.milliseconds(capture.timeMs))
    if ranksRuns, capture.withheldPercent <= withheldPercentMax, let player = fix.player {
      outputs.append(.landRun(LandRunResult(player: player, land: land, time: time), at: fix.sample.time))
    }
    return .captured(.land(land, time: time), endsGame: isCompleted)
  }

  /// Moves a seat's player: their run begins, continues or captures its land. Returns the captured land, the time of
  /// the run, and the share of its fixes that were withheld.
  private mutating func walk(
    _ fix: CountedFix,
    into outputs: inout [Effect]
  ) -> (land: Int, timeMs: Int64, withheldPercent: Int)? {
    let (seat, sample) = (fix.seat, fix.sample)
    guard let land = runs[seat]?.land else {
      begin(fix, into: &outputs)
      return nil
    }
    let now = sample.time
    let visitedBefore = runs[seat]?.visitedCount
    let wasWarned = runs[seat]?.isWarned
    runs[seat]?.walk(to: sample, isWithheld: fix.isWithheld, past: lands[land])
    let distance = lands[land].squaredDistanceMm2(from: sample.coordinate, withinMm: Self.vertexReachMm)
    runs[seat]?.isWarned = distance == nil
    guard let run = runs[seat] else { return nil }
    let timeMs = run.timeMs(at: now)
    guard run.visitedCount >= lands[land].visitsMin, timeMs >= lapsMinMs[land] else {
      if run.visitedCount != visitedBefore || run.isWarned != wasWarned {
        outputs.append(.run(.seat(seat), progress(run.isWarned ? .warned : .running, run, at: now)))
      }
      return nil
    }
    runs[seat] = nil
    holders[land] = Holder(seat: seat, timeMs: timeMs)
    outputs.append(.run(.seat(seat), progress(.captured, run, at: now)))
    for other in runs.indices where runs[other]?.land == land {
      _ = giveUp(other, at: now, into: &outputs)
    }
    return (land, timeMs, run.withheldPercent)
  }

  /// Begins a run at the nearest land without a holder; the first of two equally near.
  private mutating func begin(_ fix: CountedFix, into outputs: inout [Effect]) {
    let (seat, sample) = (fix.seat, fix.sample)
    var nearest: (land: Int, squaredMm2: Int64)?
    for land in lands.indices where holders[land] == nil {
      let squaredMm2 = lands[land].squaredDistanceMm2(from: sample.coordinate, withinMm: Self.vertexReachMm)
      if let squaredMm2, squaredMm2 < nearest?.squaredMm2 ?? .max { nearest = (land, squaredMm2) }
    }
    guard let land = nearest?.land else {
      guard !seatsTooFar.contains(seat) else { return }
      seatsTooFar.insert(seat)
      return outputs.append(.run(.seat(seat), RunProgress(.tooFar)))
    }
    seatsTooFar.remove(seat)
    let run = LandRun(of: land, vertices: lands[land].vertices.count, from: sample, isWithheld: fix.isWithheld)
    runs[seat] = run
    outputs.append(.run(.seat(seat), progress(.running, run, at: sample.time)))
  }

  private func progress(_ state: RunState, _ run: LandRun, at now: Instant) -> RunProgress {
    RunProgress(state, land: run.land, visited: run.visitedCount, time: .milliseconds(run.timeMs(at: now)))
  }
}

// In a journal. The lands are part of the room's settings.
extension LandGame {
  func write(to state: inout RecordWriter) {
    for holder in holders {
      state.bytes.flag(holder != nil)
      guard let holder else { continue }
      state.bytes.number(holder.seat)
      state.bytes.number(holder.timeMs)
    }
    for seat in state.places(taken: runs.count, of: seats) {
      let run = seat < runs.count ? runs[seat] : nil
      state.bytes.flag(run != nil)
      run?.write(to: &state)
    }
    seatsTooFar.write(to: &state)
  }

  mutating func read(from state: inout RecordReader) throws(JournalFault) {
    for land in holders.indices where try state.bytes.flag() {
      let seat = try state.bytes.number(in: 0...seats - 1, "seat")
      holders[land] = Holder(seat: seat, timeMs: try state.bytes.number(in: 0...RecordReader.greatest, "time of a run"))
    }
    for seat in try state.places(of: seats) where try state.bytes.flag() {
      makeSeats(seat + 1)
      runs[seat] = try LandRun(in: lands, from: &state)
    }
    try seatsTooFar.read(below: seats, from: &state)
  }
}
