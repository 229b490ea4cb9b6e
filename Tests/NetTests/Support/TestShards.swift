// A group of shards inside the test's process, on a clock that the test advances, listening on the loopback.
//
// One for each test; it ends with it. Newcomers go to the shards in turn, beginning with the second.
import Net
import TestSupport
import WebSocket

final class TestShards {
  let clock = ManualClock()
  let log = EventLog()
  let group: ShardGroup
  let address: SocketAddress
  private var lastBarrier: UInt64 = 0
  private var isStopped = false

  /// Without the manual clock it runs on the machine's own, so that only sockets wake the shards.
  init(
    _ count: Int = 1,
    onManualClock: Bool = true,
    listener: ListenerConfiguration = ListenerConfiguration(),
    _ configure: (inout NetLimits) -> Void = { _ in }
  ) throws {
    var limits = NetLimits()
    configure(&limits)
    let log = log
    group = try ShardGroup(count: count, limits: limits, clock: onManualClock ? clock : SystemClock()) {
      CommandService($0, log)
    }
    let listening = try ListeningSocket(ResolvedAddress(host: "127.0.0.1", port: 0), limits: limits)
    address = listening.address
    group.accept(from: listening, by: listener)
  }

  deinit {
    if !isStopped { group.stop {} }
  }

  func peer() throws -> TestPeer {
    try TestPeer(port: address.port)
  }

  func socket(from source: UInt32? = nil) throws -> TestSocket {
    try TestSocket(port: address.port, from: source)
  }

  /// Runs `body` on a shard's queue, in a turn of its own, and waits for its result.
  @discardableResult
  func on<Value: Sendable>(_ shard: Int, _ body: @escaping @Sendable (isolated Shard) -> Value) throws -> Value {
    let delivery = Delivery<Value>()
    group.shards[shard].post { delivery.put(body($0)) }
    return try delivery.take()
  }

  /// Lets time pass, and everything happen on every shard that is due until then. A timer fires after all that were due
  /// in earlier slots, so one that is set for the very end marks the end of the others.
  func pass(seconds: Int64 = 0, milliseconds: Int64 = 0) throws {
    clock.advance(seconds: seconds, milliseconds: milliseconds)
    let end = clock.now()
    lastBarrier += 1
    let token = lastBarrier
    for shard in group.shards { try on(shard.index) { _ = $0.core.setTimer(token, at: end) } }
    clock.advance(milliseconds: TimerWheel.resolutionMicroseconds / 1_000)
    for shard in group.shards { try log.wait(for: "\(shard.index) timer \(token)") }
  }

  /// Waits until a shard has read so many bytes from its connections in all.
  func awaitBytesIn(_ count: Int, on shard: Int = 0) throws {
    // Bounded only so that a failing test ends: each look waits for the shard.
    for _ in 0..<1_000_000 {
      if try on(shard, { $0.core.counters.bytesIn }) >= count { return }
    }
    throw TestFailure("shard \(shard) never read \(count) bytes")
  }

  /// Stops all shards and waits for their end.
  func stop() throws {
    isStopped = true
    let delivery = Delivery<Void>()
    group.stop { delivery.put(()) }
    try delivery.take()
  }
}
