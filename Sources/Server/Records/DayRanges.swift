// The days by which records are counted.
//
// A value. The day of a moment depends on the time zone. Server knows only fixed distances from UTC; a calendar comes
// from outside.
import Game
import Gateway

/// A day, with its range of moments.
package struct Day: Sendable, Equatable {
  /// The date for players: `2026-11-21`.
  package let date: String
  let range: Range<Instant>

  /// A day from `beginMs` to before `endMs`, in milliseconds since the Unix epoch.
  package init(date: String, beginMs: Int64, endMs: Int64) {
    self.date = date
    range = Instant(milliseconds: beginMs)..<Instant(milliseconds: endMs)
  }
}

/// The division of time into days.
package struct DayRanges: Sendable {
  /// The day of a moment and those before it: `count` days, oldest first.
  let days: @Sendable (_ count: Int, _ nowMs: Int64) -> [Day]

  /// Takes the function for the day of a moment (milliseconds since the Unix epoch) and those before it: `count` days,
  /// oldest first.
  package init(_ days: @escaping @Sendable (_ count: Int, _ nowMs: Int64) -> [Day]) {
    self.days = days
  }

  /// The beginning of a moment's day.
  func beginning(ofDayOf moment: Instant) -> Instant {
    days(1, moment.milliseconds).first?.range.lowerBound ?? moment
  }

  /// Days of 24 hours that begin at a fixed distance from UTC's, in seconds.
  package static func fixed(offsetSeconds: Int64) -> DayRanges {
    DayRanges { count, nowMs in
      let dayMs: Int64 = 86_400_000
      let today = (nowMs + offsetSeconds * 1_000) / dayMs
      return (0..<count).map { index in
        let number = today - Int64(count - 1 - index)
        let begin = number * dayMs - offsetSeconds * 1_000
        return Day(date: CivilDate(day: number).text, beginMs: begin, endMs: begin + dayMs)
      }
    }
  }
}
