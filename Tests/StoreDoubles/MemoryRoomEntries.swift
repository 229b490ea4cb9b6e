// The rooms and games of the double's tables. Plain values.
import Game
import Store

struct RoomEntry {
  var row: RoomRow
  var isOpen = true
  /// The segment where recovery begins.
  var snapshotSegment: Int
  var chunks: [(segment: Int, bytes: [UInt8])] = []
  var games: [UInt32: GameEntry] = [:]
  var visitors: Set<PlayerID> = []
}

struct GameEntry {
  /// The first segment of its journal; nil when it is no longer kept.
  var firstSegment: Int?
  var lastSegment: Int?
  /// The stored row; nil before the game's end.
  var row: GameRow?
  var results: [ResultRow] = []

  /// Whether some of these segments may hold parts of the game.
  func ran(in segments: ClosedRange<Int>) -> Bool {
    guard let first = firstSegment else { return false }
    return first <= segments.upperBound && segments.lowerBound <= lastSegment ?? .max
  }

  /// Whether some segment may hold parts of both games, which have ended.
  func sharesSegment(with other: GameEntry) -> Bool {
    guard let first = firstSegment ?? lastSegment, let last = lastSegment,
      let otherFirst = other.firstSegment ?? other.lastSegment, let otherLast = other.lastSegment
    else { return false }
    return otherLast >= first && otherFirst <= last
  }
}
