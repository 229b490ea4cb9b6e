// The limits that all shards of a process share: connections, unsent bytes and requests.
//
// Made by the shard group, immutable, and each part guards itself. None of it lies on a message's path.
import Synchronization

package final class ProcessBudgets: Sendable {
  package let connections: ConnectionQuota
  package let unsent: UnsentBudget
  package let requests: RequestQuota
  package let upgrades: RequestQuota
  package let handshakes: HandshakeQuota
  private let hasNoticedProxy = Atomic<Bool>(false)

  init(_ limits: NetLimits) {
    connections = ConnectionQuota(limits)
    unsent = UnsentBudget(limits)
    requests = RequestQuota(perMinute: limits.requestsPerMinuteForAddress, limitsLoopback: limits.limitsLoopback)
    upgrades = RequestQuota(perMinute: limits.upgradesPerMinuteForAddress, limitsLoopback: limits.limitsLoopback)
    handshakes = HandshakeQuota(limits)
  }

  /// Whether an unconfigured proxy has been noticed already.
  var knowsOfUndeclaredProxy: Bool { hasNoticedProxy.load(ordering: .relaxed) }

  /// True for the first caller that notices an unconfigured proxy.
  func noticeUndeclaredProxy() -> Bool {
    hasNoticedProxy.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
  }
}
