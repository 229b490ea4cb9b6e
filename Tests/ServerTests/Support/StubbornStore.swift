// A store under the test's control: it holds commits back, fails them, or loses rooms' events in them.
//
// Any thread; guarded by a lock. Everything else goes to the double.
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
    /// Rooms' last events are lost.
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

  /// Makes later commits fail with this; with nil succeed.
  func fail(with failure: StoreFailure?) {
    state.withLock { $0.failure = failure }
  }

  /// Makes operators' later reads fail with this; with nil succeed.
  func failReading(with failure: StoreFailure?) {
    state.withLock { $0.readingFailure = failure }
  }

  /// Makes later maintenance fail with this; with nil succeed.
  func failMaintenance(with failure: StoreFailure?) {
    state.withLock { $0.maintenanceFailure = failure }
  }

  /// Makes later segments lost, as on a disk that damages them after the commit, or ends that.
  func loseSegments(_ isLosing: Bool) {
    state.withLock { $0.isLosing = isLosing }
  }

  /// Makes the next maintenance find a damaged segment.
  func find(_ damaged: DamagedSegment) {
    state.withLock { $0.damaged = [damaged] }
  }

  /// Makes later readers of a running game's journal wait for `releaseJournal`.
  func holdJournals() {
    state.withLock { $0.isHoldingJournals = true }
  }

  /// Lets one waiting reader of a journal go on.
  func releaseJournal() {
    journalsGate.signal()
  }

  /// Makes later deletions mark players without erasing them.
  func holdErasures() {
    state.withLock { $0.isHoldingErasures = true }
  }

  /// Forgets the waiting erasures, as a crash does.
  func forgetErasures() {
    state.withLock { state in
      state.isHoldingErasures = false
      state.heldErasures = []
    }
  }

  var heldErasureCount: Int { state.withLock { $0.heldErasures.count } }

  /// Erases the waiting players.
  func releaseErasures() {
    for (player, completion) in takeErasures() { inner.erase(player, completion) }
  }

  /// Fails the waiting erasures; the players stay marked.
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

  /// Makes later reads of the tally's oldest segment have a wrong byte.
  func damageTally() {
    state.withLock { $0.damagesTally = true }
  }

  /// Makes later commits wait.
  func hold() {
    state.withLock { $0.isHolding = true }
  }

  /// Does the waiting commits, in order; later ones wait no more, or do.
  func release(andHold isHolding: Bool = false) {
    let held = state.withLock { state in
      state.isHolding = isHolding
      defer { state.held = [] }
      return state.held
    }
    for commit in held { commit() }
  }

  /// Forgets the waiting commits, as a crash does, and holds nothing back any more.
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
