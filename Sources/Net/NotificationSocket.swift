// The socket of a service manager that has started the process, as systemd does: it is told when the server is ready
// and when it ends (sd_notify(3)).
//
// A value; any thread. A message is one datagram, and nobody waits for it.
// Decisions: 133 (docs/decisions).
import Glibc

package struct NotificationSocket: Sendable {
  /// The socket's path; one that begins with `@` is a name in the kernel (unix(7), abstract).
  private let path: String

  /// Nil without a path that a socket can have.
  ///
  /// - Parameter path: the value of the variable `NOTIFY_SOCKET`; nil for a process that nobody manages.
  package init?(socket path: String?) {
    guard let path, path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count > 1 else { return nil }
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    self.path = path
  }

  /// The states that the manager is told of.
  package enum State: Sendable {
    /// The server takes connections; the text is shown to operators.
    case ready(String)
    /// The server has begun to end.
    case stopping(String)

    fileprivate var message: String {
      switch self {
      case .ready(let text): "READY=1\nSTATUS=\(text)"
      case .stopping(let text): "STOPPING=1\nSTATUS=\(text)"
      }
    }
  }

  /// Tells the manager.
  ///
  /// - Returns: whether the kernel took the message.
  @discardableResult
  package func tell(_ state: State) -> Bool {
    let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    if name[0] == UInt8(ascii: "@") { name[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let message = Array(state.message.utf8)
    let sent = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        sendto(socket, message, message.count, Int32(MSG_NOSIGNAL), address, length)
      }
    }
    return sent == message.count
  }
}
