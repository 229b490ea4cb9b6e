// The server whose instructions are counted: the real one, driven, with a clock that stands until it is set, random
// numbers of a seed and a store in memory that answers at once. So all runs are identical.
//
// Used on one thread. The counted work runs in `countedTurn`; callgrind counts between its entry and exit.
import Net
import SeededRandom
import Server
import Store
import StoreDoubles
import Synchronization

final class InstructionsServer {
  /// A clock that only moves when it is set.
  private final class StillClock: Clock {
    private let microseconds: Atomic<Int64>

    init(_ start: Timestamp) {
      microseconds = Atomic(start.microseconds)
    }

    func now() -> Timestamp { Timestamp(microseconds: microseconds.load(ordering: .relaxed)) }

    func waitMicroseconds(until time: Timestamp) -> Int64 { 0 }

    func advance(milliseconds: Int64) {
      microseconds.add(milliseconds * 1_000, ordering: .relaxed)
    }
  }

  /// The limit of turns at one moment, far more than needed.
  private static let turnsMax = 10_000

  /// The CPU time of the counted turns, the system's part included.
  private(set) var countedNs: Int64 = 0
  private let clock = StillClock(Timestamp(milliseconds: 1_790_000_000_000))
  private let server: GameServer
  private let shard: Shard

  init() throws {
    var configuration = ServerConfiguration(webRoot: nil)
    configuration.shards = 1
    configuration.gateway.conformance = true
    configuration.publicURL = "https://play.example.org"
    let random = Mutex(SplitMix64(seed: 8))
    configuration.gateway.random = { count in
      random.withLock { random in (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) } }
    }
    let store = MemoryStore { $0() }
    server = try GameServer(driven: configuration, store, Restoration(from: store), clock: clock)
    shard = server.shards[0]
  }

  var nowMs: Int64 { clock.now().milliseconds }

  func advance(milliseconds: Int64) {
    clock.advance(milliseconds: milliseconds)
  }

  func adopt(_ descriptor: Int32, from address: SocketAddress) {
    shard.adopt(descriptor, from: address)
  }

  /// Takes turns until nothing is left to do at this moment; not counted.
  func rest() throws {
    try take { $0.turn() }
  }

  /// The same, counted.
  func restCounted() throws {
    let began = threadCPUNanoseconds()
    try take(countedTurn)
    countedNs += threadCPUNanoseconds() - began
  }

  private func take(_ turn: (Shard) -> Bool) throws {
    for _ in 0..<Self.turnsMax where !turn(shard) { return }
    throw BenchFailure(description: "the server does not come to rest")
  }

  /// Gives up everything.
  func end() {
    server.abandon {}
    while shard.turn() {}
  }
}

/// The function in which scripts/instructions has callgrind count, by its name: it may neither be renamed nor inlined.
@inline(never)
private func countedTurn(_ shard: Shard) -> Bool {
  shard.turn()
}
