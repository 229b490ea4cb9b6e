// Moments by the machine's clock, and from texts. Pure, but for `now`.
import Foundation
import Game

extension Instant {
  /// The machine's time: only for commands, which end before anybody sets the clock back.
  package static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

  /// Reads a time by RFC 3339: a date, a time of day with seconds, and a zone. Of a fraction the milliseconds count.
  /// Nil for anything else, and for a leap second.
  package init?(rfc3339 text: String) {
    let form =
      #/(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+\-])(\d\d):(\d\d))/#
    guard text.utf8.count <= 40, let match = text.wholeMatch(of: form)?.output,
      let year = Int64(match.1), let month = Int64(match.2), let day = Int64(match.3),
      let hour = Int64(match.4), let minute = Int64(match.5), let second = Int64(match.6),
      let zoneHours = Int64(match.9 ?? "0"), let zoneMinutes = Int64(match.10 ?? "0"),
      let milliseconds = Int64((match.7.map { $0 + "00" } ?? "000").prefix(3))
    else { return nil }
    guard (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day), hour < 24, minute < 60,
      second < 60, zoneHours < 24, zoneMinutes < 60
    else { return nil }
    let zone = (zoneHours * 60 + zoneMinutes) * (match.8 == "-" ? -1 : 1)
    let minutes = (Self.days(before: day, month, year) * 24 + hour) * 60 + minute - zone
    self.init(milliseconds: (minutes * 60 + second) * 1_000 + milliseconds)
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeapYear ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days from 1970 to a date in the Gregorian calendar.
  private static func days(before day: Int64, _ month: Int64, _ year: Int64) -> Int64 {
    // A year that begins in March has the leap day at its end.
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    // The first day of March 0000 is 719,468 days before 1970; counted from 400 years earlier, no number is negative.
    let shifted = marchYear + 400
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468 - 146_097
  }
}
