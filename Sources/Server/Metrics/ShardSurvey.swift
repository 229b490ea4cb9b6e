// What one shard has to tell operators at a moment: what it has done, and what it has now.
//
// A value, made on the shard's thread when somebody asks, from what is kept up anyway and one walk over the connections that
// are stalled: operators who look on may cost players nothing that shows.
import Game
import MadangProtocol
import Net

/// What a room is counted by.
struct RoomKind: Hashable, Sendable {
  let mode: Mode
  let phase: Phase

  static let all = Mode.allCases.flatMap { mode in Phase.allCases.map { RoomKind(mode: mode, phase: $0) } }

  /// Its place among all.
  var index: Int { Phase.allCases.count * mode.rawValue + phase.rawValue }
}

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

extension PlayService {
  /// Looks at the whole shard; with its busiest rooms, up to so many.
  func survey(busiestRooms limit: Int) -> ShardSurvey {
    var survey = ShardSurvey()
    survey.index = core.index
    survey.net = core.counters
    survey.play = statistics
    survey.messages = traffic.counts
    survey.cpuMicroseconds = ProcessUsage.threadCPUMicroseconds
    survey.isAtBeat = core.heartbeat.isOn
    survey.journalLagMicroseconds = journal.lagMicroseconds(at: core.now)
    survey.isStoreFailing = journal.failure != nil
    survey.isClockSuspect = commons.expiry.isSuspect
    survey.isDraining = isDraining
    survey.connections = core.connectionCount
    core.forEachStalledConnection { connection in
      survey.unsentBytes += connection.unsentBytes
      if connection.isBehind { survey.connectionsBehind += 1 }
    }
    if core.index == 0 { survey.budgets = budgetRows }
    survey.roomCount = rooms.count
    survey.census = census
    guard limit > 0 else { return survey }
    var busiest = BestRows(limit, by: ListedRoom.isBusier)
    for live in rooms.values { busiest.add(ListedRoom(live)) }
    survey.busiestRooms = busiest.take()
    return survey
  }
}
