// The contract's calls for lands and rooms' games as tests use them; they wait for the answer.
import Game
import Store

/// A page of a ranking that a test asks for. A class: an async call with its many words as arguments crashes.
final class AskedPage: Sendable {
  let land: LandID
  let period: RankingPeriod
  let cursor: RankingCursor?
  let limit: Int

  init(of land: LandID, in period: RankingPeriod = .allTime, after cursor: RankingCursor? = nil, limit: Int) {
    self.land = land
    self.period = period
    self.cursor = cursor
    self.limit = limit
  }
}

extension Store {
  func blockedPlayers(of player: PlayerID) async throws -> [BlockedPlayer] {
    try await withCheckedContinuation { waiting in
      blockedPlayers(of: player) { waiting.resume(returning: $0) }
    }.get()
  }

  func lands(_ ids: [LandID]) async throws -> [Land] {
    try await withCheckedContinuation { waiting in lands(ids) { waiting.resume(returning: $0) } }.get()
  }

  func lands(near place: Coordinate, withinM: Int, limit: Int) async throws -> [NearbyLand] {
    try await withCheckedContinuation { waiting in
      lands(near: place, withinM: withinM, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  func lands(in map: MapBox, after last: LandID? = nil, limit: Int) async throws -> [FoundLand] {
    try await withCheckedContinuation { waiting in
      lands(in: map, after: last, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  func landNames(_ ids: Set<LandID>) async throws -> [LandID: String] {
    try await withCheckedContinuation { waiting in landNames(ids) { waiting.resume(returning: $0) } }.get()
  }

  func land(_ id: LandID) async throws -> FoundLand? {
    try await withCheckedContinuation { waiting in land(id) { waiting.resume(returning: $0) } }.get()
  }

  func keepRankings(of periods: RankingPeriod...) async throws {
    try await withCheckedContinuation { waiting in keepRankings(of: periods) { waiting.resume(returning: $0) } }.get()
  }

  func rankings(
    of lands: [LandID],
    in period: RankingPeriod = .allTime,
    top: Int,
    for player: PlayerID,
    ownTimesMax: Int = 20
  ) async throws -> [LandRanking] {
    try await withCheckedContinuation { waiting in
      rankings(of: lands, in: period, top: top, for: player, ownTimesMax: ownTimesMax) {
        waiting.resume(returning: $0)
      }
    }.get()
  }

  func page(_ asked: AskedPage, for player: PlayerID) async throws -> RankingPage? {
    try await withCheckedContinuation { waiting in
      ranking(of: asked.land, in: asked.period, after: asked.cursor, limit: asked.limit, for: player) {
        waiting.resume(returning: $0)
      }
    }.get()
  }

  func lands(
    of player: PlayerID,
    sharedWith other: PlayerID? = nil,
    before cursor: PlayerLandCursor? = nil,
    limit: Int
  ) async throws -> [PlayerLand]? {
    try await withCheckedContinuation { waiting in
      lands(of: player, sharedWith: other, before: cursor, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  func games(of room: RoomID, before number: UInt32? = nil, limit: Int) async throws -> [StoredGame] {
    try await withCheckedContinuation { waiting in
      games(of: room, before: number, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }
}
