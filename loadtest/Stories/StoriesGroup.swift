// The bots of all shards for the command: begins them, orders, waits, asks and ends them.
//
// Immutable. All its work on a shard is posted.
import Net

struct StoriesGroup: Sendable {
  private let plan: StoriesPlan
  private let group: ShardGroup

  init(_ plan: StoriesPlan) throws {
    self.plan = plan
    group = try ShardGroup(count: plan.shards) { StoriesService($0, plan) }
  }

  private var services: ServiceShards<StoriesService> { ServiceShards(group.shards) }

  func order(_ body: @escaping @Sendable (StoriesService) -> Void) { services.postToAll(body) }

  func gather<Value: Sendable>(_ body: @escaping @Sendable (StoriesService) -> Value) async -> [Value] {
    await withCheckedContinuation { continuation in
      services.gather(body) { continuation.resume(returning: $0) }
    }
  }

  /// Waits until all bots have done their order. Returns the obstacles of the others after `seconds`; nil for none.
  func finish(within seconds: Int) async -> String? {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      let all = await gather { $0.hindrances }.reduce(into: [String: Int]()) { $0.merge($1, uniquingKeysWith: +) }
      guard !all.isEmpty else { return nil }
      guard ContinuousClock.now < deadline else {
        return all.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
  }

  func results() async -> StoryResults {
    await gather { $0.results }.reduce(into: StoryResults()) { $0.add($1) }
  }

  /// The expected state of all bots' posts.
  func truth() async -> StoryTruth {
    var truth = await gather { $0.truth }.reduce(into: StoryTruth()) { $0.add($1) }
    truth.count()
    return truth
  }

  /// Ends all connections.
  func end() async {
    order { $0.end() }
    await withCheckedContinuation { continuation in group.stop { continuation.resume() } }
  }
}
