// The survey of a whole shard, for operators.
//
// On the shard's queue, from counts that are kept anyway and one walk over the stalled connections: watching operators
// must cost players nothing noticeable.
import Net

extension Operations {
  /// Surveys the whole shard, with up to `limit` of its busiest rooms.
  func survey(busiestRooms limit: Int) -> ShardSurvey {
    var survey = ShardSurvey()
    survey.index = gateway.core.index
    survey.net = gateway.core.counters
    survey.play = playStatistics
    survey.messages = gateway.traffic.counts
    survey.cpuMicroseconds = gateway.core.cpuMicroseconds
    survey.isCoalescingReads = gateway.core.readCoalescing.isOn
    survey.load = gateway.core.load.share
    survey.isOverloaded = gateway.core.load.isOverloaded
    survey.journalLagMicroseconds = gateway.journal.lagMicroseconds(at: gateway.core.now)
    survey.isStoreFailing = gateway.journal.failure != nil
    survey.isClockSuspect = gateway.context.expiry.isSuspect
    survey.isDraining = gateway.isDraining
    survey.connections = gateway.core.connectionCount
    gateway.core.forEachStalledConnection { connection in
      survey.unsentBytes += connection.unsentBytes
      if connection.isBehind { survey.connectionsBehind += 1 }
    }
    if gateway.core.index == 0 { survey.budgets = budgetRows }
    guard limit > 0 else { return survey }
    var busiest = BestRows(limit, by: ListedRoom.isBusier)
    for live in rooms.rooms.values { busiest.add(ListedRoom(live)) }
    survey.busiestRooms = busiest.take()
    return survey
  }
}

extension ListedRoom {
  init(_ live: LiveRoom) {
    code = live.place.code
    isSolo = live.isSolo
    id = live.id
    figures = live.figures
    shard = live.place.shard
    connected = live.connectedCount
    capacity = live.room.configuration.capacity
    gameNumber = live.room.gameNumber
    isLocked = live.room.isLocked
    asksConsent = live.room.configuration.consent
  }
}

extension LiveRoom {
  var isSolo: Bool { room.configuration.solo }

  var connectedCount: Int { attendees.reduce(0) { $0 + ($1 == nil ? 0 : 1) } }
}
