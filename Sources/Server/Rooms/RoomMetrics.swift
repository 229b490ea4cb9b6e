// The metrics of rooms, and their values from statistics.
import CoreMetrics
import Game
import Gateway
import MadangProtocol

/// Metrics that are recorded where they happen. Handles of swift-metrics; any thread.
struct RoomMetrics: Sendable {
  let tickDuration: Timer
  let tickLateness: Timer

  init(factory: any MetricsFactory) {
    tickDuration = Timer(label: Metric.tickDuration.name, factory: factory)
    tickLateness = Timer(label: Metric.tickLateness.name, factory: factory)
  }
}

extension Metric {
  static let rooms = Metric("madang_rooms", "Rooms that are open now.")
  static let shardRooms = Metric("madang_shard_rooms", "Rooms that a shard owns now.")
  static let players = Metric("madang_players", "Players who have a place in a room now, held ones included.")
  static let joins = Metric("madang_joins_total", "Players who took a place in a room, its creators included.")
  static let joinsRefused = Metric("madang_joins_refused_total", "Joins that were refused, by the error's code.")
  static let roomsRefused = Metric(
    "madang_rooms_refused_total",
    "New rooms that were refused because every shard was overloaded."
  )
  static let roomsMoved = Metric(
    "madang_rooms_moved_total",
    "Lobbies that moved from a full shard to another before their game."
  )
  static let roomMovesFailed = Metric(
    "madang_room_moves_failed_total",
    "Lobbies that should have moved but could not leave in time, and began their game on a full shard."
  )
  static let fixVerdicts = Metric(
    "madang_fix_verdicts_total",
    "Fixes of positions that were not accepted, by their verdict; and suspicions that are over, as CLEARED."
  )
  static let suspects = Metric("madang_suspects", "Players in running games whose positions are not believed now.")
  static let tickDuration = Metric(
    "madang_tick_duration_seconds",
    "How long a room's tick takes, from its input to the last send.",
    bounds: [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1]
  )

  static let tickLateness = Metric(
    "madang_tick_lateness_seconds",
    "How late ticks begin behind the moment that they were due.",
    // By design up to 5 ms; a phone notices a tenth of a second.
    bounds: [0.001, 0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1]
  )

  /// The metrics of rooms.
  static let ofRooms: [Metric] = [
    .rooms, .shardRooms, .players, .joins, .joinsRefused, .roomsRefused, .fixVerdicts, .suspects, .tickDuration,
    .tickLateness, .roomsMoved, .roomMovesFailed,
  ]
}

extension RoomStatistics {
  package func set(in collector: inout MetricsCollector) {
    collector.count(.joins, joins)
    collector.count(.roomsRefused, roomsRefused)
    collector.count(.roomsMoved, roomsMoved)
    collector.count(.roomMovesFailed, roomMovesFailed)
    for code in Set(Self.joinRefusals + Array(joinsRefused.keys)) {
      collector.count(.joinsRefused, joinsRefused[code] ?? 0, ("reason", code.name))
    }
    for verdict in FixVerdict.allCases where verdict != .accepted {
      collector.count(.fixVerdicts, verdicts[verdict], ("verdict", verdict.name))
    }
    collector.count(.fixVerdicts, clearances, ("verdict", "CLEARED"))
    for kind in RoomKind.all {
      let labels = (("mode", kind.mode.name), ("phase", kind.phase.name))
      collector.gauge(.rooms, census.rooms[kind.index], labels.0, labels.1)
      collector.gauge(.players, census.players[kind.index], labels.0, labels.1)
    }
    collector.gauge(.suspects, census.suspects)
  }

  package func set(in collector: inout MetricsCollector, ofShard label: (String, String)) {
    collector.gauge(.shardRooms, census.roomCount, label)
  }

  private static let joinRefusals: [WireErrorCode] = [
    .alreadyInRoom, .badCode, .rateLimited, .roomNotFound, .roomFull, .gameOn, .storeUnavailable, .barred, .roomLocked,
    .accountNeeded, .notInRoom, .noSpectators,
  ]
}
