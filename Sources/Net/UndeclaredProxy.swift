// A proxy on this machine that is missing from the server's settings: all of its clients look like the loopback, which
// has no limits.
//
// A view of one connection, made where it is used, on the shard's queue. Nothing is believed and nothing refused here.
// The service is notified once in a process, so that the operator learns of it.
import WebSocket

struct UndeclaredProxySearch {
  private let connection: Connection
  private let configuration: ListenerConfiguration

  init(_ connection: Connection, _ configuration: ListenerConfiguration) {
    self.connection = connection
    self.configuration = configuration
  }

  /// Looks for a proxy's fields in a request.
  func search(in head: RequestHead) {
    if isOn, !head.values(of: "X-Forwarded-For").isEmpty { report() }
  }

  /// Looks for a header of the PROXY protocol where a request or a TLS handshake should begin.
  func search(at firstBytes: UnsafeRawBufferPointer) {
    if isOn, ProxyHeader.isBegun(by: firstBytes) { report() }
  }

  /// Looks for the same in bytes that still lie in the socket.
  func searchSocket() {
    guard isOn else { return }
    let all = connection.shard.readBuffer
    let buffer = UnsafeMutableRawBufferPointer(rebasing: all[..<min(16, all.count)])
    guard case .bytes(let count) = connection.socket.peek(into: buffer) else { return }
    search(at: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }

  /// Whether the peer may be such a proxy, and none has been noticed yet.
  private var isOn: Bool {
    let address = connection.address.ip
    guard address.isLoopback, !connection.shard.budgets.knowsOfUndeclaredProxy else { return false }
    return !configuration.trustedProxies.contains(address)
  }

  private func report() {
    guard connection.shard.budgets.noticeUndeclaredProxy() else { return }
    connection.service.noticedUndeclaredProxy(address: connection.address.ip)
  }
}
