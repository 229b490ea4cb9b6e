// The head of a request that this server accepts: GET or HEAD without a body, and where bodies are taken also PUT and
// PATCH with one of a stated length; HTTP/1.1 or 1.0 (RFC 9112 §3). A plain value. Nothing in it is decoded: the path
// keeps its percent signs.

/// A request's method, target and fields.
package struct RequestHead: Sendable {
  /// `GET` or `HEAD`; where bodies are taken also `PUT` or `PATCH`; where acts are taken also `POST` or `DELETE`.
  package let method: String
  /// Begins with a slash; not percent-decoded, without the query.
  package let path: String
  /// The part behind the first question mark, not decoded; nil without one.
  package let query: String?
  /// 1 for HTTP/1.1; 0 for HTTP/1.0, which proxies such as nginx speak unless told otherwise.
  package let minorVersion: Int
  /// In order of appearance.
  package let headers: [HeaderField]
  /// The length of the body that follows; 0 for GET, HEAD and DELETE.
  package let bodyByteCount: Int

  /// Whether the request brings a body, which may be empty.
  package var bringsBody: Bool { Self.bringsBody(method) }

  static func bringsBody(_ method: String) -> Bool { ["PUT", "PATCH", "POST"].contains(method) }

  /// Whether the client sends its body only when it has seen `100 Continue` (RFC 9110 §10.1.1).
  package var awaitsContinue: Bool {
    minorVersion >= 1 && bodyByteCount > 0 && headers.list(of: "Expect", contains: "100-continue")
  }

  /// The values of all fields of this name, in any case, in order of appearance.
  package func values(of name: String) -> [String] {
    headers.values(of: name)
  }

  /// Whether the client means to send another request on this connection (RFC 9112 §9.3). A client of HTTP/1.0 may ask
  /// for it; the server may ignore that.
  package var keepsAlive: Bool {
    minorVersion >= 1 && !headers.list(of: "Connection", contains: "close")
  }
}
