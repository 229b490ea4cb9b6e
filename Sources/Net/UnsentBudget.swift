// The budget of bytes that wait to be sent on all connections of a process.
//
// Guards itself: two counters that every shard adds to. Only connections that wait for the kernel are counted, so a
// frame that the kernel takes at once changes nothing here. Over the bound the shards close the greediest connections
// (UnsentShedding.swift); nothing is refused here.
import Synchronization

package final class UnsentBudget: Sendable {
  /// `NetLimits.unsentBytesInAllMax`.
  package let bytesMax: Int
  private let bytes = Atomic<Int>(0)
  private let connections = Atomic<Int>(0)
  /// Whether a search for the greediest connections goes from shard to shard.
  private let isShedding = Atomic<Bool>(false)

  init(_ limits: NetLimits) {
    bytesMax = limits.unsentBytesInAllMax
  }

  /// The waiting bytes on all counted connections.
  package var usedBytes: Int { bytes.load(ordering: .relaxed) }

  /// The number of connections with bytes that wait for the kernel.
  package var connectionCount: Int { connections.load(ordering: .relaxed) }

  package var isExceeded: Bool { usedBytes > bytesMax }

  /// The average of the counted connections. At least one of them holds as much.
  var fairShareBytes: Int { usedBytes / max(1, connectionCount) }

  /// Changes a connection's count; both values are 0 or more.
  func change(from before: Int, to after: Int) {
    guard before != after else { return }
    bytes.add(after - before, ordering: .relaxed)
    if before == 0 { connections.add(1, ordering: .relaxed) }
    if after == 0 { connections.subtract(1, ordering: .relaxed) }
  }

  /// True for the caller that may begin a search, until `endShedding`.
  func beginShedding() -> Bool {
    isShedding.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
  }

  func endShedding() {
    isShedding.store(false, ordering: .relaxed)
  }
}
