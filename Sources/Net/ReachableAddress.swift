// The address by which others reach a listener on all addresses of the machine.
//
// Asks the kernel, and sends nothing; any thread.
import Glibc

extension SocketAddress {
  /// The address itself; where it stands for all addresses of the machine (`0.0.0.0`, `::`), the one that the machine
  /// has in the network of its default route. Without such a network it stays as it is.
  package var reachable: SocketAddress {
    guard ip.isUnspecified else { return self }
    // Addresses of documentation (RFC 5737, RFC 3849): they lie behind the default route, and nobody has them. A phone
    // in the same network has IPv4, and `::` takes it too.
    let routed = Self.source(towards: "192.0.2.1") ?? (ip.isV4 ? nil : Self.source(towards: "2001:db8::1"))
    return routed.map { SocketAddress(ip: $0, port: port) } ?? self
  }

  /// The address that a datagram to `host` would come from. Connecting a datagram socket sends nothing.
  private static func source(towards host: String) -> IPAddress? {
    guard let address = try? ResolvedAddress(host: host, port: 9) else { return nil }
    let socket = socket(address.family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return nil }
    defer { close(socket) }
    guard address.withPointer({ connect(socket, $0, $1) }) == 0 else { return nil }
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isNamed = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    guard isNamed == 0, let own = SocketAddress(storage), !own.ip.isUnspecified else { return nil }
    return own.ip
  }
}
