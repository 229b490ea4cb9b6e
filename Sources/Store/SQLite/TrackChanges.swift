// Changes of links to games and of consents. On the writer's queue, inside a batch's transaction.
import GRDB
import Game

/// The writing of changes of links and consents.
struct TrackWriting {
  let db: Database

  func write(_ change: TrackChange) throws -> TrackOutcome {
    switch change {
    case .share(let link):
      if let refusal = try refusal(of: link.player, link.game) { return refusal }
      return try share(link)
    case .unshare(let player, let game):
      if let refusal = try refusal(of: player, game) { return refusal }
      try db.run(
        "DELETE FROM track_links WHERE room = ? AND number = ? AND player = ?",
        game.room,
        Int64(game.number),
        player
      )
      return .sharing(try TrackReading(db: db).sharing(of: player, in: game))
    case .show(let player, let game, let isShown):
      if let refusal = try refusal(of: player, game) { return refusal }
      let number = Int64(game.number)
      if isShown {
        try db.run(
          """
          INSERT INTO track_consents (room, number, player) VALUES (?, ?, ?)
          ON CONFLICT (room, number, player) DO NOTHING
          """,
          game.room,
          number,
          player
        )
      } else {
        try db.run(
          "DELETE FROM track_consents WHERE room = ? AND number = ? AND player = ?",
          game.room,
          number,
          player
        )
      }
      return .sharing(try TrackReading(db: db).sharing(of: player, in: game))
    }
  }

  private func share(_ link: TrackLink) throws -> TrackOutcome {
    let ofPlayer: Int = try db.rows("SELECT COUNT(*) FROM track_links WHERE player = ?", link.player)[0].value(0)
    let before = try TrackReading(db: db).sharing(of: link.player, in: link.game)
    guard ofPlayer < TrackLink.countMaxOfPlayer, before.linksCount < TrackLink.countMaxOfGame else { return .tooMany }
    try db.run(
      "INSERT INTO track_links (digest, room, number, player, made_at) VALUES (?, ?, ?, ?, ?)",
      Blob(link.digest),
      link.game.room,
      Int64(link.game.number),
      link.player,
      link.madeAt
    )
    return .sharing(try TrackReading(db: db).sharing(of: link.player, in: link.game))
  }

  /// The reason why a player can't share a game; nil where they can.
  private func refusal(of player: PlayerID, _ game: GameID) throws -> TrackOutcome? {
    let (room, number) = (game.room, Int64(game.number))
    guard try db.knows(player),
      try db.finds("SELECT 1 FROM results WHERE room = ? AND number = ? AND player = ?", room, number, player)
    else { return .notFound }
    return try TrackReading(db: db).isKept(game) ? nil : .notKept
  }
}
