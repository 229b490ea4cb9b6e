// One end of a connection: an address with a port.
//
// A value, in the kernel's form only while it is read.
import Glibc

/// One end of a connection.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  package let ip: IPAddress
  package let port: UInt16

  package init(ip: IPAddress, port: UInt16) {
    self.ip = ip
    self.port = port
  }

  package var description: String {
    let host = ip.description
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

extension SocketAddress {
  /// Reads the kernel's form; nil for another family than IPv4 and IPv6.
  init?(_ storage: sockaddr_storage) {
    var storage = storage
    switch Int32(storage.ss_family) {
    case AF_INET:
      self = withUnsafeBytes(of: &storage) {
        let address = $0.loadUnaligned(as: sockaddr_in.self)
        return SocketAddress(
          ip: IPAddress(v4: UInt32(bigEndian: address.sin_addr.s_addr)),
          port: UInt16(bigEndian: address.sin_port)
        )
      }
    case AF_INET6:
      self = withUnsafeBytes(of: &storage) {
        let address = $0.loadUnaligned(as: sockaddr_in6.self)
        return SocketAddress(ip: IPAddress(address.sin6_addr), port: UInt16(bigEndian: address.sin6_port))
      }
    default:
      return nil
    }
  }
}
