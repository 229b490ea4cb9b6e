// What one shard has to tell operators at a moment: what it has done, and what it has now.
//
// A value, made by the shard when somebody asks.
import Gateway
import Net

struct ShardSurvey: Sendable {
  var index = 0
  var net = ShardCounters()
  var play = PlayStatistics()
  var messages = MessageCounts()
  var cpuMicroseconds: Int64 = 0
  var isAtBeat = false
  var journalLagMicroseconds: Int64 = 0
  var isStoreFailing = false
  var isClockSuspect = false
  var isDraining = false

  /// The table of budgets, on the first shard.
  var budgets: [BudgetRow] = []

  // Of its connections.
  var connections = 0
  var unsentBytes = 0
  var connectionsBehind = 0

  // Of its rooms.
  var roomCount = 0
  var census = RoomCensus()
  var busiestRooms: [ListedRoom] = []
}
