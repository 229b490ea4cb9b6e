// What is stored of a game that has ended. A plain value, the same for every back end.
import Game

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
