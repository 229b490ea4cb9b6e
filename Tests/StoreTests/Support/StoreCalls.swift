// The contract's calls as tests use them: they wait for the answer. `LandCalls.swift` has those of lands and games.
import Game
import Store
import Testing

extension Store {
  /// Commits and waits for the outcomes.
  @discardableResult
  func commit(
    at milliseconds: Int64 = 0,
    _ chunks: [(RoomID, [UInt8])] = [],
    _ changes: any ChangeFamily...
  ) async throws -> [Outcome] {
    var segment = Segment()
    for (room, chunk) in chunks { segment.append(room) { $0 += chunk } }
    let rows = changes.map { $0.change }
    return try await commit(Batch(at: Instant(milliseconds: milliseconds), segments: [segment], changes: rows))
  }

  @discardableResult
  func commit(_ batch: Batch) async throws -> [Outcome] {
    try await withCheckedContinuation { waiting in commit(batch) { waiting.resume(returning: $0) } }.get()
  }

  /// Commits one change alone; returns its outcome.
  @discardableResult
  func change<Family: ChangeFamily>(
    at milliseconds: Int64 = 0,
    _ change: Family
  ) async throws -> Family.FamilyOutcome {
    Family.outcome(in: try #require(try await commit(at: milliseconds, [], change).first))
  }

  /// Maintains the store; returns the segments that were set aside.
  @discardableResult
  func maintain(
    at milliseconds: Int64 = 0,
    keepJournals: Duration = .seconds(604_800)
  ) async throws -> [DamagedSegment] {
    let now = Instant(milliseconds: milliseconds)
    return try await withCheckedContinuation { waiting in
      maintain(at: now, keepJournals: keepJournals) { waiting.resume(returning: $0) }
    }.get()
  }

  /// Erases the remaining data of a marked player.
  func erase(_ player: PlayerID) async throws {
    try await withCheckedContinuation { waiting in erase(player) { waiting.resume(returning: $0) } }.get()
  }

  /// Deletes a player, and waits until nothing is left of them.
  func delete(_ player: PlayerID, at milliseconds: Int64 = 9) async throws {
    #expect(try await change(DeletionChange.finish(player, at: moment(milliseconds))) == .ok)
    try await erase(player)
  }

  func results(of player: PlayerID, before cursor: ResultCursor? = nil, limit: Int = 100) async throws -> [ResultRow] {
    try await withCheckedContinuation { waiting in
      results(of: player, before: cursor, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  func totals(of player: PlayerID, in ranges: [Range<Int64>]) async throws -> [Totals] {
    let moments = ranges.map { Instant(milliseconds: $0.lowerBound)..<Instant(milliseconds: $0.upperBound) }
    return try await withCheckedContinuation { waiting in
      totals(of: player, in: moments) { waiting.resume(returning: $0) }
    }.get()
  }

  func badges(of player: PlayerID) async throws -> [AwardedBadge] {
    try await withCheckedContinuation { waiting in badges(of: player) { waiting.resume(returning: $0) } }.get()
  }

  func password(ofEmail email: String) async throws -> StoredPassword? {
    try await withCheckedContinuation { waiting in password(ofEmail: email) { waiting.resume(returning: $0) } }.get()
  }

  func password(of player: PlayerID) async throws -> StoredPassword? {
    try await withCheckedContinuation { waiting in password(of: player) { waiting.resume(returning: $0) } }.get()
  }

  func liveRooms() throws -> [StoredRoom] {
    var rooms: [StoredRoom] = []
    try liveRooms { rooms.append($0) }
    return rooms.sorted { $0.row.id < $1.row.id }
  }
}
