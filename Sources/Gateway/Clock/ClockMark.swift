// What is remembered of the machine's clock beside the time of the last commit, so that a clock that is not believed is not
// believed after a restart either: by then commits have that clock's time. Plain values; where they are kept, the program says.
import Game
import Synchronization

/// What is remembered of the machine's clock.
package enum ClockMark: Hashable, Sendable {
  /// The clock is not believed; this time was the last to be, and nothing that was kept then has expired.
  case suspect(lastTrusted: Instant)
  /// An operator has said that the clock was right when it stood at a moment; the server's time was so far ahead of it.
  case accepted(at: Instant, lead: Duration)

  /// Reads what `description` writes; nil for anything else.
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

  /// What is far beyond comes of damage, and would overflow.
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

/// Where the mark of the clock is kept. Any thread.
package protocol ClockRecord: Sendable {
  /// Nil when there is none.
  ///
  /// - Throws: why it can't be read, or what there is instead.
  func read() throws(ClockRecordFault) -> ClockMark?
  /// Puts a mark in place of what was there, or with nil nothing; durable when it returns.
  func write(_ mark: ClockMark?) throws(ClockRecordFault)
}

/// Why the mark of the clock can't be read or written, for the operator.
package struct ClockRecordFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// A record that lasts as long as the object does, over any number of servers.
package final class MemoryClockRecord: ClockRecord {
  private let mark = Mutex<ClockMark?>(nil)

  package init() {}

  package func read() throws(ClockRecordFault) -> ClockMark? { mark.withLock { $0 } }

  package func write(_ mark: ClockMark?) throws(ClockRecordFault) { self.mark.withLock { $0 = mark } }
}
