// Messages of one shard by type, both ways: their number, and their encoded length without frames and compression.
//
// Owned by one shard's gateway; its sessions count in it too. Two additions a message.
import MadangProtocol

package struct MessageCounts: Sendable {
  package var received = Counts<ReceivedType>()
  package var receivedBytes = Counts<ReceivedType>()
  package var sent = Counts<SentType>()
  package var sentBytes = Counts<SentType>()
  /// Messages that a slow connection never got: a newer one replaced them.
  package var conflated = Counts<SentType>()
  /// Messages over the rate, by whether their sender was notified.
  package var overRateRefused = 0
  package var overRateDropped = 0
  /// Errors in answers to requests.
  package var errors: [WireErrorCode: Int] = [:]

  package init() {}

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.received = left.received + right.received
    sum.receivedBytes = left.receivedBytes + right.receivedBytes
    sum.sent = left.sent + right.sent
    sum.sentBytes = left.sentBytes + right.sentBytes
    sum.conflated = left.conflated + right.conflated
    sum.overRateRefused += right.overRateRefused
    sum.overRateDropped += right.overRateDropped
    sum.errors = left.errors + right.errors
    return sum
  }
}

package final class MessageTraffic {
  /// All but errors: numbers, which counting changes in place.
  private var numbers = MessageCounts()
  private var errors: [WireErrorCode: Int] = [:]

  package var counts: MessageCounts {
    var counts = numbers
    counts.errors = errors
    return counts
  }

  package func note(received type: ReceivedType, bytes: Int) {
    numbers.received[type] += 1
    numbers.receivedBytes[type] += bytes
  }

  /// Counts a message over the rate, of which only the length is known.
  package func note(overRate bytes: Int, isAnswered: Bool) {
    note(received: .overRate, bytes: bytes)
    if isAnswered { numbers.overRateRefused += 1 } else { numbers.overRateDropped += 1 }
  }

  package func note(sent type: SentType, bytes: Int) {
    numbers.sent[type] += 1
    numbers.sentBytes[type] += bytes
  }

  /// Counts several messages of a type, of so many bytes together.
  package func note(sent type: SentType, count: Int, bytes: Int) {
    numbers.sent[type] += count
    numbers.sentBytes[type] += bytes
  }

  package func note(conflated type: SentType) {
    numbers.conflated[type] += 1
  }

  package func note(error code: WireErrorCode) {
    errors[code, default: 0] += 1
  }
}
