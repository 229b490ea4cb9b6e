// One measurement: clients connect, warm the server up, and are counted for a while.
//
// Used by one task; the clients live on a shard of their own.
import Glibc
import Net

enum Load {
  private static let connectSecondsMax = 20

  /// The measurement, and the number of all frames since the clients connected, including the warm-up.
  static func run(_ plan: LoadPlan, on server: ServerProcess) async throws -> (Measurement, framesInAll: Int) {
    var limits = NetLimits()
    limits.handshakeSeconds = Int64(connectSecondsMax)
    let group = try ShardGroup(count: 1, limits: limits, clock: MonotonicClock()) { LoadService($0, plan) }
    let address = server.address
    try await ask(group) { service in Result { try service.dial(address) } }.get()
    for _ in 0..<(connectSecondsMax * 50) where await ask(group, { $0.openCount }) < plan.clients {
      try await Task.sleep(for: .milliseconds(20))
    }
    let openCount = await ask(group) { $0.openCount }
    guard openCount == plan.clients else {
      throw BenchFailure(description: "\(openCount) of \(plan.clients) clients connected")
    }
    let pacer = Pacer(ServiceShards(group.shards)[0])
    await ask(group) { $0.begin() }
    try await Task.sleep(for: .seconds(plan.warmUpSeconds))

    await ask(group) { $0.resetMeasurement() }
    let began = ContinuousClock.now
    let serverCPU = server.cpuMicroseconds
    let clientCPU = ownCPUMicroseconds
    try await Task.sleep(for: .seconds(plan.seconds))
    var measurement = await ask(group) { $0.measurement }
    measurement.serverCPUMicroseconds = server.cpuMicroseconds - serverCPU
    measurement.clientCPUMicroseconds = ownCPUMicroseconds - clientCPU
    measurement.seconds = (ContinuousClock.now - began) / .seconds(1)

    pacer.end()
    let framesInAll = await ask(group) { $0.framesInAll }
    await withCheckedContinuation { continuation in group.stop { continuation.resume() } }
    return (measurement, framesInAll)
  }

  /// Calls `body` with the clients, on their shard.
  private static func ask<Value: Sendable>(
    _ group: ShardGroup,
    _ body: @escaping @Sendable (LoadService) -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      ServiceShards<LoadService>(group.shards)[0].post { continuation.resume(returning: body($0)) }
    }
  }

  /// The CPU time of this process so far.
  private static var ownCPUMicroseconds: Int64 {
    var time = timespec()
    let result = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    precondition(result == 0, "a POSIX clock of this system can't be read")
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
