// The quota of TLS handshakes under way, in all and from each address, for all shards of a process.
//
// Guards itself: asked when a handshake begins and when it ends. A session takes up to 150 KB during its handshake, for
// a few bytes that announce a long hello; afterwards a tenth of that. A newcomer over the limit waits unread, in the
// kernel.
import Locks

package final class HandshakeQuota: Sendable {
  private struct Counts {
    var total = 0
    var byAddress: [IPAddress: Int] = [:]
  }

  /// `NetLimits.handshakesInAllMax`.
  package let totalMax: Int
  private let perAddressMax: Int
  private let counts = OrderedMutex(.leaf, Counts())

  package init(_ limits: NetLimits) {
    totalMax = limits.handshakesInAllMax
    perAddressMax = limits.handshakesPerAddressMax
  }

  /// The number of handshakes under way.
  package var count: Int { counts.withLock { $0.total } }

  /// Counts a new handshake; nil when it may not begin. An address with none under way may always begin one.
  package func begin(_ network: IPAddress) -> HandshakePlace? {
    let isAdmitted = counts.withLock { counts in
      let own = counts.byAddress[network, default: 0]
      guard own == 0 || own < perAddressMax && counts.total < totalMax else { return false }
      counts.byAddress[network] = own + 1
      counts.total += 1
      return true
    }
    return isAdmitted ? HandshakePlace(network, of: self) : nil
  }

  /// Forgets a handshake that has ended in any way.
  fileprivate func end(_ network: IPAddress) {
    counts.withLock { counts in
      guard let own = counts.byAddress[network] else { preconditionFailure("only a counted handshake ends") }
      counts.byAddress[network] = own > 1 ? own - 1 : nil
      counts.total -= 1
    }
  }
}

/// A place among the handshakes under way. Owned by one connection, which gives it back once.
package final class HandshakePlace {
  private let network: IPAddress
  private let quota: HandshakeQuota

  fileprivate init(_ network: IPAddress, of quota: HandshakeQuota) {
    self.network = network
    self.quota = quota
  }

  func giveBack() {
    quota.end(network)
  }
}
