// Reads of links to games and of consents, which block.
import Game

extension SQLiteStore {
  package func keepsTrack(of game: GameID) throws(StoreFailure) -> Bool {
    try read { try TrackReading(db: $0).isKept(game) }
  }

  package func trackSharing(of player: PlayerID, in game: GameID) throws(StoreFailure) -> TrackSharing {
    try read { try TrackReading(db: $0).sharing(of: player, in: game) }
  }

  package func sharedTrack(_ digest: [UInt8]) throws(StoreFailure) -> SharedTrack? {
    try read { try TrackReading(db: $0).shared(digest) }
  }
}
