// `madang-bench knee`: the cost of a second shard, the capacity of one shard, and its behaviour beyond that.
import ArgumentParser

struct Knee: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare one shard with two, and overload one shard.",
    discussion: """
      The tick work, with more and more rooms until fewer than 98 % of the frames that are due arrive; then once more \
      with 1.5 times the rooms that it still bore. Clients send less often here than they hear (--knee-hz), for they \
      share the machine and must not be what gives in: look at the clients' CPU.
      """
  )

  @OptionGroup var subjects: Subjects

  @Option(help: "Seconds of each measurement.")
  var seconds = 3.0

  @Option(help: "Rounds of the comparison of one shard with two.")
  var rounds = 3

  @Option(help: "Positions a second from each player on the way to the knee.")
  var kneeHz = 2.0

  @Option(help: "Rooms to begin with.")
  var firstRooms = 100

  private static let warmUpSeconds = 1.0
  private static let deliveredShareMin = 0.98
  /// The limit for the clients' share of a core, since they have one shard.
  private static let clientCPUShareMax = 0.9
  /// The end of the search; 1.5 times as many still fit the descriptors and ports of a usual machine.
  private static let connectionsMax = 12_000

  func run() async throws {
    Subjects.raiseDescriptorLimit()
    var thresholds = try Thresholds(file: subjects.thresholds)
    try await compareShards(&thresholds)
    try await findKnee(&thresholds)
    try Subjects.conclude(thresholds)
  }

  private func compareShards(_ thresholds: inout Thresholds) async throws {
    let plan = subjects.plan(LoadPlan.tickName, warmUp: Self.warmUpSeconds, seconds: seconds)
    var costs: [[Double]] = [[], []]
    for _ in 0..<rounds {
      for shards in 1...2 {
        let server = try ServerProcess(Subjects.ours(shards: shards))
        defer { server.end() }
        costs[shards - 1].append(try await Load.run(plan, on: server).0.microsecondsPerFrame)
      }
    }
    let ratio = median(costs[1]) / median(costs[0])
    print(
      "tick, CPU µs/frame: one shard \(median(costs[0]).fixed(2)), two \(median(costs[1]).fixed(2)), "
        + "ratio \(ratio.fixed(3)) \(thresholds.check("two-shards-cpu-ratio", ratio))"
    )
  }

  private func findKnee(_ thresholds: inout Thresholds) async throws {
    var table = Table([
      "rooms", "offered/s", "delivered/s", "share", "CPU µs/frame", "p50 ms", "p99 ms", "clients' CPU",
    ])
    var knee: (rooms: Int, measurement: Measurement)?
    var rooms = firstRooms
    var isFound = false
    while !isFound, rooms * subjects.players <= Self.connectionsMax {
      var (measurement, share) = try await measure(rooms, &table)
      // A machine that was busy for a moment is no knee: a miss counts only the second time.
      if share < Self.deliveredShareMin { (measurement, share) = try await measure(rooms, &table) }
      isFound = share < Self.deliveredShareMin
      guard !isFound else { break }
      knee = (rooms, measurement)
      rooms = rooms * 5 / 4
    }
    guard let knee else { throw BenchFailure(description: "\(firstRooms) rooms are too many to begin with") }
    let (beyond, _) = try await measure(knee.rooms * 3 / 2, &table)
    print(table.text)
    if !isFound { print("no knee up to \(Self.connectionsMax) connections; what follows is of the last step") }
    if beyond.clientCPUShare > Self.clientCPUShareMax { print("the clients are at their end: they gave in, or also") }
    let share = beyond.framesPerSecond / knee.measurement.framesPerSecond
    print(
      "the knee: \(knee.rooms) rooms, \(knee.measurement.framesPerSecond.fixed(0)) frames/s, "
        + "p99 \(knee.measurement.milliseconds(99).fixed(1)) ms; at 1.5 times that "
        + "\((share * 100).fixed(0)) % of it, p99 \(beyond.milliseconds(99).fixed(1)) ms "
        + "\(thresholds.check("past-knee-share", share))\n"
    )
  }

  private func measure(_ rooms: Int, _ table: inout Table) async throws -> (Measurement, share: Double) {
    var slower = subjects
    slower.hz = kneeHz
    slower.rooms = rooms
    let plan = slower.plan(LoadPlan.tickName, warmUp: Self.warmUpSeconds, seconds: seconds)
    let server = try ServerProcess(Subjects.ours(shards: 1))
    defer { server.end() }
    let measurement = try await Load.run(plan, on: server).0
    let offered = plan.framesPerSecond ?? 0
    let share = measurement.framesPerSecond / offered
    table.add([
      "\(rooms)",
      offered.fixed(0),
      measurement.framesPerSecond.fixed(0),
      (share * 100).fixed(1) + " %",
      measurement.microsecondsPerFrame.fixed(2),
      measurement.milliseconds(50).fixed(1),
      measurement.milliseconds(99).fixed(1),
      (measurement.clientCPUShare * 100).fixed(0) + " %",
    ])
    return (measurement, share)
  }
}
