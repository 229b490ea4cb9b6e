// The shared objects of one shard's bots: plan, clock, the results that they fill, and the way back to the shard.
//
// Owned by one shard and used on its queue. It knows none of its bots.
import Net

final class StoriesContext {
  unowned let core: ShardCore
  let plan: StoriesPlan
  var results = StoryResults()

  init(_ core: ShardCore, _ plan: StoriesPlan) {
    (self.core, self.plan) = (core, plan)
  }

  /// Wakes a bot; its timer's token is its number on the shard.
  func wake(_ number: Int, afterMicroseconds microseconds: Int64) {
    let time = Timestamp(microseconds: core.readClock().microseconds + microseconds)
    _ = core.setTimer(UInt64(number), at: time)
  }

  /// Sends a request over HTTP; `completion` comes on the shard's queue.
  func send(
    _ method: String,
    _ path: String,
    _ body: [UInt8] = [],
    number: Int,
    _ completion: @escaping @Sendable (StoryWeb.Answer?) -> Void
  ) {
    let shard = core.siblings[core.index]
    plan.web.ask(method, path, body, number: number) { answer in
      shard.post { _ in completion(answer) }
    }
  }
}
