// The body of a request while it comes, and the part of the service that takes it.
//
// Owned by one connection, in its state, and used on its shard's queue. No byte of a body is kept here: the taker gets
// them where they were read.
import WebSocket

/// The service's part of a request with a body. All calls come on the shard's queue.
package protocol BodyTaker: AnyObject {
  /// Takes bytes, which are valid until it returns. After false nothing more is read before `BodyExchange.resume`.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool

  /// All bytes have been taken. `Connection.answer` gives the answer.
  func ended()

  /// No more bytes come: the connection has ended, was too slow, or has been answered early. It may use the connection
  /// no more.
  func brokeOff()
}

/// The answer to a request that brings a body.
package enum BodyAdmission {
  /// The body is taken; the answer comes within `answerSeconds` of its end, beside the time of any answer.
  case taken(any BodyTaker, answerSeconds: Int64)
  /// The request is answered without its body, and the connection ends.
  case refused(HTTPResponse)
}

/// A body that comes.
package final class BodyReading {
  let head: RequestHead
  let taker: any BodyTaker
  let answerSeconds: Int64
  /// The bytes that are still to come.
  private(set) var left: Int
  /// The taker wants no more bytes for now.
  package private(set) var isPaused = false
  private let began: Timestamp
  private var lastByteAt: Timestamp
  private var isOver = false

  package init(_ head: RequestHead, _ taker: any BodyTaker, answerSeconds: Int64, at now: Timestamp) {
    self.head = head
    self.taker = taker
    self.answerSeconds = answerSeconds
    left = head.bodyByteCount
    began = now
    lastByteAt = now
  }

  /// Hands bytes to the taker.
  func take(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) {
    left -= bytes.count
    lastByteAt = now
    isPaused = !taker.take(bytes)
  }

  /// The taker wants bytes again; false when it has never paused.
  package func resume(at now: Timestamp) -> Bool {
    guard isPaused else { return false }
    isPaused = false
    lastByteAt = now
    return true
  }

  /// All bytes have come.
  package func end() {
    isOver = true
  }

  /// The connection has left the state in which the body comes.
  func leave() {
    guard !isOver else { return }
    isOver = true
    taker.brokeOff()
  }

  /// The time at which the body has stalled, or has come too slowly; never while the taker pauses.
  package func deadline(_ limits: NetLimits) -> Timestamp {
    guard !isPaused else { return .distantFuture }
    let received = head.bodyByteCount - left
    let earned = Int64(received / limits.bodyBytesPerSecondMin)
    return min(
      lastByteAt.advanced(seconds: limits.bodyStallSeconds),
      began.advanced(seconds: limits.bodyGraceSeconds + earned)
    )
  }
}
