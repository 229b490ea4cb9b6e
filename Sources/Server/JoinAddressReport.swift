// What an operator without a public URL is told at the start: the address that join links name, whether phones reach
// it, and which others the machine has.
//
// A value; pure.
import Net

package struct JoinAddressReport {
  /// Whether phones can dial the listener: it is not on the loopback alone, nor on all addresses of a machine without a
  /// network.
  package let isReachable: Bool
  /// One line for the log.
  package let text: String

  /// - Parameters:
  ///   - base: the common base of join URLs.
  ///   - listener: the address that is listened on.
  ///   - machine: the machine's addresses.
  package init(base: String, listener: SocketAddress, machine: [InterfaceAddress]) {
    let machine = machine.filter { $0.ip.isV4 || !listener.ip.isV4 }
    let dialled = listener.reachable
    isReachable = dialled.ip.isDialable
    let named = "join URLs and QRs name \(base)"
    if isReachable {
      let others = listener.ip.isUnspecified ? machine.filter { $0.ip != dialled.ip } : []
      let choice = others.isEmpty ? "" : "; this machine also has \(Self.list(others))"
      text = "\(named), or the host that a client has asked\(choice): set --public-url if there is one right address"
      return
    }
    let advice =
      machine.isEmpty
      ? "this machine has no address in a network"
      : "set --host 0.0.0.0 for \(Self.list(machine)), or --public-url behind a proxy"
    text = "\(named), which phones do not reach: \(advice)"
  }

  /// For example `192.168.0.10 (eth0), 10.8.0.2 (tun0)`.
  private static func list(_ addresses: [InterfaceAddress]) -> String {
    addresses.map { "\($0.ip) (\($0.interface))" }.joined(separator: ", ")
  }
}
