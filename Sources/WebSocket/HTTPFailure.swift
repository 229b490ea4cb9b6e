// The refusal of a request: the status for the client and the reason in words. A plain value, thrown by the parser and
// the upgrade. The connection answers with `response` and closes.

/// A refused request.
package struct HTTPFailure: Error, Sendable, Equatable {
  /// 400 to 505.
  package let status: Int
  /// One English sentence for the author of the client.
  package let reason: String
  /// The fields that this status owes the client.
  private let headers: [HeaderField]

  package init(status: Int, reason: String) {
    self.init(status: status, reason: reason, headers: [])
  }

  private init(status: Int, reason: String, headers: [HeaderField]) {
    self.status = status
    self.reason = reason
    self.headers = headers
  }

  init(_ fault: HeadFault) {
    switch fault {
    case .malformed(let reason): self = .badRequest(reason)
    case .tooLarge(let reason): self.init(status: 431, reason: reason)
    }
  }

  /// The answer to send before closing.
  package var response: HTTPResponse {
    HTTPResponse(
      status: status,
      headers: headers + [HeaderField("Content-Type", "text/plain; charset=utf-8")],
      body: Array((reason + "\n").utf8)
    )
  }
}

extension HTTPFailure {
  static func badRequest(_ reason: String) -> HTTPFailure {
    HTTPFailure(status: 400, reason: reason)
  }

  /// 405 names what is allowed (RFC 9110 §15.5.6).
  package static let methodNotAllowed = HTTPFailure(
    status: 405,
    reason: "Only GET and HEAD are served.",
    headers: [HeaderField("Allow", "GET, HEAD")]
  )

  static let bodyNotAllowed = HTTPFailure(status: 413, reason: "No request body is taken.")

  static let bodyTooLong = HTTPFailure(status: 413, reason: "No request body is that long.")

  static let lengthRequired = HTTPFailure(status: 411, reason: "A request with a body states its Content-Length.")

  static let transferCodingNotAllowed = HTTPFailure(status: 501, reason: "No transfer coding is understood.")

  /// HTTP came where TLS is expected.
  package static let tlsExpected = HTTPFailure(status: 400, reason: "This port speaks HTTPS.")

  static let versionNotSupported = HTTPFailure(status: 505, reason: "Only HTTP/1.1 and HTTP/1.0 are spoken.")

  /// 426 names the protocol (RFC 9110 §15.5.22) and its version (RFC 6455 §4.2.2).
  static let webSocketVersionNotSupported = HTTPFailure(
    status: 426,
    reason: "Only version 13 of WebSocket is spoken.",
    headers: [HeaderField("Upgrade", "websocket"), HeaderField("Sec-WebSocket-Version", "13")]
  )
}

// Refusals by other code than the parser.
extension HTTPFailure {
  /// A page of another site asks, by way of a browser: see `OriginPolicy`.
  package static let originNotAllowed = HTTPFailure(status: 403, reason: "Pages of this origin may not connect.")

  /// The head did not arrive in time.
  package static let requestTimeout = HTTPFailure(status: 408, reason: "The request took too long to arrive.")

  /// The client asks more, or holds more connections, than allowed (RFC 6585 §4).
  package static func tooManyRequests(retryAfterSeconds: Int) -> HTTPFailure {
    HTTPFailure(
      status: 429,
      reason: "Too many requests or connections come from this address.",
      headers: [HeaderField("Retry-After", "\(retryAfterSeconds)")]
    )
  }

  /// The server is full, or about to go down.
  package static func serviceUnavailable(retryAfterSeconds: Int) -> HTTPFailure {
    HTTPFailure(
      status: 503,
      reason: "The server can't take more at the moment.",
      headers: [HeaderField("Retry-After", "\(retryAfterSeconds)")]
    )
  }
}
