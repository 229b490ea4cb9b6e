// A survey of one shard at a moment, for operators: its counts so far, and its present state.
//
// A value, made by the shard on request.
import Gateway
import Net

struct ShardSurvey: Sendable {
  var index = 0
  var net = ShardCounters()
  var play = PlayStatistics()
  var messages = MessageCounts()
  var cpuMicroseconds: Int64 = 0
  var isCoalescingReads = false
  var load = 0.0
  var isOverloaded = false
  var journalLagMicroseconds: Int64 = 0
  var isStoreFailing = false
  var isClockSuspect = false
  var isDraining = false

  /// The table of budgets, on the first shard.
  var budgets: [BudgetRow] = []

  // The shard's connections.
  var connections = 0
  var unsentBytes = 0
  var connectionsBehind = 0

  /// The shard's busiest rooms, as many as are asked for.
  var busiestRooms: [ListedRoom] = []
}
