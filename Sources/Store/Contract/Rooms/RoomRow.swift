// What is stored of rooms and their games. Plain values, the same for every back end.
import Game

/// A room.
package struct RoomRow: Hashable, Sendable {
  package var id: RoomID
  /// The bits of its code, which another room may have once this one has ended.
  package var code: UInt64
  package var openedAt: Instant

  package init(id: RoomID, code: UInt64, openedAt: Instant) {
    self.id = id
    self.code = code
    self.openedAt = openedAt
  }
}

/// A room that is open, with its journal from its newest snapshot on.
package struct StoredRoom: Hashable, Sendable {
  package var row: RoomRow
  package var journal: [UInt8]
  /// The highest number of its games that have begun; 0 before the first.
  package var lastGame: UInt32
  /// A segment behind the journal's end can't be read: what the room did last may have been in it.
  package var mayLackEnd: Bool

  package init(row: RoomRow, journal: [UInt8], lastGame: UInt32 = 0, mayLackEnd: Bool = false) {
    self.row = row
    self.journal = journal
    self.lastGame = lastGame
    self.mayLackEnd = mayLackEnd
  }
}

/// A game that has ended.
package struct GameRow: Hashable, Sendable {
  package var id: GameID
  package var mode: Mode
  package var startedAt: Instant
  package var endedAt: Instant
  /// Of the rules that it was played by.
  package var rulesVersion: UInt32
  package var playersCount: Int
  /// What the game's replay by the same rules must come to again.
  package var fingerprint: UInt64
  /// The land that it was about, where it was about one.
  package var land: LandID?

  package init(
    id: GameID,
    mode: Mode,
    startedAt: Instant,
    endedAt: Instant,
    rulesVersion: UInt32,
    playersCount: Int,
    fingerprint: UInt64,
    land: LandID? = nil
  ) {
    self.id = id
    self.mode = mode
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.rulesVersion = rulesVersion
    self.playersCount = playersCount
    self.fingerprint = fingerprint
    self.land = land
  }
}

/// A game that has ended, with its results by rank.
package struct StoredGame: Hashable, Sendable {
  package var row: GameRow
  package var results: [ResultRow]

  package init(row: GameRow, results: [ResultRow]) {
    self.row = row
    self.results = results
  }
}
