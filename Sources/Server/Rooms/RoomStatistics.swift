// Counts of one shard's rooms. A value of the shard.
import Game
import Gateway
import MadangProtocol

/// Counts of one shard's rooms since it began. A value; others get copies.
package struct RoomStatistics: FeatureStatistics {
  /// Tick frames that were handed to players' connections.
  package var tickFrames = 0
  /// Compressed ticks, one for a room and a window size.
  package var compressedTicks = 0
  /// The lateness of ticks.
  package var lateness = LatencyHistogram()

  /// The present totals of rooms.
  var census = RoomCensus()
  /// Players who took a place in a room.
  var joins = 0
  var joinsRefused: [WireErrorCode: Int] = [:]
  /// New rooms that were refused because every shard was overloaded.
  var roomsRefused = 0
  /// Lobbies that came from other shards, and lobbies that could not leave a full shard.
  var roomsMoved = 0
  var roomMovesFailed = 0
  /// Fixes that were not accepted, by their verdict; and suspicions that are over.
  var verdicts = Counts<FixVerdict>()
  var clearances = 0

  package init() {}

  /// Counts a tick's frames; `compressions` is the number of all compressed ticks so far.
  mutating func noteTick(frames: Int, compressions: Int) {
    tickFrames += frames
    compressedTicks = compressions
  }

  /// Counts a fix that was not accepted.
  mutating func note(_ verdict: FixVerdict) {
    if verdict != .accepted { verdicts[verdict] += 1 }
  }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.tickFrames += right.tickFrames
    sum.compressedTicks += right.compressedTicks
    sum.lateness = left.lateness + right.lateness
    sum.census = left.census + right.census
    sum.joins += right.joins
    sum.joinsRefused = left.joinsRefused + right.joinsRefused
    sum.roomsRefused += right.roomsRefused
    sum.roomsMoved += right.roomsMoved
    sum.roomMovesFailed += right.roomMovesFailed
    sum.verdicts = left.verdicts + right.verdicts
    sum.clearances += right.clearances
    return sum
  }
}

extension PlayStatistics {
  package var rooms: RoomStatistics { features[RoomStatistics.self] }
}
