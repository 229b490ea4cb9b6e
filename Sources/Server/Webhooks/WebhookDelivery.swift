// The deliveries to one target of webhooks, as a machine of states: one batch under way at a time, in the outbox's
// order, tried again until it is delivered or the target is switched off.
//
// A value without clock and without I/O: each call takes what has happened and returns what to do next.
// Decisions: 113 (docs/decisions).
import Game
import Store

package struct WebhookDelivery {
  /// The next thing to do.
  package enum Step: Equatable {
    /// Read the oldest pending events, those of a batch that is tried again up to its last number.
    case read(through: Int64?)
    case send(WebhookBatch)
    /// Commit that events up to this number are delivered, then call `deliveryNoted`.
    case noteDelivery(through: Int64)
    /// Commit a failure.
    case noteFailure(WebhookFailure, switchesOff: Bool)
    /// Call `timerFired` after so many milliseconds.
    case wait(ms: Int64)
  }

  private enum Phase {
    /// Nothing is known to wait.
    case idle
    case reading
    case sending
    /// A delivery is being committed.
    case noting
    case waiting
    case off
  }

  package static let eventsMax = 256
  /// The bytes of a request's body, unless one event alone has more.
  package static let bytesMax = 256 * 1_024
  package static let backoffMsMin: Int64 = 1_000
  package static let backoffMsMax: Int64 = 5 * 60_000
  package static let retryAfterSMax: Int64 = 3_600
  /// The time without a success after which a target is switched off …
  package static let failingMax = Duration.seconds(24 * 60 * 60)
  /// … where this process has also tried for so long: a server that was down has tried nothing.
  package static let triedMin = Duration.seconds(60 * 60)
  private static let failureCharactersMax = 200

  private var phase = Phase.idle
  /// The numbers of the batch that is under way or tried again.
  private var batch: ClosedRange<Int64>?
  /// Failures in a row.
  private var failures = 0
  private var failingSince: Instant?
  /// The time of this process's first failure since the last success.
  private var triedSince: Instant?
  /// Events may have come while a read was under way.
  private var hasNews = false

  package init(_ row: WebhookRow) {
    failingSince = row.failingSince
    if row.switchedOff != nil { phase = .off }
  }

  package var isOff: Bool { phase == .off }

  /// Events may wait.
  package mutating func eventsAdded() -> [Step] {
    guard phase == .idle else {
      hasNews = true
      return []
    }
    return read()
  }

  private mutating func read() -> [Step] {
    phase = .reading
    hasNews = false
    return [.read(through: batch?.upperBound)]
  }

  /// The oldest pending events have been read.
  package mutating func eventsRead(_ result: Result<[PendingWebhookEvent], StoreFailure>) -> [Step] {
    guard phase == .reading else { return [] }
    guard case .success(let events) = result else {
      phase = .waiting
      return [.wait(ms: Self.backoffMsMin)]
    }
    guard let first = events.first, let last = events.last else {
      // The events of the batch have been dropped or erased meanwhile; others may wait behind them.
      if batch != nil || hasNews {
        batch = nil
        return read()
      }
      guard failingSince == nil else {
        // The store forgets the failure as well, by a delivery of nothing.
        phase = .noting
        forgetFailures()
        return [.noteDelivery(through: 0)]
      }
      phase = .idle
      forgetFailures()
      return []
    }
    let numbers = batch ?? first.number...last.number
    batch = numbers
    phase = .sending
    return [.send(WebhookBatch(numbers: numbers, events: events))]
  }

  /// The target has answered, or has not. `random` is a number of the full range.
  package mutating func answered(_ response: WebhookResponse, at now: Instant, random: UInt64) -> [Step] {
    guard phase == .sending, let numbers = batch else { return [] }
    if case .answered(status: 200..<300, _) = response {
      phase = .noting
      batch = nil
      forgetFailures()
      return [.noteDelivery(through: numbers.upperBound)]
    }
    let since = failingSince ?? now
    failingSince = since
    let tried = triedSince ?? now
    triedSince = tried
    failures += 1
    var text = String(response.failureText.prefix(Self.failureCharactersMax))
    let isTooLong = now - since >= Self.failingMax && now - tried >= Self.triedMin
    if isTooLong { text = "nothing delivered for a day: \(text)" }
    if isTooLong || response.isGone {
      phase = .off
      return [.noteFailure(WebhookFailure(at: now, text: text), switchesOff: true)]
    }
    phase = .waiting
    let failure = WebhookFailure(at: now, text: text)
    return [.noteFailure(failure, switchesOff: false), .wait(ms: delayMs(after: response, random))]
  }

  /// Nothing waits, or a delivery has succeeded.
  private mutating func forgetFailures() {
    failures = 0
    failingSince = nil
    triedSince = nil
  }

  /// The time until the next try: it doubles with each failure, and is cut by up to a half at random, so that targets
  /// which failed together don't come back together.
  private func delayMs(after response: WebhookResponse, _ random: UInt64) -> Int64 {
    let doublings = min(failures - 1, 20)
    let backoff = min(Self.backoffMsMin << Int64(doublings), Self.backoffMsMax)
    let delay = backoff - Int64(random % UInt64(backoff / 2 + 1))
    guard let seconds = response.askedDelayS else { return delay }
    return max(delay, min(max(0, seconds), Self.retryAfterSMax) * 1_000)
  }

  /// The commit of a delivery is over. Without one the same events would come again at once.
  package mutating func deliveryNoted(_ outcome: WebhookOutcome) -> [Step] {
    guard phase == .noting else { return [] }
    guard outcome != .unavailable else {
      phase = .waiting
      return [.wait(ms: Self.backoffMsMax)]
    }
    return read()
  }

  package mutating func timerFired() -> [Step] {
    phase == .waiting ? read() : []
  }

  /// The operator has enabled the target: it has never failed, and is tried at once.
  package mutating func enable() -> [Step] {
    forgetFailures()
    switch phase {
    case .idle, .off, .waiting: return read()
    case .reading, .sending, .noting: return []
    }
  }
}

