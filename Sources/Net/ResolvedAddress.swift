// A looked-up host and port, for listening and connecting.
//
// A value, made before the shards run: looking a name up blocks.
import Glibc

/// A failed use of the network, for the person who started the program.
package struct NetError: Error, CustomStringConvertible, Sendable {
  package let description: String

  init(_ what: String, errno code: Int32) {
    description = "\(what): \(String(cString: strerror(code)))"
  }

  init(_ what: String) {
    description = what
  }
}

/// An address in the kernel's form, and the name that it was given by.
package struct ResolvedAddress: Sendable {
  package let name: String
  let family: Int32
  private let bytes: [UInt8]

  /// Looks `host` up; blocks meanwhile.
  ///
  /// - Throws: `NetError` when the name is not known.
  /// - Parameters:
  ///   - host: a name or a numeric address.
  ///   - port: 0 lets the kernel choose, when listening.
  package init(host: String, port: UInt16) throws(NetError) {
    name = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, String(port), &hints, &found)
    defer { found.map(freeaddrinfo) }
    guard result == 0, let first = found?.pointee, let address = first.ai_addr else {
      throw NetError("can't look up \(host): \(String(cString: gai_strerror(result)))")
    }
    family = first.ai_family
    bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(first.ai_addrlen)))
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var storage = sockaddr_storage()
    return withUnsafeMutableBytes(of: &storage) { room in
      room.copyBytes(from: bytes)
      guard let start = room.baseAddress else { preconditionFailure("a sockaddr_storage has bytes") }
      return body(start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }
}
