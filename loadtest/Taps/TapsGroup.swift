// The tappers and watchers of all shards for the command: begins them, lets them tap, drains, asks and ends them.
//
// Immutable. All its work on a shard is posted.
import Net

struct TapsGroup: Sendable {
  private let plan: TapsPlan
  private let group: ShardGroup
  private let times = RankingTimes()

  init(_ plan: TapsPlan) throws {
    self.plan = plan
    let times = times
    group = try ShardGroup(count: plan.shards) { TapsService($0, plan, times) }
  }

  func start() {
    postToAll { $0.start() }
  }

  func tap(in schools: [String]) {
    postToAll { $0.tap(in: schools) }
  }

  func drain() {
    times.end()
    postToAll { $0.drain() }
  }

  func audit(abandoned schools: [String]) {
    postToAll { $0.audit(abandoned: schools) }
  }

  /// Waits until all players are there and have done their last order. Returns the obstacles of the others after
  /// `seconds`.
  func finish(within seconds: Int) async -> String? {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var status = await status()
    while status.done < plan.players, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(50))
      status = await self.status()
    }
    return status.complaint
  }

  func status() async -> TapsStatus {
    var sum = TapsStatus()
    for part in await gather({ $0.status }) { sum.add(part) }
    return sum
  }

  /// The results so far.
  func results() async -> TapsResults {
    var sum = TapsResults()
    for part in await gather({ $0.report }) { sum.add(part) }
    return sum
  }

  /// Ends all connections. Returns the results.
  func end() async -> TapsResults {
    postToAll { $0.end() }
    let results = await results()
    await withCheckedContinuation { continuation in group.stop { continuation.resume() } }
    return results
  }

  private func postToAll(_ body: @escaping @Sendable (TapsService) -> Void) {
    ServiceShards<TapsService>(group.shards).postToAll(body)
  }

  private func gather<Value: Sendable>(_ body: @escaping @Sendable (TapsService) -> Value) async -> [Value] {
    await withCheckedContinuation { continuation in
      ServiceShards<TapsService>(group.shards).gather(body) { continuation.resume(returning: $0) }
    }
  }
}
