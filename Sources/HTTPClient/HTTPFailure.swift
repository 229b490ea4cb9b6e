// Reasons why a request brought no response. A value; the texts are for operators.

package enum HTTPFailure: Error, Hashable, Sendable {
  /// The connection or the whole exchange took too long.
  case timeout
  case couldNotResolve
  case couldNotConnect
  /// No secure connection: mostly a certificate that can't be trusted. The reason is printable ASCII.
  case tls(String)
  /// No address of the host may be connected to.
  case addressRefused
  /// The response's body is longer than the client takes.
  case bodyTooLarge
  /// The client was stopped.
  case cancelled
  /// Too many requests wait already.
  case tooMany
  /// Anything else, in words; printable ASCII.
  case other(String)
}

extension HTTPFailure: CustomStringConvertible {
  /// The name in operators' output.
  package var code: String {
    switch self {
    case .timeout: "TIMEOUT"
    case .couldNotResolve: "HOST_NOT_FOUND"
    case .couldNotConnect: "HOST_NOT_REACHED"
    case .tls: "TLS_FAILED"
    case .addressRefused: "ADDRESS_REFUSED"
    case .bodyTooLarge: "ANSWER_TOO_LONG"
    case .cancelled: "CANCELLED"
    case .tooMany: "TOO_MANY_REQUESTS"
    case .other: "FAILED"
    }
  }

  /// A few words in plain text.
  package var description: String {
    switch self {
    case .timeout: "no response in time"
    case .couldNotResolve: "the host's name has no address"
    case .couldNotConnect: "the host accepts no connection"
    case .tls(let reason): "no secure connection: \(reason)"
    case .addressRefused: "the host's address is not public"
    case .bodyTooLarge: "the response is too long"
    case .cancelled: "the server stops"
    case .tooMany: "too many requests wait"
    case .other(let reason): reason
    }
  }
}
