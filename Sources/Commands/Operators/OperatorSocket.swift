// A plain socket to an operators' listener, for commands.
//
// Blocks, each call up to its patience. Ends with the last reference.
import ArgumentParser
import Glibc

final class OperatorSocket {
  private let link: OperatorLink
  private let descriptor: Int32

  /// Connects; each call waits for the peer up to `patienceSeconds`.
  ///
  /// - Throws: `ValidationError` when nobody listens there.
  init(to link: OperatorLink, patienceSeconds: Int = 10) throws {
    self.link = link
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(link.host, String(link.port), &hints, &found) == 0, let first = found?.pointee else {
      throw ValidationError("can't look up \(link.host).")
    }
    defer { freeaddrinfo(found) }
    descriptor = socket(first.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw failure("make a socket for") }
    var patience = timeval(tv_sec: patienceSeconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    guard connect(descriptor, first.ai_addr, first.ai_addrlen) == 0 else { throw failure("connect to") }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Sends all of the bytes.
  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { rest in
        Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw failure("send to") }
      sent += count
    }
  }

  /// Some bytes; none at the end.
  func receive() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw failure("read from") }
    buffer.removeLast(buffer.count - count)
    return buffer
  }

  private func failure(_ what: String) -> ValidationError {
    ValidationError("can't \(what) \(link.host):\(link.port): \(String(cString: strerror(errno))).")
  }
}

extension OperatorLink {
  /// Host and port as HTTP has them.
  var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
