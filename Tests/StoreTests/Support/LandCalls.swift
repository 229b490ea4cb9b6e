// The contract's calls for lands and rooms' games as tests use them; they wait for the answer.
import Game
import Store

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

  func ranking(
    of land: LandID,
    top: Int,
    for player: PlayerID,
    ownTimesMax: Int
  ) async throws -> LandRanking? {
    try await withCheckedContinuation { waiting in
      ranking(of: land, top: top, for: player, ownTimesMax: ownTimesMax) { waiting.resume(returning: $0) }
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
