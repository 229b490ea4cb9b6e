// What the whole server has to tell operators at a moment: its shards' surveys, the commits', the process'.
//
// A value. Metrics and figures are both made from it, so that they say the same.
import Gateway
import Net

package struct ServerSurvey: Sendable {
  let at: Timestamp
  let beganAt: Timestamp
  /// In their order.
  let shards: [ShardSurvey]
  let playersConnected: Int
  /// Of school taps, the one that runs, from 1; as far as it is committed.
  let season: UInt32
  let busiestRooms: [ListedRoom]
  let commits: CommitStatistics
  /// Of journals, behind the commit that is under way.
  let waitingBytes: Int
  let process: ProcessUsage

  init(
    at now: Timestamp,
    beganAt: Timestamp,
    shards: [ShardSurvey],
    playersConnected: Int,
    season: UInt32,
    busiestRooms limit: Int,
    commits: CommitStatistics,
    waitingBytes: Int
  ) {
    at = now
    self.beganAt = beganAt
    self.shards = shards
    self.playersConnected = playersConnected
    self.season = season
    busiestRooms = Array(shards.flatMap(\.busiestRooms).sorted(by: ListedRoom.isBusier).prefix(limit))
    self.commits = commits
    self.waitingBytes = waitingBytes
    process = .current
  }

  /// A number of each shard, added up.
  func sum(_ number: KeyPath<ShardSurvey, Int>) -> Int { shards.reduce(0) { $0 + $1[keyPath: number] } }

  /// A number of rooms or players by the kind of room, of all shards.
  func sum(_ numbers: KeyPath<ShardSurvey, [Int]>, of kind: RoomKind) -> Int {
    shards.reduce(0) { $0 + $1[keyPath: numbers][kind.index] }
  }

  var net: ShardCounters { shards.reduce(ShardCounters()) { $0 + $1.net } }
  var play: PlayStatistics { shards.reduce(PlayStatistics()) { $0 + $1.play } }
  var messages: MessageCounts { shards.reduce(MessageCounts()) { $0 + $1.messages } }
  var journalLagMicroseconds: Int64 { shards.map(\.journalLagMicroseconds).max() ?? 0 }
  var isStoreFailing: Bool { shards.contains(where: \.isStoreFailing) }
  var isClockSuspect: Bool { shards.contains(where: \.isClockSuspect) }
  var isDraining: Bool { shards.contains(where: \.isDraining) }
}
