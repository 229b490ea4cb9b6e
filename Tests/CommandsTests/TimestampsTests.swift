// Times as RFC 3339 writes them.
import Foundation
import Game
import Testing
import Commands

@Suite("Times by RFC 3339")
struct TimestampsTests {
  @Test(
    "A time with a zone is read to the millisecond",
    arguments: [
      ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
      ("2026-11-21T09:00:00+09:00", "2026-11-21T00:00:00.000Z"),
      ("2026-11-21t09:00:00.25z", "2026-11-21T09:00:00.250Z"),
      ("2026-02-28T23:30:00.0009999-01:30", "2026-03-01T01:00:00.000Z"),
      ("2024-02-29T00:00:00-00:00", "2024-02-29T00:00:00.000Z"),
      ("2000-02-29T23:59:59.999Z", "2000-02-29T23:59:59.999Z"),
      ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
    ]
  )
  func sound(text: String, utc: String) {
    #expect(Instant(rfc3339: text)?.utc == utc)
  }

  @Test("Days from 1583 to 2999 are those that Foundation names")
  func days() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let first = try #require(Instant(rfc3339: "1583-01-01T00:00:00Z")).milliseconds / 86_400_000
    let last = try #require(Instant(rfc3339: "2999-12-31T00:00:00Z")).milliseconds / 86_400_000
    #expect(last - first == 517_548)
    for day in stride(from: first, through: last, by: 101) {
      let parts = calendar.dateComponents(
        [.year, .month, .day],
        from: Date(timeIntervalSince1970: Double(day * 86_400))
      )
      let text = String(format: "%04d-%02d-%02dT00:00:00Z", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      #expect(Instant(rfc3339: text)?.milliseconds == day * 86_400_000, "\(text)")
    }
  }

  @Test(
    "Anything else is none",
    arguments: [
      "", "2026-11-21", "2026-11-21T09:00:00", "2026-11-21 09:00:00Z", "2026-11-21T09:00Z", "2026-11-21T09:00:00+0900",
      "2026-11-21T09:00:00+09", "2026-11-21T24:00:00Z", "2026-11-21T09:60:00Z", "2026-11-21T09:00:60Z",
      "2026-11-31T09:00:00Z", "2026-02-29T09:00:00Z", "1900-02-29T09:00:00Z", "2026-13-01T09:00:00Z",
      "2026-00-01T09:00:00Z", "2026-01-00T09:00:00Z", "2026-11-21T09:00:00+24:00", "2026-11-21T09:00:00+09:60",
      "2026-11-21T09:00:00.Z", "２０２６-11-21T09:00:00Z", " 2026-11-21T09:00:00Z", "2026-11-21T09:00:00Z\n",
      "2026-11-21T09:00:00.0000000000000000000000000001Z", "+026-11-21T09:00:00Z",
    ]
  )
  func unsound(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }
}
