// A moment as text, for readers, files and other programs. Pure.

extension Instant {
  /// UTC by ISO 8601, with milliseconds: `2026-11-21T05:30:00.250Z`.
  package var utc: String {
    func padded(_ number: Int64, _ digits: Int = 2) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let dayMs: Int64 = 86_400_000
    let rest = (milliseconds % dayMs + dayMs) % dayMs
    let date = CivilDate(day: (milliseconds - rest) / dayMs).text
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60)
    return "\(date)T\(padded(hour)):\(padded(minute)):\(padded(second)).\(padded(rest % 1_000, 3))Z"
  }
}
