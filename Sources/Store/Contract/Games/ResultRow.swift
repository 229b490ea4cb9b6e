// A player's result of a game, and the place in the list of a player's results. Plain values.
import Game

/// One player's result of one game.
package struct ResultRow: Hashable, Sendable {
  package var player: PlayerID
  package var game: GameID
  package var mode: Mode
  /// The land of the game.
  package var land: LandID?
  /// The player's seat.
  package var seat: Int
  package var endedAt: Instant
  package var points: UInt32
  package var distanceMm: Int64
  package var timeMs: Int64
  /// The place in the order, from 1; see `givenRank`.
  package var rank: Int
  package var won: Bool
  package var completed: Bool
  /// Whether the result is a record by the badge rules (`BoardRow.counts`), and not one of practice.
  package var counts: Bool
  package var calories: Int64
  /// The player's nickname on the board.
  package var nickname: String
  /// The share of fixes that came more than 30 s late, in per cent.
  package var latePercent: UInt8
  /// The share of fixes that the phone withheld, in per cent.
  package var withheldPercent: UInt8

  package init(
    player: PlayerID,
    game: GameID,
    mode: Mode,
    land: LandID? = nil,
    seat: Int,
    endedAt: Instant,
    points: UInt32,
    distanceMm: Int64,
    timeMs: Int64,
    rank: Int,
    won: Bool,
    completed: Bool,
    counts: Bool,
    calories: Int64,
    nickname: String,
    latePercent: UInt8 = 0,
    withheldPercent: UInt8 = 0
  ) {
    self.player = player
    self.game = game
    self.mode = mode
    self.land = land
    self.seat = seat
    self.endedAt = endedAt
    self.points = points
    self.distanceMm = distanceMm
    self.timeMs = timeMs
    self.rank = rank
    self.won = won
    self.completed = completed
    self.counts = counts
    self.calories = calories
    self.nickname = nickname
    self.latePercent = latePercent
    self.withheldPercent = withheldPercent
  }
}

extension GameResult {
  /// The results to store: those of players, of whom none counts as a record where one was alone with practice
  /// opponents.
  package func rows(of game: GameRow) -> [ResultRow] {
    board.map { row in
      var result = ResultRow(row, of: game)
      if isPractice { result.counts = false }
      return result
    }
  }
}

extension ResultRow {
  /// Makes the result from a row of a game's board.
  fileprivate init(_ row: BoardRow, of game: GameRow) {
    self.init(
      player: row.id,
      game: game.id,
      mode: game.mode,
      land: game.land,
      seat: row.seat,
      endedAt: game.endedAt,
      points: row.points,
      distanceMm: row.distanceMm,
      timeMs: row.time.wholeMilliseconds,
      rank: row.rank,
      won: row.won,
      completed: row.completed,
      counts: row.counts,
      calories: row.calories,
      nickname: row.nickname,
      latePercent: row.latePercent,
      withheldPercent: row.withheldPercent
    )
  }
}

/// A place in a player's results, which are in order of the games' ends, newest first.
package struct ResultCursor: Hashable, Sendable {
  package var endedAt: Instant
  package var game: GameID

  package init(endedAt: Instant, game: GameID) {
    self.endedAt = endedAt
    self.game = game
  }

  /// The place of a row; the next page begins behind it.
  package init(of row: ResultRow) {
    self.init(endedAt: row.endedAt, game: row.game)
  }
}

extension ResultRow {
  /// The rank that is shown, as in `BoardRow`.
  package var givenRank: Int? { BoardRow.givenRank(rank, points: points) }
}
