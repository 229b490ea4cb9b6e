// Days of a time zone by the system's calendar, for the server, which has no calendar.
import ArgumentParser
import Foundation
import Server

extension DayRanges {
  /// - Throws: `ValidationError` when there is no such time zone.
  init(timeZone name: String) throws {
    guard let zone = TimeZone(identifier: name) else { throw ValidationError("\(name) is no time zone.") }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.init { [calendar] count, nowMs in
      let today = calendar.startOfDay(for: Date(timeIntervalSince1970: Double(nowMs) / 1_000))
      return (0..<count).reversed().compactMap { daysAgo -> Day? in
        guard let begin = calendar.date(byAdding: .day, value: -daysAgo, to: today),
          let end = calendar.date(byAdding: .day, value: 1, to: begin)
        else { return nil }
        let parts = calendar.dateComponents([.year, .month, .day], from: begin)
        let (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        return Day(
          date: "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)",
          beginMs: Int64(begin.timeIntervalSince1970) * 1_000,
          endMs: Int64(end.timeIntervalSince1970) * 1_000
        )
      }
    }
  }
}
