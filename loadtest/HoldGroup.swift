// The held connections of all shards for the commands that hold some: begins them, waits until they are ready, asks and
// ends them.
//
// Immutable. All its work on a shard is posted.
import Net

struct HoldGroup: Sendable {
  private let plan: HoldPlan
  private let group: ShardGroup
  private let services: ServiceShards<HoldService>

  init(_ plan: HoldPlan) throws {
    self.plan = plan
    group = try ShardGroup(count: 1) { HoldService($0, plan) }
    services = ServiceShards(group.shards)
  }

  func start() {
    services[0].post { $0.start() }
  }

  /// Waits until every connection is ready or given up. Returns the number of those that never were.
  func awaitReady() async -> Int {
    let results = await results(within: plan.pace.seconds + HoldPlan.readySecondsMax) {
      $0.pending(of: plan.connections) <= 0
    }
    return plan.connections - results.ready
  }

  /// Waits until `holds` is true, at most `seconds`. Returns the results by then.
  func results(within seconds: Int, until holds: (HoldResults) -> Bool) async -> HoldResults {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var results = await results()
    while !holds(results), ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(100))
      results = await self.results()
    }
    return results
  }

  /// The results so far.
  func results() async -> HoldResults { await gather { $0.report } }

  /// The results so far; the times of answers and ticks are those since the last call.
  func takeResults() async -> HoldResults { await gather { $0.takeReport() } }

  private func gather(_ report: @escaping @Sendable (HoldService) -> HoldResults) async -> HoldResults {
    await withCheckedContinuation { continuation in
      services.gather(report) { parts in
        var sum = HoldResults()
        for part in parts { sum.add(part) }
        continuation.resume(returning: sum)
      }
    }
  }

  /// Starts or stops the bots' durable commands.
  func sendCommands(_ areSent: Bool) {
    services[0].post { if areSent { $0.commands?.start() } else { $0.commands?.stop() } }
  }

  /// Lets the first `count` rooms play; the others' bots stand still.
  func play(first count: Int) {
    services[0].post { $0.play(first: count) }
  }

  func stop() async {
    await withCheckedContinuation { continuation in group.stop { continuation.resume() } }
  }
}
