// Webhooks for tests: a sender that answers as the test says, a receiver on a socket, and an operator's actions.
import Foundation
import Game
import Net
import Server
import Store
import Synchronization
import TestSupport
import Testing

/// Takes requests and answers each with the next response, with 200 when none is left.
final class TestWebhookSender: WebhookSender {
  private struct State {
    var responses: [WebhookResponse] = []
    var requests: [WebhookRequest] = []
    var taken = 0
    var isFailing = false
  }

  private let state = Mutex(State())
  private let arrived = DispatchSemaphore(value: 0)

  func answer(with responses: WebhookResponse...) {
    state.withLock { $0.responses += responses }
  }

  /// Has every request fail that has no other response, or no longer.
  func fail(_ isFailing: Bool) {
    state.withLock { $0.isFailing = isFailing }
  }

  func fault(ofURL text: String) -> WebhookURLFault? {
    text.hasPrefix("https://") ? nil : WebhookURLFault("URL_INSECURE", "the URL is not secure")
  }

  func send(_ request: WebhookRequest, _ completion: @escaping @Sendable (WebhookResponse) -> Void) {
    let response = state.withLock { state in
      state.requests.append(request)
      guard state.responses.isEmpty else { return state.responses.removeFirst() }
      return state.isFailing ? WebhookResponse.failed("down", code: "FAILED") : .answered(status: 200)
    }
    arrived.signal()
    completion(response)
  }

  /// The next request; waits for it.
  func next() -> WebhookRequest {
    arrived.wait()
    return state.withLock { state in
      defer { state.taken += 1 }
      return state.requests[state.taken]
    }
  }

  /// The number of requests that the test has not taken.
  var waitingCount: Int { state.withLock { $0.requests.count - $0.taken } }
}

/// An event of a request, as its receiver reads it.
struct ReceivedEvent {
  let id: String
  let type: String
  let timestamp: String
  let data: [String: Any]

  static func all(in body: [UInt8]) throws -> [ReceivedEvent] {
    let object = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    let events = try #require(object["events"] as? [[String: Any]])
    return try events.map { event in
      ReceivedEvent(
        id: try #require(event["id"] as? String),
        type: try #require(event["type"] as? String),
        timestamp: try #require(event["timestamp"] as? String),
        data: try #require(event["data"] as? [String: Any])
      )
    }
  }

  func text(_ name: String) -> String? { data[name] as? String }
}

extension WebhookRequest {
  var events: [ReceivedEvent] { get throws { try ReceivedEvent.all(in: body) } }
}

extension TestServer {
  /// Adds a webhook as an operator; returns its identifier and its secret.
  @discardableResult
  func addWebhook(
    _ types: WebhookEventType...,
    url: String = "https://example.org/hook"
  ) throws -> (id: WebhookID, secret: String) {
    guard case .added(let target) = perform(.addWebhook(OfferedWebhook(url: url, types: Set(types)))) else {
      throw TestFailure("no webhook was added")
    }
    return (target.id, target.secret)
  }

  /// The only webhook, once it fits: deliveries go on beside the test.
  func webhook(where fits: (WebhookRow) -> Bool) throws -> WebhookRow {
    for _ in 0..<1_000_000 {
      _ = report()
      if let row = try store.webhooks().first, fits(row) { return row }
    }
    throw TestFailure("the webhook did not come to that: \(try store.webhooks())")
  }
}
