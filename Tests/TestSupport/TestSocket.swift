// A plain blocking TCP client, for tests that care about single bytes.
//
// Used by one test at a time. Waits are bounded only so that a failing test ends; no test measures time.
import Glibc
import Net
import WebSocket

package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

package final class TestSocket {
  let descriptor: Int32
  private static let patienceMs: Int32 = 120_000

  /// Connects to the loopback port, from 127.0.0.1 or another loopback address, 127.0.0.0/8. With `receiveBufferBytes`
  /// the kernel takes about twice as many bytes ahead, and no less than a few KiB: for tests of slow readers.
  package init(port: UInt16, from source: UInt32? = nil, receiveBufferBytes: Int32? = nil) throws {
    descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBufferBytes {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    if let source {
      guard Self.with(source, 0, { bind(descriptor, $0, $1) }) == 0 else { throw TestFailure("can't bind: \(errno)") }
    }
    guard Self.with(0x7F00_0001, port, { connect(descriptor, $0, $1) }) == 0 else {
      throw TestFailure("can't connect: \(errno)")
    }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func with(
    _ host: UInt32,
    _ port: UInt16,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  deinit {
    Glibc.close(descriptor)
  }

  /// The descriptor of the connection's other end, where this process has it.
  package var otherEnd: Int32? {
    guard let ownPort = Self.port(descriptor, getsockname), let peerPort = Self.port(descriptor, getpeername) else {
      return nil
    }
    return (0..<min(getdtablesize(), 65_536)).first {
      Self.port($0, getsockname) == peerPort && Self.port($0, getpeername) == ownPort
    }
  }

  private static func port(
    _ descriptor: Int32,
    _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> UInt16? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &size) }
    }
    return result == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
  }

  /// Makes the kernel's buffers small, for tests of slow readers.
  package func shrinkReceiveBuffer() {
    var size: Int32 = 4_096
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  package func send(_ bytes: some Collection<UInt8>) throws {
    var rest = Array(bytes)
    while !rest.isEmpty {
      let count = Glibc.send(descriptor, rest, rest.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { throw TestFailure("can't send: \(errno)") }
      rest.removeFirst(count)
    }
  }

  /// The next bytes, at most so many; empty when the peer has ended or reset the connection.
  package func receive(atMost bytesMax: Int) throws -> [UInt8] {
    try awaitInput()
    var buffer = [UInt8](repeating: 0, count: bytesMax)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : []
  }

  /// The next bytes; empty when the peer has ended or reset the connection.
  package func receive() throws -> [UInt8] { try receive(atMost: 65_536) }

  /// Waits until bytes, or the end, can be read.
  func awaitInput() throws {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Self.patienceMs) == 1 else { throw TestFailure("nothing came") }
  }

  /// Everything until the peer ends the connection.
  package func receiveToEnd() throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let more = try receive()
      if more.isEmpty { return all }
      all += more
    }
  }

  /// Whether bytes, or the end, can be read at this moment.
  package var hasInput: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  package func endSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Ends the connection with a reset, as a phone that loses its network does at best.
  package func reset() {
    // Linux sends a reset when a connected socket is connected to no address. A shutdown would end it in good order.
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
  }
}
