// The addresses of the machine's networks, for an operator who has to choose the one that phones dial.
//
// Asks the kernel, and sends nothing; any thread.
import Glibc

/// An address that the machine has in a network.
package struct InterfaceAddress: Hashable, Sendable {
  /// The name of the network's interface, such as `eth0`.
  package let interface: String
  package let ip: IPAddress

  package init(interface: String, ip: IPAddress) {
    self.interface = interface
    self.ip = ip
  }

  /// The addresses that other machines may dial, IPv4 first, in the kernel's order: none of the loopback, and none that
  /// holds on one link only (169.254/16, fe80::/10).
  package static func all() -> [InterfaceAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [InterfaceAddress] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, let ip = ip(at: address), ip.isDialable else { continue }
      found.append(InterfaceAddress(interface: String(cString: entry.ifa_name), ip: ip))
    }
    return found.filter(\.ip.isV4) + found.filter { !$0.ip.isV4 }
  }

  /// The address in the kernel's form; nil for another family than IPv4 and IPv6.
  private static func ip(at address: UnsafePointer<sockaddr>) -> IPAddress? {
    var storage = sockaddr_storage()
    let byteCount =
      switch Int32(address.pointee.sa_family) {
      case AF_INET: MemoryLayout<sockaddr_in>.size
      case AF_INET6: MemoryLayout<sockaddr_in6>.size
      default: 0
      }
    guard byteCount > 0 else { return nil }
    withUnsafeMutableBytes(of: &storage) { room in
      room.copyMemory(from: UnsafeRawBufferPointer(start: address, count: byteCount))
    }
    return SocketAddress(storage)?.ip
  }
}

extension IPAddress {
  /// Whether another machine may dial the address: it is one machine's, and holds beyond a single link.
  package var isDialable: Bool {
    guard !isLoopback, !isUnspecified else { return false }
    if isV4 {
      let address = UInt32(truncatingIfNeeded: low)
      // 169.254/16 holds on one link; 224/4 is of many machines, and the rest of the last eighth is reserved.
      return address >> 16 != 0xA9FE && address >> 24 != 0 && address >> 29 != 7
    }
    // fe80::/10 holds on one link; ff00::/8 is of many machines.
    return high >> 54 != 0xFE80 >> 6 && high >> 56 != 0xFF
  }
}
