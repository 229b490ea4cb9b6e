// A receiver of HTTP on plain blocking sockets, which does what a test says, also what no good server does.
//
// Each connection has a thread of its own, where the test's script runs with it. The end of the receiver ends them all.
import COpenSSL
import Dispatch
import Glibc
import Synchronization
import TestSupport

final class TestReceiver: Sendable {
  typealias Script = @Sendable (ReceiverConnection) throws -> Void

  let port: UInt16
  private let listener: Int32
  private let state = Mutex(State())
  private let ended = DispatchGroup()

  private struct State {
    var connections: [ReceiverConnection] = []
    var isEnded = false
  }

  /// Listens on a free port of 127.0.0.1, with TLS when there is a certificate. The script begins with each connection,
  /// and the connection is closed at its end.
  init(_ certificate: TestCertificate? = nil, tlsVersionMax: Int32 = TLS1_3_VERSION, _ script: @escaping Script) throws
  {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    port = try withUnsafeMutablePointer(to: &address) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(listener, address, size) == 0, listen(listener, 100) == 0, getsockname(listener, address, &size) == 0
        else { throw TestFailure("can't listen: \(errno)") }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
      }
    }
    let tls = try certificate.map { try ReceiverTLS($0, versionMax: tlsVersionMax) }
    DispatchQueue(label: "receiver").async(group: ended) { [self] in accept(tls, script) }
  }

  /// How many connections have come.
  var connectionCount: Int { state.withLock { $0.connections.count } }

  func url(_ path: String = "/", host: String = "127.0.0.1", scheme: String = "http") -> String {
    "\(scheme)://\(host):\(port)\(path)"
  }

  /// Ends all connections, and waits for their scripts.
  func end() {
    let connections = state.withLock { state in
      state.isEnded = true
      return state.connections
    }
    for connection in connections { connection.interrupt() }
    // Linux wakes a thread in accept(2).
    shutdown(listener, Int32(SHUT_RDWR))
    ended.wait()
    close(listener)
  }

  private func accept(_ tls: ReceiverTLS?, _ script: @escaping Script) {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      guard descriptor >= 0 else { return }
      let connection = ReceiverConnection(descriptor, tls)
      let isWanted = state.withLock { state in
        if !state.isEnded { state.connections.append(connection) }
        return !state.isEnded
      }
      guard isWanted else { return }
      DispatchQueue(label: "receiver of one").async(group: ended) {
        // A client that goes away in the middle ends the script.
        if connection.shakeHands() { try? script(connection) }
        connection.close()
      }
    }
  }
}
