// A store in front of another one: each call is forwarded to the inner store. A test's double conforms to it, and
// implements only the calls in which it differs.
//
// It has no state and no thread of its own. The extension's methods are the defaults of a conforming type.
import Game
import Store

/// A store that forwards all calls that it does not implement.
package protocol ForwardingStore: Store {
  /// The store that calls are forwarded to.
  var inner: any Store { get }

  /// Forwards maintenance or a read with a completion. All of them come through here, so a double that delays or fails
  /// each of them implements only this.
  func forward<Value>(
    _ completion: @escaping Completion<Value>,
    _ call: @escaping @Sendable (any Store, @escaping Completion<Value>) -> Void
  )
}

extension ForwardingStore {
  package func forward<Value>(
    _ completion: @escaping Completion<Value>,
    _ call: @escaping @Sendable (any Store, @escaping Completion<Value>) -> Void
  ) {
    call(inner, completion)
  }

  package func close() { inner.close() }
}

// Commits, maintenance and deletions.
extension ForwardingStore {
  package func commit(_ batch: Batch, _ completion: @escaping Completion<[Outcome]>) {
    inner.commit(batch, completion)
  }

  package var lastAliveAt: Instant? { get throws(StoreFailure) { try inner.lastAliveAt } }

  package func maintain(at now: Instant, keepJournals: Duration, _ completion: @escaping Completion<[DamagedSegment]>) {
    forward(completion) { $0.maintain(at: now, keepJournals: keepJournals, $1) }
  }

  package var usage: StoreUsage? { inner.usage }

  package func erase(_ player: PlayerID, _ completion: @escaping Completion<Void>) { inner.erase(player, completion) }

  package var unfinishedDeletions: [PlayerID] { get throws(StoreFailure) { try inner.unfinishedDeletions } }
}

// Players.
extension ForwardingStore {
  package func password(ofEmail email: String, _ completion: @escaping Completion<StoredPassword?>) {
    forward(completion) { $0.password(ofEmail: email, $1) }
  }

  package func password(of player: PlayerID, _ completion: @escaping Completion<StoredPassword?>) {
    forward(completion) { $0.password(of: player, $1) }
  }

  package func unknownPlayers(among players: [PlayerID]) throws(StoreFailure) -> [PlayerID] {
    try inner.unknownPlayers(among: players)
  }

  package var lastConnection: UInt64 { get throws(StoreFailure) { try inner.lastConnection } }
}

// Rooms and games.
extension ForwardingStore {
  package func liveRooms(_ body: (StoredRoom) throws -> Void) throws(StoreFailure) { try inner.liveRooms(body) }

  package func journal(ofRunning id: GameID) throws(StoreFailure) -> [UInt8]? { try inner.journal(ofRunning: id) }

  package func journal(of id: GameID) throws(StoreFailure) -> [UInt8]? { try inner.journal(of: id) }

  package func games(newest limit: Int) throws(StoreFailure) -> [GameRow] { try inner.games(newest: limit) }

  package func game(_ id: GameID) throws(StoreFailure) -> StoredGame? { try inner.game(id) }

  package func games(
    of room: RoomID,
    before number: UInt32?,
    limit: Int,
    _ completion: @escaping Completion<[StoredGame]>
  ) {
    forward(completion) { $0.games(of: room, before: number, limit: limit, $1) }
  }

  package func results(
    of player: PlayerID,
    before cursor: ResultCursor?,
    limit: Int,
    _ completion: @escaping Completion<[ResultRow]>
  ) {
    forward(completion) { $0.results(of: player, before: cursor, limit: limit, $1) }
  }

  package func totals(of player: PlayerID, in ranges: [Range<Instant>], _ completion: @escaping Completion<[Totals]>) {
    forward(completion) { $0.totals(of: player, in: ranges, $1) }
  }

  package func badges(of player: PlayerID, _ completion: @escaping Completion<[AwardedBadge]>) {
    forward(completion) { $0.badges(of: player, $1) }
  }
}

extension ForwardingStore {
  package func blockedPlayers(of player: PlayerID, _ completion: @escaping Completion<[BlockedPlayer]>) {
    forward(completion) { $0.blockedPlayers(of: player, $1) }
  }
}

// Lands.
extension ForwardingStore {
  package func lands(_ ids: [LandID], _ completion: @escaping Completion<[Land]>) {
    forward(completion) { $0.lands(ids, $1) }
  }

  package func lands(
    near place: Coordinate,
    withinM: Int,
    limit: Int,
    _ completion: @escaping Completion<[NearbyLand]>
  ) {
    forward(completion) { $0.lands(near: place, withinM: withinM, limit: limit, $1) }
  }

