// Moments for readers and files.
import Foundation
import Game

extension Instant {
  /// By the machine's clock: for commands, which are over before anybody sets it back.
  static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

  /// UTC by ISO 8601, with milliseconds: `2026-11-21T05:30:00.250Z`.
  var utc: String {
    // Whole seconds alone go through a floating-point number: with a fraction the last digit would be off at times.
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    let fraction = String(1_000 + rest).dropFirst()
    return "\(text.dropLast()).\(fraction)Z"
  }
}
