// The stored mark of the machine's clock, beside the time of the last commit. A distrusted clock stays distrusted after
// a restart, although commits carry that clock's time by then.
//
// Plain values; the program chooses where they are kept.
import Game
import Locks

/// The stored mark of the machine's clock.
package enum ClockMark: Hashable, Sendable {
  /// The clock is distrusted. `lastTrusted` is the last trusted time; nothing that was kept then has expired.
  case suspect(lastTrusted: Instant)
  /// An operator accepted the clock when it stood at `at`; the server's time was ahead of it by `lead`.
  case accepted(at: Instant, lead: Duration)

  /// Reads the text that `description` writes; nil for any other text.
  package init?(_ text: some StringProtocol) {
    let words = text.split(whereSeparator: \.isWhitespace)
    let numbers = words.dropFirst().compactMap { Int64($0) }
    guard numbers.count == words.count - 1, numbers.allSatisfy(Self.plausible.contains) else { return nil }
    switch (words.first, numbers.count) {
    case ("suspect", 1): self = .suspect(lastTrusted: Instant(milliseconds: numbers[0]))
    case ("accepted", 2):
      self = .accepted(at: Instant(milliseconds: numbers[0]), lead: .milliseconds(numbers[1]))
    default: return nil
    }
  }

  /// Times far outside come from damage, and would overflow.
  private static let plausible: ClosedRange<Int64> = 0...(1 << 52)
}

extension ClockMark: CustomStringConvertible {
  package var description: String {
    switch self {
    case .suspect(let time): "suspect \(time.milliseconds)"
    case .accepted(let time, let lead): "accepted \(time.milliseconds) \(lead.wholeMilliseconds)"
    }
  }
}

/// The storage of the clock's mark. Any thread.
package protocol ClockRecord: Sendable {
  /// The stored mark; nil when there is none.
  ///
  /// - Throws: the reason why it can't be read, or what the storage holds instead.
  func read() throws(ClockRecordFault) -> ClockMark?
  /// Replaces the stored mark, or removes it with nil; durable on return.
  func write(_ mark: ClockMark?) throws(ClockRecordFault)
}

/// The reason why the mark of the clock can't be read or written, for the operator.
package struct ClockRecordFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// A record that exists as long as the object, over any number of servers.
package final class MemoryClockRecord: ClockRecord {
  private let mark = OrderedMutex<ClockMark?>(.leaf, nil)

  package init() {}

  package func read() throws(ClockRecordFault) -> ClockMark? { mark.withLock { $0 } }

  package func write(_ mark: ClockMark?) throws(ClockRecordFault) { self.mark.withLock { $0 = mark } }
}
