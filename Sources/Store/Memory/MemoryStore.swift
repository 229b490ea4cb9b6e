// The double: the same contract in dictionaries, for simulations and tests. Commits happen inside the call; answers are
// handed to whatever the maker gives, a queue of its own or a simulation's, which may hold them back. It lasts as long as
// the object does, over any number of servers.
import Dispatch
import Game
import Synchronization

/// A store in memory.
package final class MemoryStore: Store {
  private let tables = Mutex(MemoryTables())
  private let isClosed = Atomic<Bool>(false)
  private let answer: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Every completion is handed to `answer`, in the order of the calls; without one they run on a queue of the store's.
  package init(answer: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil) {
    if let answer {
      self.answer = answer
    } else {
      let queue = DispatchQueue(label: "madang.store.memory")
      self.answer = { queue.async(execute: $0) }
    }
  }

  private func respond<Value: Sendable>(
    _ completion: @escaping Completion<Value>,
    _ body: (inout sending MemoryTables) -> Value
  ) {
    let result: Result<Value, StoreFailure> =
      isClosed.load(ordering: .acquiring)
      ? .failure(.other("the store is closed")) : .success(tables.withLock { body(&$0) })
    answer { completion(result) }
  }

  package func commit(_ batch: Batch, _ completion: @escaping Completion<[Outcome]>) {
    respond(completion) { $0.write(batch) }
  }

  package func care(at now: Instant, keepJournals: Duration, _ completion: @escaping Completion<[DamagedSegment]>) {
    respond(completion) { tables in
      tables.forget(at: now, keepJournals: keepJournals)
      // Memory is whole.
      return []
    }
  }

  package func password(ofEmail email: String, _ completion: @escaping Completion<StoredPassword?>) {
    respond(completion) { $0.password(ofEmail: email) }
  }

  package func password(of player: PlayerID, _ completion: @escaping Completion<StoredPassword?>) {
    respond(completion) { $0.password(of: player) }
  }

  package func results(
    of player: PlayerID,
    before cursor: ResultCursor?,
    limit: Int,
    _ completion: @escaping Completion<[ResultRow]>
  ) {
    respond(completion) { $0.results(of: player, before: cursor, limit: limit) }
  }

  package func totals(of player: PlayerID, in ranges: [Range<Instant>], _ completion: @escaping Completion<[Totals]>) {
    respond(completion) { tables in ranges.map { tables.totals(of: player, in: $0) } }
  }

  package func badges(of player: PlayerID, _ completion: @escaping Completion<[AwardedBadge]>) {
    respond(completion) { tables in
      (tables.badges[player] ?? [:]).sorted { $0.key < $1.key }.map { AwardedBadge(badge: $0.key, awardedAt: $0.value) }
    }
  }

  package func liveRooms(_ body: (StoredRoom) throws -> Void) throws(StoreFailure) {
    do {
      for room in tables.withLock({ $0.liveRooms() }) { try body(room) }
    } catch {
      throw StoreFailure(error)
    }
  }

  package func strangers(among players: [PlayerID]) throws(StoreFailure) -> [PlayerID] {
    tables.withLock { tables in players.filter { tables.players[$0] == nil } }
  }

  package var lastAliveAt: Instant? {
    get throws(StoreFailure) { tables.withLock { $0.lastAliveAt } }
  }

  package func games(newest limit: Int) throws(StoreFailure) -> [GameRow] {
    tables.withLock { $0.games(newest: limit) }
  }

  package func game(_ id: GameID) throws(StoreFailure) -> StoredGame? {
    tables.withLock { $0.game(id) }
  }

  package func journal(of id: GameID) throws(StoreFailure) -> [UInt8]? {
    tables.withLock { $0.journal(of: id) }
  }

  package func close() {
    isClosed.store(true, ordering: .releasing)
  }
}
