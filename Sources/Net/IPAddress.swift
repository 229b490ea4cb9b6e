// Addresses of peers and of listeners, as comparable values.
//
// A value. IPv4 is kept as its IPv6-mapped form, so that a phone has one address whichever family the listener speaks.
import Glibc

/// An IPv6 address, or an IPv4 one in its mapped form (`::ffff:a.b.c.d`).
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  private static let mappedPrefix: UInt64 = 0x0000_FFFF_0000_0000

  package init(v4 address: UInt32) {
    high = 0
    low = Self.mappedPrefix | UInt64(address)
  }

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  private var isV4: Bool { high == 0 && low & 0xFFFF_FFFF_0000_0000 == Self.mappedPrefix }

  /// 127.0.0.0/8 or ::1.
  package var isLoopback: Bool {
    isV4 ? UInt8(truncatingIfNeeded: low >> 24) == 127 : (high == 0 && low == 1)
  }

  /// 0.0.0.0 or ::, which stand for every address of the machine.
  package var isUnspecified: Bool { high == 0 && (low == 0 || low == Self.mappedPrefix) }

  package var description: String {
    if isV4 {
      return (0..<4).map { String(UInt8(truncatingIfNeeded: low >> (24 - 8 * UInt64($0)))) }.joined(separator: ".")
    }
    var bytes = in6_addr()
    withUnsafeMutableBytes(of: &bytes) {
      $0.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      guard let start = text.baseAddress, inet_ntop(AF_INET6, &bytes, start, socklen_t(text.count)) != nil else {
        preconditionFailure("an IPv6 address has a text form")
      }
      return String(cString: start)
    }
  }
}

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
  /// Reads what the kernel wrote; nil for another family than IPv4 and IPv6.
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
        let (high, low) = withUnsafeBytes(of: address.sin6_addr) {
          (
            UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
            UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
          )
        }
        return SocketAddress(ip: IPAddress(high: high, low: low), port: UInt16(bigEndian: address.sin6_port))
      }
    default:
      return nil
    }
  }
}
