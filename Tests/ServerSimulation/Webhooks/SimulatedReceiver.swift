// The operator's receiver in a run: it takes requests of webhooks, fails by its own draws, and forgets nothing that it
// has received.
//
// Used by one simulation on its thread; guarded by a lock because a sender may be called anywhere. It outlives the
// server: what is under way at a crash may have been received, or not.
import Net
import SeededRandom
import Server
import Synchronization

final class SimulatedReceiver: WebhookSender {
  fileprivate struct Exchange {
    let request: WebhookRequest
    let due: Timestamp
    let isReceived: Bool
    let response: WebhookResponse
    let completion: @Sendable (WebhookResponse) -> Void
  }

  fileprivate struct State {
    var random: SplitMix64
    var exchanges: [Exchange] = []
    var received: [WebhookRequest] = []
    var isCalm = false
    var failures = 0
    /// The most requests that were under way at one time.
    var underWayMost = 0
  }

  private let clock: VirtualClock
  private let state: Mutex<State>

  init(clock: VirtualClock, random: SplitMix64) {
    self.clock = clock
    state = Mutex(State(random: random))
  }

  func fault(ofURL text: String) -> WebhookURLFault? { nil }

  func send(_ request: WebhookRequest, _ completion: @escaping @Sendable (WebhookResponse) -> Void) {
    let now = clock.current
    state.withLock { state in
      let (isReceived, response) = state.drawOutcome()
      state.exchanges.append(
        Exchange(
          request: request,
          due: now.advanced(milliseconds: Int64(state.random.draw(1...200))),
          isReceived: isReceived,
          response: response,
          completion: completion
        )
      )
      state.underWayMost = max(state.underWayMost, state.exchanges.count)
    }
  }

  /// Ends all failures.
  func calm() {
    state.withLock { $0.isCalm = true }
  }

  /// The server is lost: it gets no answers.
  func crash() {
    state.withLock { state in
      for exchange in state.exchanges where state.random.chance(50) { state.received.append(exchange.request) }
      state.exchanges = []
    }
  }

  /// The time of the next answer.
  var nextDue: Timestamp? { state.withLock { $0.exchanges.map(\.due).min() } }

  /// Receives and answers everything due.
  func act(at now: Timestamp) {
    let due = state.withLock { state in
      let due = state.exchanges.filter { $0.due <= now }
      state.exchanges.removeAll { $0.due <= now }
      for exchange in due {
        if exchange.isReceived { state.received.append(exchange.request) }
        if exchange.response != .answered(status: 200) { state.failures += 1 }
      }
      return due
    }
    for exchange in due { exchange.completion(exchange.response) }
  }

  /// The requests received since the last call.
  func takeReceived() -> [WebhookRequest] {
    state.withLock { state in
      defer { state.received = [] }
      return state.received
    }
  }

  var failures: Int { state.withLock { $0.failures } }
  var underWayMost: Int { state.withLock { $0.underWayMost } }
}

extension SimulatedReceiver.State {
  /// Whether the next request is received, and its answer. A request may be received and its answer lost.
  fileprivate mutating func drawOutcome() -> (isReceived: Bool, WebhookResponse) {
    guard !isCalm, random.chance(45) else { return (true, .answered(status: 200)) }
    switch random.draw(1...5) {
    case 1: return (false, .failed("no connection"))
    case 2, 3: return (true, .failed("no answer"))
    case 4: return (false, .answered(status: 503, retryAfterS: Int64(random.draw(0...3))))
    default: return (random.chance(50), .answered(status: 500))
    }
  }
}
