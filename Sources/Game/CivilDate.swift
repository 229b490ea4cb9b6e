// A date of the Gregorian calendar and its number among all days. A value, without time zones.

package struct CivilDate: Equatable {
  package let year: Int64
  package let month: Int64
  package let day: Int64

  /// The date of a day, counted from 1 January 1970. Years begin in March here, so that the leap day is the last of its
  /// year. The pattern repeats every 146,097 days.
  package init(day number: Int64) {
    let shifted = number + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Reads a text like `2026-11-21`; a text that is no date is a fault of the caller.
  package init(_ text: String) {
    let numbers = text.split(separator: "-").compactMap { Int64($0) }
    precondition(numbers.count == 3 && (1...12).contains(numbers[1]) && (1...31).contains(numbers[2]), "a date")
    (year, month, day) = (numbers[0], numbers[1], numbers[2])
  }

  /// Reads a text like `2026-11-21`; nil for any other text, and for a day that there is not.
  package init?(checking text: String) {
    let bytes = Array(text.utf8)
    let isDigit = bytes.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let hasForm = isDigit == [true, true, true, true, false, true, true, false, true, true]
    guard hasForm, (1...12).contains(Int(text.dropFirst(5).prefix(2)) ?? 0),
      (1...31).contains(Int(text.suffix(2)) ?? 0)
    else { return nil }
    self.init(text)
    guard self.text == text, CivilDate(day: number) == self, year > 0 else { return nil }
  }

  /// The day's number, from 1 January 1970 on.
  package var number: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let shiftedMonth = month > 2 ? month - 3 : month + 9
    let (era, yearOfEra) = (shiftedYear / 400, shiftedYear % 400)
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date for players: `2026-11-21`.
  package var text: String {
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let digits = "\(year)"
    return String(repeating: "0", count: max(0, 4 - digits.count)) + "\(digits)-\(padded(month))-\(padded(day))"
  }
}
