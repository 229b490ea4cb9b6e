// The addresses of a name, by the system's resolver, which may block.
import Glibc
import Net

enum HostLookUp {
  /// All addresses, each once, in the resolver's order; none when the name is not known.
  static func addresses(of name: String) -> [IPAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &found) == 0, let found else { return [] }
    defer { freeaddrinfo(found) }
    var addresses: [IPAddress] = []
    for entry in sequence(first: found, next: { $0.pointee.ai_next }) {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let info = entry.pointee
      guard getnameinfo(info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      guard let address = IPAddress(String(decoding: bytes, as: UTF8.self)), !addresses.contains(address) else {
        continue
      }
      addresses.append(address)
    }
    return addresses
  }
}
