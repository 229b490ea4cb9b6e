// How many connections there are, in all and from each address, for all shards of a process.
//
// Guards itself: counted when a connection is accepted and when it ends, never on the way of a message. Addresses are
// counted as `IPAddress.subscriberNetwork`, for whoever has one IPv6 address has billions.
import Synchronization

package final class ConnectionQuota: Sendable {
  enum Verdict {
    case admitted
    case tooManyInAll
    case tooManyFromAddress
  }

  private struct Counts {
    var total = 0
    var byAddress: [IPAddress: Int] = [:]
  }

  private let totalMax: Int
  private let perAddressMax: Int
  private let limitsLoopback: Bool
  private let counts = Mutex(Counts())

  init(_ limits: NetLimits) {
    totalMax = limits.connectionsMax
    perAddressMax = limits.connectionsPerAddressMax
    limitsLoopback = limits.limitsLoopback
  }

  /// Whether no newcomer is admitted, whoever it is.
  var isFull: Bool { counts.withLock { $0.total >= totalMax } }

  /// How many connections there are, and of the address that has most; looks at all addresses.
  package var used: (inAll: Int, ofAddress: Int) {
    counts.withLock { ($0.total, $0.byAddress.values.max() ?? 0) }
  }

  /// Counts a newcomer. With `address` nil, for one of whom only a proxy is known, only in all.
  func admit(_ address: IPAddress?) -> Verdict {
    let address = counted(address)
    return counts.withLock { counts in
      guard counts.total < totalMax else { return .tooManyInAll }
      if let address {
        guard counts.byAddress[address, default: 0] < perAddressMax else { return .tooManyFromAddress }
        counts.byAddress[address, default: 0] += 1
      }
      counts.total += 1
      return .admitted
    }
  }

  /// Learns the address of one who was admitted without.
  func identify(_ address: IPAddress) -> Verdict {
    guard let address = counted(address) else { return .admitted }
    return counts.withLock { counts in
      guard counts.byAddress[address, default: 0] < perAddressMax else { return .tooManyFromAddress }
      counts.byAddress[address, default: 0] += 1
      return .admitted
    }
  }

  /// Forgets one who has gone; `address` as it was admitted or identified by.
  func release(_ address: IPAddress?) {
    let address = counted(address)
    counts.withLock { counts in
      precondition(counts.total > 0, "who goes was admitted")
      counts.total -= 1
      guard let address else { return }
      guard let count = counts.byAddress[address] else { preconditionFailure("who goes was counted") }
      counts.byAddress[address] = count > 1 ? count - 1 : nil
    }
  }

  private func counted(_ address: IPAddress?) -> IPAddress? {
    guard let address, limitsLoopback || !address.isLoopback else { return nil }
    return address.subscriberNetwork
  }
}
