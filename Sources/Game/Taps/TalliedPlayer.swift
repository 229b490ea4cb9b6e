// Players as operators find them: by the tally's own numbers, which outlive deleted accounts. Part of the tally's
// value.

/// The tally's record of a player, deleted or not.
package struct TalliedPlayer: Hashable, Sendable {
  /// The tally's own number of the player, from 0 and never reused.
  package let number: Int
  /// The player's id; nil after the account was deleted.
  package let id: PlayerID?
  /// The newest chosen school.
  package let school: SchoolID
  /// The number of the newest batch that counted or was abnormal; 0 before the first.
  package let lastBatch: UInt32
  package let abnormalCount: UInt32
  package let isSuspect: Bool
}

extension Tally {
  /// The tally's own number of a player; nil for one who has never chosen a school, or was deleted.
  package func number(of player: PlayerID) -> Int? { book.slot(of: player).map { Int($0) } }

  /// The player with a number; nil for an unused number.
  package func player(_ number: Int) -> TalliedPlayer? {
    guard book.players.indices.contains(number) else { return nil }
    let player = book.players[number]
    return TalliedPlayer(
      number: number,
      id: player.id,
      school: book.schools[Int(player.school)],
      lastBatch: player.lastBatch,
      abnormalCount: player.abnormalCount,
      isSuspect: player.isSuspect
    )
  }

  /// All players with an abnormal batch, deleted ones too: most abnormal batches first, then by number.
  package var abnormalPlayers: [TalliedPlayer] {
    book.players.indices.filter { book.players[$0].abnormalCount > 0 }.compactMap { player($0) }
      .sorted { ($1.abnormalCount, $0.number) < ($0.abnormalCount, $1.number) }
  }
}
