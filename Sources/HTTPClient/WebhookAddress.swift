// The check of an address that an operator names for a webhook: the server's, and that of commands without one. Pure.
import Glibc

package enum WebhookAddress {
  /// The reason why nothing can be sent to this address, for the operator; nil for an acceptable one. Without
  /// `allowsPrivate` it needs TLS, and may be no address of a private network.
  package static func fault(_ text: String, allowsPrivate: Bool) -> WebhookAddressFault? {
    let url: HTTPURL
    do throws(HTTPURLError) {
      url = try HTTPURL(text)
    } catch {
      return .malformed(error)
    }
    guard AddressPolicy.privateAllowed.allows(host: url.host) else { return .unreachable(host: url.host) }
    guard !allowsPrivate else { return nil }
    guard url.isSecure else { return .insecure }
    // Names are looked up with each connection.
    guard url.host != "localhost", AddressPolicy.publicOnly.allows(host: url.host) else {
      return .privateAddress(host: url.host)
    }
    return nil
  }
}

/// The reason why nothing can be sent to an address, for the operator.
package enum WebhookAddressFault: Error, Hashable, Sendable, CustomStringConvertible {
  case malformed(HTTPURLError)
  case insecure
  case privateAddress(host: String)
  /// No setting allows it.
  case unreachable(host: String)

  /// The name in the console's replies.
  package var code: String {
    switch self {
    case .malformed: "URL_MALFORMED"
    case .insecure: "URL_INSECURE"
    case .privateAddress: "ADDRESS_PRIVATE"
    case .unreachable: "ADDRESS_UNREACHABLE"
    }
  }

  package var description: String {
    switch self {
    case .malformed(let error): error.description
    case .insecure: "the URL must begin with https://, unless --webhook-private-addresses is set"
    case .privateAddress(let host): "\(host) is a private address, which needs --webhook-private-addresses"
    case .unreachable(let host):
      "\(host) is link-local, where clouds keep credentials, or reserved: nothing is sent there, whatever is set"
    }
  }
}

extension AddressPolicy {
  /// Whether a URL's host may be connected to, if it is an address; a name may.
  fileprivate func allows(host: String) -> Bool {
    var v4 = in_addr()
    if inet_pton(AF_INET, host, &v4) == 1 { return allows(v4: UInt32(bigEndian: v4.s_addr)) }
    guard host.hasPrefix("["), host.hasSuffix("]") else { return true }
    var v6 = in6_addr()
    guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &v6) == 1 else { return false }
    return withUnsafeBytes(of: v6) {
      allows(
        v6High: UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }
}