extension WebhookResponse {
  fileprivate var isGone: Bool { if case .answered(status: 410, _) = self { true } else { false } }

  /// The time after which a busy target wants to be asked again; seconds.
  fileprivate var askedDelayS: Int64? {
    guard case .answered(let status, let seconds) = self, status == 429 || status == 503 else { return nil }
    return seconds
  }

  /// The name of the failure and the reason, for the operator.
  fileprivate var failureText: String {
    switch self {
    case .redirected(let fault): "REDIRECT_REFUSED: the answer is a redirect, which is not followed; and \(fault.text)"
    case .answered(status: 300..<400, _): "REDIRECT: the answer is a redirect, which is not followed"
    case .answered(let status, _): "STATUS_\(status): the answer has the status \(status)"
    case .failed(let why, let code): "\(code): \(why)"
    }
  }
}

/// Some pending events of a target, in their order.
package struct WebhookBatch: Equatable {
  private static let begin = Array("{\"events\":[".utf8)
  private static let end = Array("]}".utf8)
  /// The bytes of the events for which the body has no more than it may.
  package static let eventBytesMax = WebhookDelivery.bytesMax - begin.count - end.count - WebhookDelivery.eventsMax

  /// The first and last number when it was made; some of its events may be gone by now.
  package let numbers: ClosedRange<Int64>
  package let events: [PendingWebhookEvent]

  package init(numbers: ClosedRange<Int64>, events: [PendingWebhookEvent]) {
    self.numbers = numbers
    self.events = events
  }

  /// The name of the batch, which a repeated one has too.
  package func id(for target: WebhookID) -> String { "\(target)-\(numbers.lowerBound)-\(numbers.upperBound)" }

  package var body: [UInt8] {
    var bytes = Self.begin
    bytes.reserveCapacity(events.reduce(Self.begin.count + Self.end.count) { $0 + $1.bytes.count + 1 })
    for (index, event) in events.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += event.bytes
    }
    return bytes + Self.end
  }
}
