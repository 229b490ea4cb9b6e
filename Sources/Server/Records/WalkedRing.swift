// The ring that a player has walked in a game that is over: read and replayed from the store, on a thread that no
// shard waits for. The rules decide about the game once more, and the result must equal the stored one.
// Decisions: 108 (docs/decisions).
import Cryptography
import Game
import Store

/// A ring that a player may propose as a land.
struct WalkedRing: Sendable {
  /// The corners; the last repeats the first.
  let corners: [Coordinate]
  let lengthMm: Int64

  /// A longer journal would hold up others for seconds.
  private static let journalBytesMax = 32 << 20

  /// The reason why there is no ring.
  enum Fault: Error, Sendable {
    /// No such game is over, or the player has not played in it.
    case gameNotFound
    case notKept(String)
    case notBelieved
    case noLoop
    case store(StoreFailure)
  }

  /// The ring of a player in a game. Waits for the store.
  init(of player: PlayerID, in game: GameID, from store: any Store) throws(Fault) {
    let track = try Self.track(of: player, in: game, from: store)
    guard track.isBelieved else { throw .notBelieved }
    guard let corners = TrackLoop.ring(of: track.places),
      let land = try? Land(named: "", ring: corners, sha256: Digest.sha256)
    else { throw .noLoop }
    self.corners = corners
    lengthMm = land.lengthMm
  }

  private static func track(
    of player: PlayerID,
    in game: GameID,
    from store: any Store
  ) throws(Fault) -> PlayerTrack {
    let stored: StoredGame?
    let journal: [UInt8]?
    do throws(StoreFailure) {
      stored = try store.game(game)
      journal = try store.journal(of: game)
    } catch {
      throw .store(error)
    }
    guard let stored, let result = stored.results.first(where: { $0.player == player }) else { throw .gameNotFound }
    guard let journal else { throw .notKept("the game's positions are kept no longer") }
    guard journal.count <= journalBytesMax else { throw .notKept("the game is too long to be replayed") }
    do {
      let track = try PlayerTrack(ofSeat: result.seat, inGame: game.number, of: journal)
      guard track.result.fingerprint == stored.row.fingerprint else {
        throw Fault.notKept("the game can't be replayed")
      }
      return track
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .notKept("the game can't be replayed: \(error)")
    }
  }
}
