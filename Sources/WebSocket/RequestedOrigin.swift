// The origin that a request is addressed to, by its Host field: what its sender typed, scanned or was linked to.
//
// A value that only its sender vouches for. It may be told to that sender again, and never kept for anybody else.

/// A scheme, a host and a port, normalised: in lower case, and without the scheme's own port.
package struct RequestedOrigin: Sendable, Hashable, CustomStringConvertible {
  /// A name or an IPv4 address, or an IPv6 address without its brackets.
  package let host: String
  /// For example `https://play.example.org` or `http://192.168.0.10:8080`.
  package let description: String

  /// - Parameters:
  ///   - scheme: `http` or `https`.
  ///   - head: the request; nil without a Host field, with several, and with one that is no host with an optional port.
  package init?(scheme: String, of head: RequestHead) {
    let values = head.values(of: "Host")
    guard values.count == 1 else { return nil }
    self.init(scheme: scheme, hostField: values[0])
  }

  /// Reads the value of a Host field; nil when it is no host with an optional port.
  package init?(scheme: String, hostField: String) {
    guard let origin = WebOrigin(lowercaseScheme: scheme, hostField: hostField), let port = origin.port else {
      return nil
    }
    let isBracketed = origin.host.hasPrefix("[")
    host = isBracketed ? String(origin.host.dropFirst().dropLast()) : origin.host
    let isOwnPort = port == (scheme == "https" ? 443 : 80)
    description = "\(scheme)://\(origin.host)\(isOwnPort ? "" : ":\(port)")"
  }
}
