// What a listener is set to: TLS or none, and which proxies it trusts.
//
// A value, the same for all connections of a listener.

package struct ListenerConfiguration: Sendable {
  /// Nil for a listener without TLS.
  package var certificate: TLSCertificate?
  /// Whose word on a client's address is taken.
  package var trustedProxies: TrustedProxies
  /// Connections from trusted proxies begin with a header of the PROXY protocol; those from others do not.
  package var expectsProxyHeader: Bool

  package init(
    certificate: TLSCertificate? = nil,
    trustedProxies: TrustedProxies = TrustedProxies([]),
    expectsProxyHeader: Bool = false
  ) {
    self.certificate = certificate
    self.trustedProxies = trustedProxies
    self.expectsProxyHeader = expectsProxyHeader
  }

  /// Whether a connection from this address begins with a header of the PROXY protocol.
  func expectsProxyHeader(from address: IPAddress) -> Bool {
    expectsProxyHeader && trustedProxies.contains(address)
  }
}
