// Moments as text for readers and files. Pure, but for `now`.
import Foundation
import Game

extension Instant {
  /// The machine's time: only for commands, which end before anybody sets the clock back.
  package static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

  /// UTC by ISO 8601, with milliseconds: `2026-11-21T05:30:00.250Z`.
  package var utc: String {
    // Only whole seconds go through a floating-point number: with a fraction the last digit would sometimes be wrong.
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    let fraction = String(1_000 + rest).dropFirst()
    return "\(text.dropLast()).\(fraction)Z"
  }
}
