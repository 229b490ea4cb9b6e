// Gives up the journals of games with a deleted player. On the writer's queue, in a piece of an erasure.
import GRDB
import Game

/// The games of one room. They run one after the other, so games that share a segment are neighbours.
struct GivenUpGames {
  private let room: RoomID
  private let db: Database

  init(in room: RoomID, on db: Database) {
    self.room = room
    self.db = db
  }

  private struct Span {
    let number: Int64
    let first: Int64?
    let last: Int64?

    init(_ row: Row) throws {
      number = try row.value(0)
      first = try row.value(1, Int64?.self)
      last = try row.value(2, Int64?.self)
    }
  }

  /// Gives up the journals of an ended game and of games that share a segment with it.
  func giveUp(_ number: Int64) throws {
    let found = try db.row(
      "SELECT number, first_segment, last_segment FROM games WHERE room = ? AND number = ?",
      room,
      number
    )
    guard let own = try found.map(Span.init), let last = own.last else { return }
    // A game given up before has no first segment; it began at the end of the game before, or later.
    let first = try own.first ?? before(number)?.last ?? last
    try forget(own)
    var other = try before(number)
    while let game = other, let end = game.last, end >= first {
      try forget(game)
      other = try before(game.number)
    }
    other = try behind(number)
    while let game = other, game.first ?? game.last ?? .max <= last {
      try forget(game)
      other = try behind(game.number)
    }
  }

  private func forget(_ game: Span) throws {
    guard game.first != nil else { return }
    try db.run("UPDATE games SET first_segment = NULL WHERE room = ? AND number = ?", room, game.number)
    try TrackRemoval(db: db).removeUnkept(in: room)
  }

  private func before(_ number: Int64) throws -> Span? {
    try db.row(
      """
      SELECT number, first_segment, last_segment FROM games WHERE room = ? AND number < ? ORDER BY number DESC LIMIT 1
      """,
      room,
      number
    ).map(Span.init)
  }

  private func behind(_ number: Int64) throws -> Span? {
    try db.row(
      """
      SELECT number, first_segment, last_segment FROM games WHERE room = ? AND number > ? ORDER BY number LIMIT 1
      """,
      room,
      number
    ).map(Span.init)
  }
}
