// The base of join URLs, for each client: the address by which that client has reached the server brings others too.
//
// A pure value; any thread. An operator's public URL counts for everybody. Else a client is told the host that its own
// request names, where that may be the server's. A request's host is told to its sender alone: it is written nowhere
// and shown to nobody else.
// Decisions: 142 (docs/decisions).
import Net
import WebSocket

package struct JoinOrigin: Sendable {
  /// The operator's; nil where each client is told its own.
  private let publicURL: String?
  /// The address of the listener, for clients whose own is none: `http://192.168.0.10:8080`.
  private let served: String
  private let speaksTLS: Bool
  /// Whether a proxy in front says by which scheme it was asked.
  private let hasProxies: Bool
  /// The hosts that the operator has named, if any.
  private let origins: OriginPolicy

  /// For a listener on `address`.
  init(_ configuration: ServerConfiguration, on address: SocketAddress) {
    publicURL = configuration.publicURL
    let listener = configuration.listener
    speaksTLS = listener.certificate != nil
    hasProxies = !listener.trustedProxies.isEmpty && !listener.expectsProxyHeader
    origins = configuration.gateway.origins
    served = "\(speaksTLS ? "https" : "http")://\(address.reachable)"
  }

  /// The base for clients whose request is not at hand: the public URL, or else the address served.
  package var common: String { publicURL ?? served }

  package var hasPublicURL: Bool { publicURL != nil }

  /// The base for the sender of this request.
  func base(for head: RequestHead) -> String { own(head) ?? common }

  /// The base that the request itself names; nil where it is the common one.
  func own(_ head: RequestHead) -> String? {
    guard publicURL == nil, let origin = RequestedOrigin(scheme: scheme(of: head), of: head), mayBeOurs(origin, head)
    else { return nil }
    return origin.description == served ? nil : origin.description
  }

  /// The scheme by which the client came. A proxy that ends TLS says so in `X-Forwarded-Proto`. Without a declared
  /// proxy the field is nobody's; a client that forges it changes nothing but what it is told itself.
  private func scheme(of head: RequestHead) -> String {
    if speaksTLS { return "https" }
    return hasProxies && head.values(of: "X-Forwarded-Proto").last == "https" ? "https" : "http"
  }

  /// Whether phones may reach the server by this host: an address of one machine, or a name that the operator has
  /// allowed; where none is named, any name but the loopback's.
  private func mayBeOurs(_ origin: RequestedOrigin, _ head: RequestHead) -> Bool {
    if let ip = IPAddress(origin.host) { return ip.isDialable }
    guard Self.isName(origin.host) else { return false }
    if origins.namesHosts { return head.values(of: "Host").contains { origins.names(host: $0) } }
    return true
  }

  /// Whether the text is a name as in DNS (RFC 1123 §2.1), and not the loopback's.
  private static func isName(_ host: String) -> Bool {
    let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard host.utf8.count <= 253, labels.allSatisfy({ (1...63).contains($0.count) }), let last = labels.last else {
      return false
    }
    // A last label of digits is a mistyped address.
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return !last.allSatisfy(digits.contains) && !last.elementsEqual("localhost".utf8)
  }
}
