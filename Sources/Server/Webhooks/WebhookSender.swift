// The sending of requests to the targets of webhooks. A protocol, for tests and simulations.

/// A batch of events as one request.
package struct WebhookRequest: Sendable, Equatable {
  package let url: String
  /// The name of the batch: that of a repeated one is the same.
  package let id: String
  /// The time of the request; seconds since 1970.
  package let timestampS: Int64
  /// The target's secret, by which the request is signed.
  package let secret: String
  /// The JSON.
  package let body: [UInt8]
}

/// The outcome of a request.
package enum WebhookResponse: Sendable, Equatable {
  /// The target has answered with a status; `retryAfterS` is the seconds of its `Retry-After`, if it has one.
  case answered(status: Int, retryAfterS: Int64? = nil)
  /// The target wants to be asked at an address to which nothing can be sent.
  case redirected(WebhookURLFault)
  /// There was no answer; the name of the reason and the reason, for the operator.
  case failed(String, code: String = "FAILED")
}

/// The reason why nothing can be sent to an address, for the operator.
package struct WebhookURLFault: Sendable, Equatable {
  /// Its name.
  package let code: String
  package let text: String

  package init(_ code: String, _ text: String) {
    self.code = code
    self.text = text
  }
}

/// Sends signed requests.
package protocol WebhookSender: Sendable {
  /// The reason why nothing can be sent to this address; nil for an acceptable one. Any thread.
  func fault(ofURL text: String) -> WebhookURLFault?

  /// Sends a request, and calls `completion` once: on any thread, and within a bounded time. Returns at once.
  func send(_ request: WebhookRequest, _ completion: @escaping @Sendable (WebhookResponse) -> Void)
}
