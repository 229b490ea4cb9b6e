// A store that does as the test says: holds commits back, fails them, or loses what rooms did in them.
//
// Any thread; guarded by a lock. What it does not hold back or fail is the double's.
import Dispatch
import Game
import Store
import StoreDoubles
import Synchronization

final class StubbornStore: ForwardingStore {
  private struct State {
    var failure: StoreFailure?
    var maintenanceFailure: StoreFailure?
    var readingFailure: StoreFailure?
    var maintenanceRuns = 0
    var isHolding = false
    var held: [@Sendable () -> Void] = []
    var failed = 0
    var isLosing = false
    /// What rooms did last is lost.
    var hasLostEnd = false
    var damaged: [DamagedSegment] = []
    var damagesTally = false
    var isHoldingJournals = false
    var isHoldingErasures = false
    var heldErasures: [(player: PlayerID, completion: Completion<Void>)] = []
  }

  let inner: any Store = MemoryStore()
  private let state = Mutex(State())
  private let journalsGate = DispatchSemaphore(value: 0)

  /// From now on commits fail with this; nil: succeed.
  func fail(with failure: StoreFailure?) {
    state.withLock { $0.failure = failure }
  }

  /// From now on what operators look at can't be read, with this; nil: can.
  func failReading(with failure: StoreFailure?) {
    state.withLock { $0.readingFailure = failure }
  }

  /// From now on maintenance fails with this; nil: succeeds.
  func failMaintenance(with failure: StoreFailure?) {
    state.withLock { $0.maintenanceFailure = failure }
  }

  /// From now on segments are lost, as by a disk that damages them behind the commit, or no longer.
  func loseSegments(_ isLosing: Bool) {
    state.withLock { $0.isLosing = isLosing }
  }

  /// The next maintenance finds a damaged segment.
  func find(_ damaged: DamagedSegment) {
    state.withLock { $0.damaged = [damaged] }
  }

  /// From now on who reads a running game's journal waits for `releaseJournal`.
  func holdJournals() {
    state.withLock { $0.isHoldingJournals = true }
  }

  /// One who waits for a journal goes on.
  func releaseJournal() {
    journalsGate.signal()
  }

  /// From now on who is deleted is marked and not erased.
  func holdErasures() {
    state.withLock { $0.isHoldingErasures = true }
  }

  /// Forgets who has waited for it, as a crash does.
  func forgetErasures() {
    state.withLock { state in
      state.isHoldingErasures = false
      state.heldErasures = []
    }
  }

  var heldErasureCount: Int { state.withLock { $0.heldErasures.count } }

  /// Erases who has waited for it.
  func releaseErasures() {
    for (player, completion) in takeErasures() { inner.erase(player, completion) }
  }

  /// Tells those who have waited for it that it fails; they stay marked.
  func failErasures(with failure: StoreFailure) {
    for (_, completion) in takeErasures() { completion(.failure(failure)) }
  }

  private func takeErasures() -> [(player: PlayerID, completion: Completion<Void>)] {
    state.withLock { state in
      state.isHoldingErasures = false
      defer { state.heldErasures = [] }
      return state.heldErasures
    }
  }

  /// The oldest segment of the tally is read with a wrong byte from now on.
  func damageTally() {
    state.withLock { $0.damagesTally = true }
  }

  /// From now on commits wait.
  func hold() {
    state.withLock { $0.isHolding = true }
  }

  /// Does what has waited, in order; what comes from now on waits no more, or does.
  func release(andHold isHolding: Bool = false) {
    let held = state.withLock { state in
      state.isHolding = isHolding
      defer { state.held = [] }
      return state.held
    }
    for commit in held { commit() }
  }

  /// Forgets what has waited, as a crash does, and holds nothing back any more.
  func forget() {
    state.withLock { state in
      state.isHolding = false
      state.held = []
    }
  }

  var heldCount: Int { state.withLock { $0.held.count } }
  var maintenanceCount: Int { state.withLock { $0.maintenanceRuns } }
  var failedCount: Int { state.withLock { $0.failed } }

  func commit(_ batch: Batch, _ completion: @escaping Completion<[Outcome]>) {
    let inner = inner
    let failure: StoreFailure?? = state.withLock { state in
      if batch.segments.contains(where: { !$0.isEmpty }) { state.hasLostEnd = state.isLosing }
      if state.isLosing {
        inner.commit(Batch(at: batch.at, changes: batch.changes, tally: batch.tally), completion)
        return .some(nil)
      }
      if state.isHolding {
        state.held.append { inner.commit(batch, completion) }
        return .some(nil)
      }
      guard let failure = state.failure else { return .none }
      state.failed += 1
      return failure
    }
    switch failure {
    case .none: inner.commit(batch, completion)
    case .some(nil): break
    case .some(let failure?): completion(.failure(failure))
    }
  }

  func maintain(at now: Instant, keepJournals: Duration, _ completion: @escaping Completion<[DamagedSegment]>) {
    let (found, failure) = state.withLock { state in
      defer { state.damaged = [] }
      state.maintenanceRuns += 1
      return (state.damaged, state.maintenanceFailure)
    }
    if let failure { return completion(.failure(failure)) }
    inner.maintain(at: now, keepJournals: keepJournals) { completion($0.map { $0 + found }) }
  }

  func erase(_ player: PlayerID, _ completion: @escaping Completion<Void>) {
    let isHolding = state.withLock { state in
      if state.isHoldingErasures { state.heldErasures.append((player, completion)) }
      return state.isHoldingErasures
    }
    if !isHolding { inner.erase(player, completion) }
  }

  private var readingFailure: StoreFailure? { state.withLock { $0.readingFailure } }

  func tapCounts(ofPlayer number: UInt32, season: UInt32, _ completion: @escaping Completion<[TapCountRow]>) {
    if let failure = readingFailure { return completion(.failure(failure)) }
    inner.tapCounts(ofPlayer: number, season: season, completion)
  }

  func sanctions(at now: Instant, limit: Int, _ completion: @escaping Completion<[SanctionRow]>) {
    if let failure = readingFailure { return completion(.failure(failure)) }
    inner.sanctions(at: now, limit: limit, completion)
  }

  func audit(before number: Int64?, limit: Int, _ completion: @escaping Completion<[AuditRow]>) {
    if let failure = readingFailure { return completion(.failure(failure)) }
    inner.audit(before: number, limit: limit, completion)
  }

  func tally(rows: (TallyRows) throws -> Void, segments: ([UInt8]) throws -> Void) throws(StoreFailure) {
    var isDamaged = state.withLock { $0.damagesTally }
    try inner.tally(rows: rows) { bytes in
      var bytes = bytes
      if isDamaged { bytes[bytes.count - 1] ^= 1 }
      isDamaged = false
      try segments(bytes)
    }
  }

  func liveRooms(_ body: (StoredRoom) throws -> Void) throws(StoreFailure) {
    let mayLackEnd = state.withLock { $0.hasLostEnd }
    try inner.liveRooms { room in
      var room = room
      room.mayLackEnd = mayLackEnd
      try body(room)
    }
  }

  func journal(ofRunning id: GameID) throws(StoreFailure) -> [UInt8]? {
    if state.withLock({ $0.isHoldingJournals }) { journalsGate.wait() }
    return try inner.journal(ofRunning: id)
  }
}
