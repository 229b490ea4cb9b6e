// Players as operators find them: by the tally's own numbers, which stay where accounts are deleted. Part of the tally's value.

/// What the tally has of a player, deleted ones too.
package struct TalliedPlayer: Hashable, Sendable {
  /// The tally's own, from 0, and nobody else's ever.
  package let number: Int
  /// Nil: the account was deleted.
  package let id: PlayerID?
  /// The one that was chosen last.
  package let school: SchoolID
  /// The number of the newest batch that counted or was abnormal; 0 before the first.
  package let lastBatch: UInt32
  package let abnormalCount: UInt32
  package let isSuspect: Bool
}

extension Tally {
  /// The tally's own number of a player; nil for who has never chosen a school, or was deleted.
  package func number(of player: PlayerID) -> Int? { book.slot(of: player).map { Int($0) } }

  /// Nil for a number that is nobody's.
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

  /// Everybody who has had an abnormal batch, deleted players too: most abnormal batches first, then by number.
  package var abnormalPlayers: [TalliedPlayer] {
    book.players.indices.filter { book.players[$0].abnormalCount > 0 }.compactMap { player($0) }
      .sorted { ($1.abnormalCount, $0.number) < ($0.abnormalCount, $1.number) }
  }
}
