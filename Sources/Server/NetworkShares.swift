// The use of a common bound by networks: a few of them leave room for all others. A value, guarded by its owner.
//
// A network may use a part of what the others leave free, so each further network that takes all it may gets less. It
// takes some 75 networks to use the bound up. A network that uses nothing may always begin while there is room.
// Decisions: 127 (docs/decisions).
import Net

/// The network that pays for shared work, as budgets count addresses.
package struct SharingNetwork: Hashable, Sendable {
  package let address: IPAddress
  /// Load tests, tools and proxies on the loopback have no bound of their own.
  package let isExempt: Bool

  package init(_ address: IPAddress, limitsLoopback: Bool) {
    self.address = address.subscriberNetwork
    isExempt = address.isLoopback && !limitsLoopback
  }

  private init(exempt address: IPAddress) {
    (self.address, isExempt) = (address, true)
  }

  /// The server's own work.
  package static let server = SharingNetwork(exempt: IPAddress(high: 0, low: 0))
}

package struct NetworkShares: Sendable {
  package enum Verdict: Sendable {
    case taken
    /// All networks together use too much.
    case spent
    /// This network uses its share.
    case spentByNetwork
  }

  /// A network may use one of so many parts of what the others leave.
  private static let parts = 16

  /// The bound of all networks together.
  package let bound: Int
  package private(set) var used = 0
  /// The use of each network that is not exempt.
  private var byNetwork: [IPAddress: Int] = [:]

  package init(bound: Int) {
    self.bound = bound
  }

  /// The bound of a network beside which nobody uses anything.
  package var boundOfNetwork: Int { bound / Self.parts }

  /// The use of the network that uses most.
  package var usedByNetwork: Int { byNetwork.values.max() ?? 0 }

  /// Takes units for a network, all or none.
  package mutating func take(_ units: Int, for network: SharingNetwork) -> Verdict {
    guard used + units <= bound else { return .spent }
    let own = byNetwork[network.address] ?? 0
    if !network.isExempt {
      guard own == 0 || (own + units) * Self.parts <= bound - (used - own) else { return .spentByNetwork }
      byNetwork[network.address] = own + units
    }
    used += units
    return .taken
  }

  package mutating func giveBack(_ units: Int, of network: SharingNetwork) {
    used -= units
    guard !network.isExempt else { return }
    guard let own = byNetwork[network.address], own >= units else {
      preconditionFailure("a network gives back what it has taken")
    }
    byNetwork[network.address] = own > units ? own - units : nil
  }
}
