// How many TLS handshakes are under way, in all and from each address, for all shards of a process.
//
// Guards itself: asked when a handshake begins and when it ends. A session takes up to 150 KB while it shakes hands, for a
// few bytes that announce a long hello; a tenth of that after. A newcomer over the limit waits unread, in the kernel.
import Synchronization

package final class HandshakeQuota: Sendable {
  private struct Counts {
    var total = 0
    var byAddress: [IPAddress: Int] = [:]
  }

  /// `NetLimits.handshakesInAllMax`.
  package let totalMax: Int
  private let perAddressMax: Int
  private let counts = Mutex(Counts())

  init(_ limits: NetLimits) {
    totalMax = limits.handshakesInAllMax
    perAddressMax = limits.handshakesPerAddressMax
  }

  /// How many are under way.
  package var count: Int { counts.withLock { $0.total } }

  /// Counts one that begins, if it may. Whatever others do, an address that has none under way may begin one.
  func begin(_ network: IPAddress) -> Bool {
    counts.withLock { counts in
      let own = counts.byAddress[network, default: 0]
      guard own == 0 || own < perAddressMax && counts.total < totalMax else { return false }
      counts.byAddress[network] = own + 1
      counts.total += 1
      return true
    }
  }

  /// Forgets one that has ended, however.
  func end(_ network: IPAddress) {
    counts.withLock { counts in
      guard let own = counts.byAddress[network] else { preconditionFailure("what ends has begun") }
      counts.byAddress[network] = own > 1 ? own - 1 : nil
      counts.total -= 1
    }
  }
}

extension Connection {
  /// Whether the TLS handshake may begin. If not it is looked at again soon: what the peer has sent stays in the kernel.
  func beginHandshake() -> Bool {
    guard let heads, heads.configuration != nil, isCountedByAddress,
      core.limits.limitsLoopback || !address.ip.isLoopback
    else { return true }
    let network = address.ip.subscriberNetwork
    guard core.budgets.handshakes.begin(network) else {
      pauseReading(until: core.now.advanced(milliseconds: 100))
      return false
    }
    heads.handshakeNetwork = network
    return true
  }

  /// The handshake is over, or the connection is.
  func endHandshake() {
    guard let network = heads?.handshakeNetwork else { return }
    heads?.handshakeNetwork = nil
    core.budgets.handshakes.end(network)
  }
}
