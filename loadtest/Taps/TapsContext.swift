// The shared objects of one shard's tappers and watchers: plan, clock, what they know of schools, rooms and the
// server, and the results that they fill.
//
// Owned by one shard and used on its queue. It knows none of its players.
import Net

final class TapsContext {
  unowned let core: ShardCore
  let plan: TapsPlan
  let times: RankingTimes
  let reader: RankingReader
  var results = TapsResults()
  /// Schools whose totals from before the run are known.
  var schools: [String] = []
  /// Rooms that movers of this shard have made.
  var roomCodes: [String] = []
  /// The number of times that a line has lost the server.
  private(set) var serverLosses = 0

  init(_ core: ShardCore, _ plan: TapsPlan, _ times: RankingTimes) {
    self.core = core
    self.plan = plan
    self.times = times
    reader = RankingReader(plan.target.subprotocol)
  }

  func lostServer() {
    serverLosses += 1
    if plan.isOperated { times.beginAnew() }
  }

  // Timers have their players' numbers, doubled: even for the player's next act, odd for the line.

  func setTimer(player index: Int, at time: Timestamp) -> TimerID {
    core.setTimer(UInt64(index) * 2, at: time)
  }

  func setTimer(line index: Int, at time: Timestamp) -> TimerID {
    core.setTimer(UInt64(index) * 2 + 1, at: time)
  }
}
