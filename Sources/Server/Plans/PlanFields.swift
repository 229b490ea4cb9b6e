// The fields of requests about travel plans: checked one by one, each with its own refusal. Pure.
import Game
import MadangProtocol

enum PlanField {
  static func stopID(_ text: String) throws(StoryRefusal) -> PlanStopID {
    guard let id = PlanStopID(text) else { throw StoryRefusal(.stopNotFound) }
    return id
  }

  static func title(_ title: String) throws(StoryRefusal) -> String {
    do throws(TextFault) { try PlanRules.check(title: title) } catch { throw StoryRefusal(error, in: "title") }
    return title
  }

  static func text(_ text: String) throws(StoryRefusal) -> String {
    do throws(TextFault) { try PlanRules.check(text: text) } catch { throw StoryRefusal(error, in: "text") }
    return text
  }

  /// The number of a date's day.
  static func day(_ date: String, in field: String) throws(StoryRefusal) -> Int64 {
    guard let day = CivilDate(checking: date)?.number else {
      throw StoryRefusal(.outOfRange, "\(field): a date like 2026-11-21")
    }
    return day
  }

  static func planDays(first: String, last: String) throws(StoryRefusal) -> ClosedRange<Int64> {
    let (first, last) = (try day(first, in: "firstDate"), try day(last, in: "lastDate"))
    do throws(PlanFault) { return try PlanRules.days(first, last) } catch { throw StoryRefusal(error) }
  }

  /// The version that an edit names.
  static func editedVersion(_ version: UInt32) throws(StoryRefusal) -> Int64 {
    guard version > 0 else { throw StoryRefusal(.outOfRange, "version: the one that the edit is of") }
    return Int64(version)
  }
}

extension StoryRefusal {
  init(_ fault: PlanFault) {
    switch fault {
    case .datesReversed: self.init(.datesReversed, nil)
    case .tooManyDays: self.init(.tooManyDays, nil)
    case .outsideCalendar: self.init(.outOfRange, "dates: up to the year 9999")
    case .tooManyStops: self.init(.tooManyStops, nil)
    case .stopsTooLong: self.init(.stopsTooLong, nil)
    case .stopOutsideDates: self.init(.stopOutsideDates, nil)
    case .stopNotFound: self.init(.stopNotFound, nil)
    case .indexTooHigh: self.init(.indexTooHigh, nil)
    }
  }
}
