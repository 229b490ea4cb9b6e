// Requests on their way to the client's queue, and what the queue must know besides.
//
// Any thread, under one lock, in which nothing waits. The queue is driven while anything is here or under way; the
// mailbox says when its driving begins and ends, so that no request is left lying.
import Locks

final class RequestMailbox: Sendable {
  typealias Completion = @Sendable (Result<HTTPClientResponse, HTTPFailure>) -> Void

  struct Entry: Sendable {
    let request: HTTPClientRequest
    let then: Completion
  }

  struct Refusal: Sendable {
    let failure: HTTPFailure
    let then: Completion
  }

  /// The requests and orders that one turn of the queue takes out.
  struct Mail: Sendable {
    let begun: [Entry]
    let refused: [Refusal]
    let isStopped: Bool
    let stops: [@Sendable () -> Void]
  }

  private struct Content {
    var waiting: [Entry] = []
    var refused: [Refusal] = []
    var stops: [@Sendable () -> Void] = []
    /// The requests that wait or are under way.
    var openCount = 0
    var isStopped = false
    var isDriven = false
    var handle: MultiHandle?
  }

  private let content: OrderedMutex<Content>
  private let openMax: Int

  /// `openMax`: the most requests that wait or are under way.
  init(openMax: Int, handle: MultiHandle) {
    self.openMax = openMax
    content = OrderedMutex(.leaf, Content(handle: handle))
  }

  /// Returns whether the queue's driving must begin.
  func put(_ entry: Entry) -> Bool {
    content.withLock { content in
      if content.isStopped {
        content.refused.append(Refusal(failure: .cancelled, then: entry.then))
      } else if content.openCount >= openMax {
        content.refused.append(Refusal(failure: .tooMany, then: entry.then))
      } else {
        content.waiting.append(entry)
        content.openCount += 1
      }
      return Self.mustBeginDriving(&content)
    }
  }

  /// Refuses what waits and what comes. Returns whether the queue's driving must begin.
  func stop(_ then: @escaping @Sendable () -> Void) -> Bool {
    content.withLock { content in
      content.isStopped = true
      content.openCount -= content.waiting.count
      content.refused += content.waiting.map { Refusal(failure: .cancelled, then: $0.then) }
      content.waiting = []
      content.stops.append(then)
      return Self.mustBeginDriving(&content)
    }
  }

  private static func mustBeginDriving(_ content: inout Content) -> Bool {
    if content.isDriven {
      content.handle?.wake()
      return false
    }
    content.isDriven = true
    return true
  }

  /// Takes the mail out, with at most `slots` requests to begin. Without mail, and with nothing under way, the driving
  /// ends: nil.
  func collect(slots: Int, isIdle: Bool) -> Mail? {
    content.withLock { content in
      let begun = content.waiting.prefix(slots)
      if isIdle && begun.isEmpty && content.refused.isEmpty && content.stops.isEmpty {
        content.isDriven = false
        return nil
      }
      let mail = Mail(
        begun: Array(begun),
        refused: content.refused,
        isStopped: content.isStopped,
        stops: content.stops
      )
      content.waiting.removeFirst(begun.count)
      content.refused = []
      content.stops = []
      return mail
    }
  }

  /// Counts requests that are under way no more.
  func close(count: Int) {
    content.withLock { $0.openCount -= count }
  }

  /// Lets go of the handle, which nobody need wake any more.
  func dropHandle() {
    content.withLock { $0.handle = nil }
  }
}