  package func lands(
    in map: MapBox,
    after last: LandID?,
    limit: Int,
    _ completion: @escaping Completion<[FoundLand]>
  ) {
    forward(completion) { $0.lands(in: map, after: last, limit: limit, $1) }
  }

  package func landNames(_ ids: Set<LandID>, _ completion: @escaping Completion<[LandID: String]>) {
    forward(completion) { $0.landNames(ids, $1) }
  }

  package func land(_ id: LandID, _ completion: @escaping Completion<FoundLand?>) {
    forward(completion) { $0.land(id, $1) }
  }

  package func keepRankings(of periods: [RankingPeriod], _ completion: @escaping Completion<Void>) {
    forward(completion) { $0.keepRankings(of: periods, $1) }
  }

  package func rankings(
    of lands: [LandID],
    in period: RankingPeriod,
    top: Int,
    for player: PlayerID,
    ownTimesMax: Int,
    _ completion: @escaping Completion<[LandRanking]>
  ) {
    forward(completion) { $0.rankings(of: lands, in: period, top: top, for: player, ownTimesMax: ownTimesMax, $1) }
  }

  package func ranking(
    of land: LandID,
    in period: RankingPeriod,
    after cursor: RankingCursor?,
    limit: Int,
    for player: PlayerID,
    _ completion: @escaping Completion<RankingPage?>
  ) {
    forward(completion) { $0.ranking(of: land, in: period, after: cursor, limit: limit, for: player, $1) }
  }

  package func lands(
    of player: PlayerID,
    sharedWith other: PlayerID?,
    before cursor: PlayerLandCursor?,
    limit: Int,
    _ completion: @escaping Completion<[PlayerLand]?>
  ) {
    forward(completion) { $0.lands(of: player, sharedWith: other, before: cursor, limit: limit, $1) }
  }

  package func addLands(_ lands: [Land]) throws(StoreFailure) -> [Bool] { try inner.addLands(lands) }

  package func allLands(_ body: (Land) throws -> Void) throws(StoreFailure) { try inner.allLands(body) }
}

// Proposals of lands.
extension ForwardingStore {
  package func landProposals(
    of player: PlayerID,
    before cursor: ProposalCursor?,
    limit: Int,
    _ completion: @escaping Completion<[LandProposal]>
  ) {
    forward(completion) { $0.landProposals(of: player, before: cursor, limit: limit, $1) }
  }

  package func waitingProposals(limit: Int, _ completion: @escaping Completion<[ProposalRow]>) {
    forward(completion) { $0.waitingProposals(limit: limit, $1) }
  }

  package func landProposal(_ id: ProposalID, _ completion: @escaping Completion<LandProposal?>) {
    forward(completion) { $0.landProposal(id, $1) }
  }
}

// Links to games.
extension ForwardingStore {
  package func keepsTrack(of game: GameID) throws(StoreFailure) -> Bool { try inner.keepsTrack(of: game) }

  package func trackSharing(of player: PlayerID, in game: GameID) throws(StoreFailure) -> TrackSharing {
    try inner.trackSharing(of: player, in: game)
  }

  package func sharedTrack(_ digest: [UInt8]) throws(StoreFailure) -> SharedTrack? { try inner.sharedTrack(digest) }
}

// Capsules and fences.
extension ForwardingStore {
  package func capsule(
    _ id: CapsuleID,
    visibleTo player: PlayerID,
    _ completion: @escaping Completion<CapsuleSummary?>
  ) {
    forward(completion) { $0.capsule(id, visibleTo: player, $1) }
  }

  package func capsules(
    near place: Coordinate,
    withinM: Int,
    visibleTo player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<[NearCapsule]>
  ) {
    forward(completion) { $0.capsules(near: place, withinM: withinM, visibleTo: player, limit: limit, $1) }
  }

  package func capsules(_ lookups: [CapsuleLookup], _ completion: @escaping Completion<[[CapsuleSummary]]>) {
    forward(completion) { $0.capsules(lookups, $1) }
  }

  package func capsules(
    _ scope: CapsuleScope,
    of player: PlayerID,
    by sort: CapsuleSort,
    after cursor: CapsuleCursor?,
    limit: Int,
    _ completion: @escaping Completion<[CapsuleSummary]>
  ) {
    forward(completion) { $0.capsules(scope, of: player, by: sort, after: cursor, limit: limit, $1) }
  }

  package func capsules(
    in map: MapBox,
    _ scope: CapsuleScope,
    of player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<CapsuleMap>
  ) {
    forward(completion) { $0.capsules(in: map, scope, of: player, limit: limit, $1) }
  }

