// The shared objects of one shard's held connections: their plan, their clock, and the results that they fill.
//
// Owned by one shard and used on its queue. It knows neither rooms nor bots.
import Net

final class HoldContext {
  unowned let core: ShardCore
  let plan: HoldPlan
  var results = HoldResults()

  init(_ core: ShardCore, _ plan: HoldPlan) {
    self.core = core
    self.plan = plan
  }

  /// Sets a room's timer, whose token is the room's number.
  func setTimer(room index: Int, at time: Timestamp) {
    _ = core.setTimer(UInt64(index), at: time)
  }
}
