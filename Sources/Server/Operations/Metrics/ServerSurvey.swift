// A survey of the whole server at a moment, for operators: of its shards, the commits, the process.
//
// A value. Metrics and figures are both made from it, so that they agree.
import Gateway
import Net
import Store

package struct ServerSurvey: Sendable {
  let at: Timestamp
  let beganAt: Timestamp
  /// In the shards' order.
  let shards: [ShardSurvey]
  let playersConnected: Int
  /// The running season of school taps, from 1, as committed.
  let season: UInt32
  let places: PlaceTotals
  let moderation: ModerationCounts
  let busiestRooms: [ListedRoom]
  let commits: CommitStatistics
  /// The bytes of journals that wait behind the current commit.
  let waitingBytes: Int
  /// The streamed copy of the data; nil where there is none.
  let copy: CopyStatus?
  let process: ProcessUsage

  init(
    at now: Timestamp,
    beganAt: Timestamp,
    shards: [ShardSurvey],
    playersConnected: Int,
    season: UInt32,
    places: PlaceTotals,
    moderation: ModerationCounts,
    busiestRooms limit: Int,
    commits: CommitStatistics,
    waitingBytes: Int,
    copy: CopyStatus?
  ) {
    at = now
    self.beganAt = beganAt
    self.shards = shards
    self.playersConnected = playersConnected
    self.season = season
    self.places = places
    self.moderation = moderation
    busiestRooms = Array(shards.flatMap(\.busiestRooms).sorted(by: ListedRoom.isBusier).prefix(limit))
    self.commits = commits
    self.waitingBytes = waitingBytes
    self.copy = copy
    process = .current
  }

  /// The sum of a number over all shards.
  func sum(_ number: KeyPath<ShardSurvey, Int>) -> Int { shards.reduce(0) { $0 + $1[keyPath: number] } }

  var net: ShardCounters { shards.reduce(ShardCounters()) { $0 + $1.net } }
  var play: PlayStatistics { shards.reduce(PlayStatistics()) { $0 + $1.play } }
  var messages: MessageCounts { shards.reduce(MessageCounts()) { $0 + $1.messages } }
  var journalLagMicroseconds: Int64 { shards.map(\.journalLagMicroseconds).max() ?? 0 }
  var isStoreFailing: Bool { shards.contains(where: \.isStoreFailing) }
  var isClockSuspect: Bool { shards.contains(where: \.isClockSuspect) }
  var isOverloaded: Bool { shards.contains(where: \.isOverloaded) }
  var isDraining: Bool { shards.contains(where: \.isDraining) }
}
