// The newest courses of games that were replayed: all players of a game look at it as it ends, and one replay is
// enough.
//
// Any thread; guarded by a lock that is held for a walk over a few games. Whether a game may still be shown is asked of
// the store each time.
// Decisions: 156 (docs/decisions).
import Game
import Locks
import MadangProtocol

final class KeptTracks: Sendable {
  /// Each is at most a megabyte. The one that was kept first goes for the next.
  static let countMax = 8
  private let tracks = OrderedMutex<[(game: GameID, track: WireGameTrack)]>(.leaf, [])

  var count: Int { tracks.withLock(\.count) }

  subscript(game: GameID) -> WireGameTrack? { tracks.withLock { $0.first { $0.game == game }?.track } }

  func keep(_ track: WireGameTrack, of game: GameID) {
    tracks.withLock { tracks in
      guard !tracks.contains(where: { $0.game == game }) else { return }
      if tracks.count == Self.countMax { tracks.removeFirst() }
      tracks.append((game, track))
    }
  }
}
