// The numbers of the rules of travel plans, and the checks of what a player writes. Pure. The content of a text is not
// judged.

/// The numbers of the rules of plans. Days are counted from 1 January 1970.
package enum PlanRules {
  package static let titleCharactersMax = 31
  /// Bounds the bytes too, since a character may have any length.
  package static let titleBytesMax = 496
  package static let textCharactersMax = 1_000
  package static let textBytesMax = 4_000
  /// The most days of a plan, the first and the last one included.
  package static let daysMax: Int64 = 366
  package static let stopsMax = 200
  /// The titles and texts of all stops, bytes. With the stops' own fields a plan in JSON is shorter than 200 KiB, also
  /// where each byte of a text is escaped: a fifth of what a connection may leave unsent.
  package static let stopTextsBytesMax = 65_536
  /// The days that four digits of a year can tell.
  package static let calendar = CivilDate("0001-01-01").number...CivilDate("9999-12-31").number

  /// Checks the title of a plan or of a stop: one line of 1 to 31 characters, not only white space, no control
  /// characters.
  package static func check(title: String) throws(TextFault) {
    try TextFault.checkIsLine(title)
    try TextFault.check(title, charactersMax: titleCharactersMax, bytesMax: titleBytesMax)
  }

  /// Checks the text of a stop: empty, or up to 1,000 characters and 4,000 bytes, not only white space; line feeds are
  /// its only control characters.
  package static func check(text: String) throws(TextFault) {
    guard !text.isEmpty else { return }
    // The bytes come first: they bound the work of the later checks.
    guard text.utf8.count <= textBytesMax, text.count <= textCharactersMax else {
      throw .tooLong(charactersMax: textCharactersMax)
    }
    // A line feed is as good as a space here.
    let line = String(decoding: text.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    try TextFault.check(line, charactersMax: textCharactersMax, bytesMax: textBytesMax)
  }

  /// The days from the first one to the last one, both included.
  package static func days(_ first: Int64, _ last: Int64) throws(PlanFault) -> ClosedRange<Int64> {
    guard first <= last else { throw .datesReversed }
    guard last - first < daysMax else { throw .tooManyDays }
    guard calendar.contains(first), calendar.contains(last) else { throw .outsideCalendar }
    return first...last
  }
}

/// The reason why a plan can't be as an edit would have it.
package enum PlanFault: Error, Hashable, Sendable {
  /// The first date lies behind the last one.
  case datesReversed
  case tooManyDays
  /// A day before the year 1 or behind the year 9999.
  case outsideCalendar
  case tooManyStops
  /// The titles and texts of all stops together are too long.
  case stopsTooLong
  /// A stop would lie before the first date or behind the last one.
  case stopOutsideDates
  case stopNotFound
  /// The place in a day lies behind the day's last stop.
  case indexTooHigh
}