  package func capsuleHighlights(
    _ scope: CapsuleScope,
    of player: PlayerID,
    at place: Coordinate,
    _ completion: @escaping Completion<CapsuleHighlights>
  ) {
    forward(completion) { $0.capsuleHighlights(scope, of: player, at: place, $1) }
  }

  package func capsules(ownedBy player: PlayerID, _ completion: @escaping Completion<[Capsule]>) {
    forward(completion) { $0.capsules(ownedBy: player, $1) }
  }

  package func playersNamed(
    by capsule: CapsuleID,
    of owner: PlayerID,
    _ completion: @escaping Completion<[PlayerID]?>
  ) {
    forward(completion) { $0.playersNamed(by: capsule, of: owner, $1) }
  }

  package func capsuleCounts(_ completion: @escaping Completion<CapsuleCounts>) {
    forward(completion) { $0.capsuleCounts($1) }
  }

  package func fences(_ body: (StoredFence) throws -> Void) throws(StoreFailure) { try inner.fences(body) }
}

// Media.
extension ForwardingStore {
  package func media(_ ids: [MediaID], _ completion: @escaping Completion<[StoredMedia]>) {
    forward(completion) { $0.media(ids, $1) }
  }

  package func usedMedia(_ id: MediaID, _ completion: @escaping Completion<StoredMedia?>) {
    forward(completion) { $0.usedMedia(id, $1) }
  }

  package func mediaKey(orKeep new: [UInt8]) throws(StoreFailure) -> [UInt8] { try inner.mediaKey(orKeep: new) }

  package func putBlobs(_ digest: MediaDigest, files: [MediaSize: String], _ completion: @escaping Completion<Void>) {
    forward(completion) { $0.putBlobs(digest, files: files, $1) }
  }

  package func releaseBlobs(_ digest: MediaDigest) { inner.releaseBlobs(digest) }

  package func openBlob(_ name: BlobName, _ completion: @escaping Completion<(any OpenBlob)?>) {
    forward(completion) { $0.openBlob(name, $1) }
  }

  package func blobNames() throws(StoreFailure) -> [BlobName] { try inner.blobNames() }
}

// Webhooks.
extension ForwardingStore {
  package func webhooks() throws(StoreFailure) -> [WebhookRow] { try inner.webhooks() }

  package func webhooks(_ completion: @escaping Completion<[WebhookRow]>) {
    forward(completion) { $0.webhooks($1) }
  }

  package func pendingWebhookEvents(
    of target: WebhookID,
    through last: Int64?,
    limit: Int,
    bytesMax: Int,
    _ completion: @escaping Completion<[PendingWebhookEvent]>
  ) {
    forward(completion) { $0.pendingWebhookEvents(of: target, through: last, limit: limit, bytesMax: bytesMax, $1) }
  }
}

// Schools and taps.
extension ForwardingStore {
  package func applySchools(_ edition: [School], at: Instant) throws(StoreFailure) -> SchoolEdition {
    try inner.applySchools(edition, at: at)
  }

  package func schools() throws(StoreFailure) -> [School] { try inner.schools() }

  package func tapCounts(ofPlayer number: UInt32, season: UInt32, _ completion: @escaping Completion<[TapCountRow]>) {
    forward(completion) { $0.tapCounts(ofPlayer: number, season: season, $1) }
  }

  package func tally(rows: (TallyRows) throws -> Void, segments: ([UInt8]) throws -> Void) throws(StoreFailure) {
    try inner.tally(rows: rows, segments: segments)
  }

  package func finalRanking(of season: UInt32) throws(StoreFailure) -> SeasonClosing? {
    try inner.finalRanking(of: season)
  }
}

// Operators.
extension ForwardingStore {
  package func minutes(
    after first: Instant,
    through last: Instant,
    _ completion: @escaping Completion<[HistoryMinute]>
  ) {
    forward(completion) { $0.minutes(after: first, through: last, $1) }
  }

  package func players(matching search: PlayerSearch, limit: Int, _ completion: @escaping Completion<[FoundPlayer]>) {
    forward(completion) { $0.players(matching: search, limit: limit, $1) }
  }

  package func file(of player: PlayerID, at now: Instant, _ completion: @escaping Completion<PlayerFile?>) {
    forward(completion) { $0.file(of: player, at: now, $1) }
  }

  package func sanctions(at now: Instant, limit: Int, _ completion: @escaping Completion<[SanctionRow]>) {
    forward(completion) { $0.sanctions(at: now, limit: limit, $1) }
  }

  package func audit(before number: Int64?, limit: Int, _ completion: @escaping Completion<[AuditRow]>) {
    forward(completion) { $0.audit(before: number, limit: limit, $1) }
  }
}
