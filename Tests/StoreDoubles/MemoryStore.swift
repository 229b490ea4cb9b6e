// The double: the same contract in dictionaries, for simulations and tests. Commits happen inside the call. Answers go
// to an executor of the maker's choice, a queue of its own or a simulation's, which may delay them. Its data live as
// long as the object, over any number of servers.
import Dispatch
import Game
import Store
import Synchronization

/// A store in memory.
package final class MemoryStore: Store {
  private let tables: Mutex<MemoryTables>
  private let isClosed = Atomic<Bool>(false)
  private let answer: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Hands every completion to `answer`, in the order of the calls; without one they run on a queue of the store's own.
  package init(
    webhookBytesMax: Int = WebhookTarget.pendingBytesMax,
    answer: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
  ) {
    var tables = MemoryTables()
    tables.webhooks.bytesMax = Int64(webhookBytesMax)
    self.tables = Mutex(tables)
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
    respond(completion) { .success(body(&$0)) }
  }

  /// Runs `body` on the tables, and waits for it.
  func change<Value: Sendable>(_ body: (inout sending MemoryTables) -> Value) -> Value {
    tables.withLock { body(&$0) }
  }

  /// Answers with the result of `body`, which may be a failure.
  func respond<Value: Sendable>(
    _ completion: @escaping Completion<Value>,
    _ body: (inout sending MemoryTables) -> Result<Value, StoreFailure>
  ) {
    let isClosed = isClosed.load(ordering: .acquiring)
    let result = isClosed ? .failure(.other("the store is closed")) : tables.withLock { body(&$0) }
    answer { completion(result) }
  }

  package func commit(_ batch: Batch, _ completion: @escaping Completion<[Outcome]>) {
    respond(completion) { $0.write(batch) }
  }

  package func maintain(at now: Instant, keepJournals: Duration, _ completion: @escaping Completion<[DamagedSegment]>) {
    respond(completion) { tables in
      tables.forget(at: now, keepJournals: keepJournals)
      // Memory is never damaged.
      return []
    }
  }

  package func erase(_ player: PlayerID, _ completion: @escaping Completion<Void>) {
    respond(completion) { $0.erase(player) }
  }

  /// Memory has no bound.
  package var usage: StoreUsage? { nil }

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

  package func blockedPlayers(of player: PlayerID, _ completion: @escaping Completion<[BlockedPlayer]>) {
    respond(completion) { tables in
      (tables.players[player]?.blocked ?? []).sorted().compactMap { id in
        tables.players[id].map { BlockedPlayer(id: id, nickname: $0.nickname) }
      }
    }
  }

  package func lands(_ ids: [LandID], _ completion: @escaping Completion<[Land]>) {
    respond(completion) { tables in ids.compactMap { id in tables.lands.first { $0.land.id == id }?.land } }
  }

  package func lands(
    near place: Coordinate,
    withinM: Int,
    limit: Int,
    _ completion: @escaping Completion<[NearbyLand]>
  ) {
    respond(completion) { $0.lands(near: place, withinMm: Int64(withinM) * 1_000, limit: limit) }
  }

  package func lands(
    in map: MapBox,
    after last: LandID?,
    limit: Int,
    _ completion: @escaping Completion<[FoundLand]>
  ) {
    respond(completion) { $0.lands(in: map, after: last, limit: limit) }
  }

  package func landNames(_ ids: Set<LandID>, _ completion: @escaping Completion<[LandID: String]>) {
    respond(completion) { $0.landNames(ids) }
  }

  package func land(_ id: LandID, _ completion: @escaping Completion<FoundLand?>) {
    respond(completion) { $0.land(id) }
  }

  package func lands(
    of player: PlayerID,
    sharedWith other: PlayerID?,
    before cursor: PlayerLandCursor?,
    limit: Int,
    _ completion: @escaping Completion<[PlayerLand]?>
  ) {
    respond(completion) { $0.lands(of: player, sharedWith: other, before: cursor, limit: limit) }
  }

  package func games(
    of room: RoomID,
    before number: UInt32?,
    limit: Int,
    _ completion: @escaping Completion<[StoredGame]>
  ) {
    respond(completion) { $0.games(of: room, before: number, limit: limit) }
  }

  package func tapCounts(
    ofPlayer number: UInt32,
    season: UInt32,
    _ completion: @escaping Completion<[TapCountRow]>
  ) {
    respond(completion) { $0.tally.counts(ofPlayer: number, season: season) }
  }

  package func sanctions(at now: Instant, limit: Int, _ completion: @escaping Completion<[SanctionRow]>) {
    respond(completion) { $0.sanctions(at: now, limit: limit) }
  }

  package func audit(before number: Int64?, limit: Int, _ completion: @escaping Completion<[AuditRow]>) {
    respond(completion) { $0.audit(before: number, limit: limit) }
  }

  package func addLands(_ lands: [Land]) throws(StoreFailure) -> [Bool] {
    tables.withLock { tables in lands.map { tables.add($0) } }
  }

  package func allLands(_ body: (Land) throws -> Void) throws(StoreFailure) {
    do {
      for entry in tables.withLock({ $0.lands }) { try body(entry.land) }
    } catch {
      throw StoreFailure(ofCaller: error)
    }
  }

  package func applySchools(_ edition: [School], at: Instant) throws(StoreFailure) -> SchoolEdition {
    tables.withLock { $0.schools.apply(edition) }
  }

  package func schools() throws(StoreFailure) -> [School] {
    tables.withLock { Array($0.schools.values) }
  }

  package func fences(_ body: (StoredFence) throws -> Void) throws(StoreFailure) {
    do {
      for fence in tables.withLock({ $0.fences.fences.values.sorted { $0.id < $1.id } }) { try body(fence) }
    } catch {
      throw StoreFailure(ofCaller: error)
    }
  }

  package func minutes(
    after first: Instant,
    through last: Instant,
    _ completion: @escaping Completion<[HistoryMinute]>
  ) {
    respond(completion) { .success($0.history.minutes(after: first, through: last)) }
  }

  package func webhooks() throws(StoreFailure) -> [WebhookRow] {
    tables.withLock { $0.webhooks.rows }
  }

  package func webhooks(_ completion: @escaping Completion<[WebhookRow]>) {
    respond(completion) { $0.webhooks.rows }
  }

  package func pendingWebhookEvents(
    of target: WebhookID,
    through last: Int64?,
    limit: Int,
    bytesMax: Int,
    _ completion: @escaping Completion<[PendingWebhookEvent]>
  ) {
    respond(completion) { $0.webhooks.pending(of: target, through: last ?? .max, limit: limit, bytesMax: bytesMax) }
  }

  package func tally(rows: (TallyRows) throws -> Void, segments: ([UInt8]) throws -> Void) throws(StoreFailure) {
    try tables.withLock { $0.tally }.hand(to: rows, segments)
  }

  package func finalRanking(of season: UInt32) throws(StoreFailure) -> SeasonClosing? {
    tables.withLock { $0.tally.closings[season] }
  }

  package func liveRooms(_ body: (StoredRoom) throws -> Void) throws(StoreFailure) {
    do {
      for room in tables.withLock({ $0.liveRooms() }) { try body(room) }
    } catch {
      throw StoreFailure(ofCaller: error)
    }
  }

  package func unknownPlayers(among players: [PlayerID]) throws(StoreFailure) -> [PlayerID] {
    tables.withLock { tables in players.filter { tables.players[$0] == nil } }
  }

  package var unfinishedDeletions: [PlayerID] {
    get throws(StoreFailure) {
      tables.withLock { $0.erasures.filter { $0.value.ended == nil }.keys.sorted() }
    }
  }

  package var lastConnection: UInt64 {
    get throws(StoreFailure) { tables.withLock { $0.sessions.values.map(\.connection).max() ?? 0 } }
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

  package func keepsTrack(of game: GameID) throws(StoreFailure) -> Bool {
    tables.withLock { MemoryTracks.isKept(game, $0.rooms, $0.erasures.keys) }
  }

  package func trackSharing(of player: PlayerID, in game: GameID) throws(StoreFailure) -> TrackSharing {
    tables.withLock { $0.tracks.sharing(of: player, in: game) }
  }

  package func sharedTrack(_ digest: [UInt8]) throws(StoreFailure) -> SharedTrack? {
    tables.withLock { tables in tables.tracks.shared(digest) { tables.game($0) } }
  }

  package func journal(ofRunning id: GameID) throws(StoreFailure) -> [UInt8]? {
    tables.withLock { $0.journal(ofRunning: id) }
  }

  package func journal(of id: GameID) throws(StoreFailure) -> [UInt8]? {
    tables.withLock { $0.journal(of: id) }
  }

  package func close() {
    isClosed.store(true, ordering: .releasing)
  }
}
