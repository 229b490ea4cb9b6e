// The policy of addresses, applied to an address in the kernel's form. A pure function.
import Glibc

extension AddressPolicy {
  /// Whether the bytes are a `sockaddr` of IPv4 or IPv6 that may be connected to.
  func allows(socketAddress bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= MemoryLayout<sockaddr>.size else { return false }
    switch Int32(bytes.loadUnaligned(as: sockaddr.self).sa_family) {
    case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
      return allows(v4: UInt32(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
    case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
      return withUnsafeBytes(of: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr) {
        allows(
          v6High: UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
          low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
      }
    default:
      return false
    }
  }
}
