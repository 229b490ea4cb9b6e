// Links to games and consents. Part of the contract. They are written by `TrackChange`. They are deleted with their
// game's journal, with their player's result, and all those of a game as soon as the deletion of one of its players
// begins.
import Game

/// Links to games. The calls block.
package protocol TrackStore: Sendable {
  /// Whether a game's track is kept, and nobody who played in it is being deleted.
  func keepsTrack(of game: GameID) throws(StoreFailure) -> Bool

  /// How a player shares a game; nothing is shared where the game or the player is unknown.
  func trackSharing(of player: PlayerID, in game: GameID) throws(StoreFailure) -> TrackSharing

  /// The link with this digest, and its game; nil without one.
  func sharedTrack(_ digest: [UInt8]) throws(StoreFailure) -> SharedTrack?
}
