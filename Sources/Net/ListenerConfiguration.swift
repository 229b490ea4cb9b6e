// The settings of a listener: TLS or none, and the trusted proxies.
//
// A value, the same for all connections of a listener.
import WebSocket

package struct ListenerConfiguration: Sendable {
  /// The certificate; nil for a listener without TLS.
  package var certificate: TLSCertificate?
  /// The proxies whose statement of a client's address is believed.
  package var trustedProxies: TrustedProxies
  /// Connections from trusted proxies begin with a header of the PROXY protocol; those from others do not.
  package var expectsProxyHeader: Bool
  /// Requests may bring bodies; the service says which (`ShardService.admitBody`).
  package var takesBodies = false
  /// Requests may be POST and DELETE; the service says which.
  package var takesActs = false

  package init(
    certificate: TLSCertificate? = nil,
    trustedProxies: TrustedProxies = TrustedProxies([]),
    expectsProxyHeader: Bool = false
  ) {
    self.certificate = certificate
    self.trustedProxies = trustedProxies
    self.expectsProxyHeader = expectsProxyHeader
  }

  /// The parser of a connection's next request.
  var headParser: RequestHeadParser {
    RequestHeadParser(limits: HeadLimits(), takesBodies: takesBodies, takesActs: takesActs)
  }

  /// Whether a connection from this address begins with a header of the PROXY protocol.
  func expectsProxyHeader(from address: IPAddress) -> Bool {
    expectsProxyHeader && trustedProxies.contains(address)
  }
}
