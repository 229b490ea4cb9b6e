// The shared objects of one shard's bots: their plan, their clock, and the results that they fill.
//
// Owned by one shard and used on its queue. It knows neither rooms nor bots.
import Net

final class WalkContext {
  unowned let core: ShardCore
  let plan: WalkPlan
  let runID: UInt64
  let usage: ServerUsage
  var results = Results()

  init(_ core: ShardCore, _ plan: WalkPlan, runID: UInt64, _ usage: ServerUsage) {
    self.core = core
    self.plan = plan
    self.runID = runID
    self.usage = usage
  }

  /// Sets a room's timer, whose token is the room's number.
  func setTimer(room index: Int, at time: Timestamp) {
    _ = core.setTimer(UInt64(index), at: time)
  }
}
