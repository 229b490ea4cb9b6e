// The stored rows of lands' rankings. Plain values, the same for every back end.
import Game

/// A range of time that lands have rankings of.
package struct RankingPeriod: Hashable, Sendable {
  package let range: Range<Instant>

  package init(_ range: Range<Instant>) {
    self.range = range
  }

  /// The period that every run lies in.
  package static let allTime = RankingPeriod(Instant(milliseconds: .min)..<Instant(milliseconds: .max))
}

/// A player's best run around a land with its rank, from 1. Shorter times come first; of equal times, the earlier.
package struct RankedRun: Hashable, Sendable {
  package var rank: Int
  package var player: PlayerID
  package var nickname: String
  package var timeMs: Int64
  package var capturedAt: Instant

  package init(rank: Int, player: PlayerID, nickname: String, timeMs: Int64, capturedAt: Instant) {
    self.rank = rank
    self.player = player
    self.nickname = nickname
    self.timeMs = timeMs
    self.capturedAt = capturedAt
  }
}

/// A run that captured its land.
package struct LandTime: Hashable, Sendable {
  package var timeMs: Int64
  package var capturedAt: Instant

  package init(timeMs: Int64, capturedAt: Instant) {
    self.timeMs = timeMs
    self.capturedAt = capturedAt
  }
}

/// A land's ranking as one player sees it.
package struct LandRanking: Hashable, Sendable {
  package var land: LandID
  package var name: String
  package var top: [RankedRun]
  /// The player's own best run; nil without one.
  package var own: RankedRun?
  /// The run before `own` and the run behind it, if they exist.
  package var neighbours: [RankedRun]
  /// The player's own times, the newest first.
  package var ownTimes: [LandTime]

  package init(
    land: LandID,
    name: String,
    top: [RankedRun],
    own: RankedRun?,
    neighbours: [RankedRun],
    ownTimes: [LandTime]
  ) {
    self.land = land
    self.name = name
    self.top = top
    self.own = own
    self.neighbours = neighbours
    self.ownTimes = ownTimes
  }
}

/// A place in a land's ranking. It holds no moment, because other players must not learn it.
package struct RankingCursor: Hashable, Sendable {
  /// The rank of the run at this place.
  package var rank: Int
  package var timeMs: Int64
  package var player: PlayerID

  package init(rank: Int, timeMs: Int64, player: PlayerID) {
    self.rank = rank
    self.timeMs = timeMs
    self.player = player
  }

  /// The place of a row; the next page begins behind it.
  package init(of row: RankedRun) {
    self.init(rank: row.rank, timeMs: row.timeMs, player: row.player)
  }
}

/// A part of a land's ranking.
package struct RankingPage: Hashable, Sendable {
  package var rows: [RankedRun]
  /// Whether the player who asks is anywhere in the ranking.
  package var hasPlayer: Bool

  package init(rows: [RankedRun], hasPlayer: Bool) {
    self.rows = rows
    self.hasPlayer = hasPlayer
  }
}
