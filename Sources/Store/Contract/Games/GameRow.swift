// The stored row of a game that has ended. A plain value, the same for every back end.
import Game

/// A game that has ended.
package struct GameRow: Hashable, Sendable {
  package var id: GameID
  package var mode: Mode
  package var startedAt: Instant
  package var endedAt: Instant
  /// The version of the rules that the game was played by.
  package var rulesVersion: UInt32
  package var playersCount: Int
  /// The fingerprint that a replay by the same rules must produce again.
  package var fingerprint: UInt64
  /// The land that the game was about; nil without one.
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
