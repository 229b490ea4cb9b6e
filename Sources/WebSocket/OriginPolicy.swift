// The origins whose pages may connect (RFC 6455 §10.2). A browser opens a WebSocket for a page of any site, with this
// site's cookies, and only names the page's site in Origin: the server must decide. A plain value. It protects against
// browsers only: other clients can send any Origin, or none.

/// Decides on the Origin of requests.
package struct OriginPolicy: Sendable {
  private enum Others {
    case all
    case these(Set<WebOrigin>)
  }

  /// The origins that may connect beside the pages of this host.
  private let others: Others
  /// The hosts, in lower case, for which only one origin counts as their own.
  private let pinnedHosts: Set<String>

  /// Only pages of the host named in the request may connect.
  package init() {
    others = .these([])
    pinnedHosts = []
  }

  /// Additionally allows the origins of a comma-separated list, each `scheme://host[:port]`; or `*` alone for all. With
  /// `pinsHTTPS`, a host that an `https` origin of the list names has no other pages of its own: neither those of plain
  /// HTTP, which anybody on the way could have written, nor those of another port.
  package init(list text: String, pinsHTTPS: Bool = false) throws(OriginListFault) {
    let elements = text.split(separator: ",", omittingEmptySubsequences: false).map {
      HTTPGrammar.listElements(of: String($0)).first ?? ""
    }
    if elements == ["*"] {
      others = .all
      pinnedHosts = []
      return
    }
    var origins: Set<WebOrigin> = []
    for element in elements {
      guard element != "*" else { throw OriginListFault(description: "* allows every origin and stands alone") }
      guard let origin = WebOrigin(element) else {
        throw OriginListFault(description: "\"\(element)\" is no origin: write scheme://host or scheme://host:port")
      }
      origins.insert(origin)
    }
    others = .these(origins)
    pinnedHosts = pinsHTTPS ? Set(origins.filter { $0.scheme == "https" }.map(\.host)) : []
  }

  /// Whether a request may go on to the handshake. A request without Origin comes from no page.
  package func allows(_ head: RequestHead) -> Bool {
    let values = head.values(of: "Origin")
    guard let value = values.first else { return true }
    guard values.count == 1 else { return false }
    guard let origin = WebOrigin(value) else {
      // Sandboxed pages and local files send `null` (RFC 6454 §7.1): anybody can make a browser send it.
      if case .all = others { return value == "null" }
      return false
    }
    switch others {
    case .all: return true
    case .these(let allowed):
      return allowed.contains(origin) || !pinnedHosts.contains(origin.host) && Self.isOwn(origin, head)
    }
  }

  /// Whether the operator has named hosts by which the server may be addressed.
  package var namesHosts: Bool {
    guard case .these(let allowed) = others else { return false }
    return !allowed.isEmpty
  }

  /// Whether a Host field names one of the other origins: the server may be addressed by that name.
  package func names(host: String) -> Bool {
    guard case .these(let allowed) = others else { return false }
    return ["http", "https"].contains { scheme in
      WebOrigin(lowercaseScheme: scheme, hostField: host).map(allowed.contains) ?? false
    }
  }

  /// Whether the page came from the request's host. TLS may end at a proxy in front of this server, so a page of either
  /// scheme is its own. Without a port in Host the page's scheme decides which port is meant.
  private static func isOwn(_ origin: WebOrigin, _ head: RequestHead) -> Bool {
    guard ["http", "https"].contains(origin.scheme), let host = head.values(of: "Host").first else { return false }
    return origin == WebOrigin(lowercaseScheme: origin.scheme, hostField: host)
  }
}

/// A fault in a list of origins, for its author.
package struct OriginListFault: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String
}
