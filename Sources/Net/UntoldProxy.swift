// A proxy on this machine that nobody told the server of: all of its clients look like the loopback, which has no limits.
//
// On the shard's thread. Nothing is believed and nothing refused here: the service is told once in a process, so that the
// operator hears of it.
import WebSocket

extension Connection {
  /// Whether the peer may be such a proxy, and nobody has noticed one yet.
  private var mayBeUntoldProxy: Bool {
    guard role == .server, address.ip.isLoopback, let configuration = heads?.configuration else { return false }
    return !core.budgets.knowsOfUntoldProxy && !configuration.trustedProxies.contains(address.ip)
  }

  /// Looks for what a proxy writes into a request.
  func noticeProxy(by head: RequestHead) {
    guard mayBeUntoldProxy, !head.values(of: "X-Forwarded-For").isEmpty else { return }
    tellOfUntoldProxy()
  }

  /// Looks for a header of the PROXY protocol where a request or a TLS handshake should begin.
  func noticeProxy(byFirst bytes: UnsafeRawBufferPointer) {
    guard mayBeUntoldProxy, ProxyHeader.isBegun(by: bytes) else { return }
    tellOfUntoldProxy()
  }

  /// The same of what still lies in the socket.
  func noticeProxyInSocket() {
    guard mayBeUntoldProxy else { return }
    let buffer = UnsafeMutableRawBufferPointer(rebasing: core.readBuffer[..<min(16, core.readBuffer.count)])
    guard case .bytes(let count) = socket.peek(into: buffer) else { return }
    noticeProxy(byFirst: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }

  private func tellOfUntoldProxy() {
    if core.budgets.noticeUntoldProxy() { core.service.noticedUntoldProxy(address: address.ip) }
  }
}
