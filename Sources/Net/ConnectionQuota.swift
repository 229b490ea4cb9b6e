// The quota of connections, in all and from each address, and of the files that they hold open, for all shards of a
// process.
//
// Guards itself: counted when a connection is accepted and when it ends, never on a message's path. Addresses are
// counted as `IPAddress.subscriberNetwork`, for an owner of one IPv6 address has billions.
import Locks

package final class ConnectionQuota: Sendable {
  enum Verdict {
    case admitted
    case tooManyInAll
    case tooManyFromAddress
  }

  private struct Counts {
    var total = 0
    /// The files that connections hold open, each with a descriptor of its own.
    var files = 0
    var byAddress: [IPAddress: Int] = [:]
  }

  private let totalMax: Int
  private let descriptorsMax: Int
  private let perAddressMax: Int
  private let limitsLoopback: Bool
  private let counts = OrderedMutex(.leaf, Counts())

  init(_ limits: NetLimits) {
    totalMax = limits.connectionsMax
    descriptorsMax = limits.descriptorsMax
    perAddressMax = limits.connectionsPerAddressMax
    limitsLoopback = limits.limitsLoopback
  }

  /// Whether the quota admits no newcomer from any address.
  var isFull: Bool { counts.withLock { !hasRoom($0) } }

  private func hasRoom(_ counts: Counts) -> Bool {
    counts.total < totalMax && counts.total + counts.files < descriptorsMax
  }

  /// The files that connections hold open.
  package var openFiles: Int { counts.withLock { $0.files } }

  /// Counts a file that a connection is about to open; nil where no descriptor is left for it.
  package func admitFile() -> HeldFile? {
    let isAdmitted = counts.withLock { counts in
      guard counts.total + counts.files < descriptorsMax else { return false }
      counts.files += 1
      return true
    }
    return isAdmitted ? HeldFile(in: self) : nil
  }

  fileprivate func releaseFile() { counts.withLock { $0.files -= 1 } }

  /// The number of connections in all, and of the address with the most. Looks at all addresses.
  package var used: (inAll: Int, ofAddress: Int) {
    counts.withLock { ($0.total, $0.byAddress.values.max() ?? 0) }
  }

  /// Counts a newcomer. With `address` nil (only a proxy is known) the newcomer counts only in all.
  func admit(_ address: IPAddress?) -> Verdict {
    let address = counted(address)
    return counts.withLock { counts in
      guard hasRoom(counts) else { return .tooManyInAll }
      if let address {
        guard counts.byAddress[address, default: 0] < perAddressMax else { return .tooManyFromAddress }
        counts.byAddress[address, default: 0] += 1
      }
      counts.total += 1
      return .admitted
    }
  }

  /// Sets the address of a connection that was admitted without one.
  func identify(_ address: IPAddress) -> Verdict {
    guard let address = counted(address) else { return .admitted }
    return counts.withLock { counts in
      guard counts.byAddress[address, default: 0] < perAddressMax else { return .tooManyFromAddress }
      counts.byAddress[address, default: 0] += 1
      return .admitted
    }
  }

  /// Forgets a connection that has gone; `address` as it was admitted or identified by.
  func release(_ address: IPAddress?) {
    let address = counted(address)
    counts.withLock { counts in
      precondition(counts.total > 0, "only an admitted connection is released")
      counts.total -= 1
      guard let address else { return }
      guard let count = counts.byAddress[address] else { preconditionFailure("only a counted connection is released") }
      counts.byAddress[address] = count > 1 ? count - 1 : nil
    }
  }

  private func counted(_ address: IPAddress?) -> IPAddress? {
    guard let address, limitsLoopback || !address.isLoopback else { return nil }
    return address.subscriberNetwork
  }
}

/// The place of an open file among the descriptors; it ends with the last reference.
package final class HeldFile: Sendable {
  private let quota: ConnectionQuota

  fileprivate init(in quota: ConnectionQuota) { self.quota = quota }

  deinit { quota.releaseFile() }
}
