// The contract's calls for profiles as tests use them; they wait for the answer.
import Game
import Store
import Testing

extension Store {
  func profile(of player: UInt128, for viewer: UInt128? = nil) async throws -> Profile? {
    try await withCheckedContinuation { waiting in
      profile(of: PlayerID(player), for: PlayerID(viewer ?? player)) { waiting.resume(returning: $0) }
    }.get()
  }

  /// The experience of a player.
  func experience(of player: UInt128) async throws -> Int64? { try await profile(of: player)?.experience }

  /// The collectibles of a player, the earliest first.
  func collectibles(of player: UInt128) async throws -> [Collectible]? {
    try await profile(of: player)?.collectibles.map(\.collectible)
  }

  /// Writes a player's introduction.
  func introduce(_ player: UInt128, _ text: String) async throws {
    let outcome = try await change(ProfileChange.edit(ProfileEdit(player: PlayerID(player), introduction: text)))
    guard case .edited = outcome else { throw Refused(outcome: outcome) }
  }

  /// Commits one change alone; returns the news of what it has earned.
  func news(at milliseconds: Int64 = 0, of change: some ChangeFamily) async throws -> [ProgressNews] {
    try #require(try await commit(at: milliseconds, [], change).first).news
  }
}

private struct Refused: Error {
  let outcome: ProfileOutcome
}

/// News of a collectible.
func won(_ player: UInt128, _ collectible: Collectible, at milliseconds: Int64 = 0) -> ProgressNews {
  .collectible(PlayerID(player), AwardedCollectible(collectible, awardedAt: moment(milliseconds)))
}

func deletion(_ post: UInt128, by author: UInt128 = 1) -> StoryChange {
  .delete(PostID(post), author: PlayerID(author))
}
