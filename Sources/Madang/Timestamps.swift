// Moments for readers and files.
import Foundation
import Game

extension Instant {
  /// UTC by ISO 8601, with milliseconds: `2026-11-21T05:30:00.250Z`.
  var utc: String {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(style)
  }
}
