// A plan's title, dates and stops, and what edits make of them. A value: the same edit of the same itinerary gives the
// same one in every store. An edit that is refused changes nothing.
// Decisions: 119 (docs/decisions).

/// A stop of a plan.
package struct PlanStop: Hashable, Sendable {
  package let id: PlanStopID
  /// One of the plan's days, counted from 1 January 1970.
  package var day: Int64
  package var title: String
  /// May be empty.
  package var text: String
  package var place: Coordinate?

  package init(id: PlanStopID, day: Int64, title: String, text: String = "", place: Coordinate? = nil) {
    self.id = id
    self.day = day
    self.title = title
    self.text = text
    self.place = place
  }

  /// Compares texts by bytes, as stores do; Swift treats composed and decomposed letters as equal.
  package func isSame(as other: PlanStop) -> Bool {
    self == other && title.utf8.elementsEqual(other.title.utf8) && text.utf8.elementsEqual(other.text.utf8)
  }

  fileprivate var textByteCount: Int { title.utf8.count + text.utf8.count }
}

/// The new contents of a stop. Each is nil for a field that stays.
package struct PlanStopEdit: Hashable, Sendable {
  package var title: String?
  package var text: String?
  /// Inner nil: the stop has no place any more.
  package var place: Coordinate??
  /// Another day has the stop behind its others.
  package var day: Int64?

  package init(title: String? = nil, text: String? = nil, place: Coordinate?? = nil, day: Int64? = nil) {
    self.title = title
    self.text = text
    self.place = place
    self.day = day
  }
}

/// One edit of an itinerary. An index is a place among the stops of the day, from 0; nil is the place behind all.
package enum ItineraryEdit: Hashable, Sendable {
  /// Replaces what is not nil. With `shiftsStops` the stops go along with the first day by as many days, and so does
  /// the last day where none is given; without, a stop that would lie outside of the days refuses the edit.
  case replace(title: String?, firstDay: Int64?, lastDay: Int64?, shiftsStops: Bool)
  /// A known stop stays as it is.
  case addStop(PlanStop, index: Int?)
  case editStop(PlanStopID, PlanStopEdit)
  /// Moves a stop within its day, or to another one.
  case moveStop(PlanStopID, day: Int64?, index: Int?)
  case deleteStop(PlanStopID)
}

/// The content of a plan.
package struct Itinerary: Hashable, Sendable {
  package private(set) var title: String
  /// From the first to the last one, counted from 1 January 1970.
  package private(set) var days: ClosedRange<Int64>
  /// By day, and within a day in the author's order.
  package private(set) var stops: [PlanStop]

  /// Takes what an itinerary has had before.
  package init(title: String, days: ClosedRange<Int64>, stops: [PlanStop] = []) {
    self.title = title
    self.days = days
    self.stops = stops
  }

  /// Compares texts by bytes.
  package func isSame(as other: Itinerary) -> Bool {
    title.utf8.elementsEqual(other.title.utf8) && days == other.days && stops.count == other.stops.count
      && zip(stops, other.stops).allSatisfy { $0.isSame(as: $1) }
  }

  /// The place of a stop among those of its day, from 0; nil for an unknown stop.
  package func index(of id: PlanStopID) -> Int? {
    guard let position = stops.firstIndex(where: { $0.id == id }) else { return nil }
    return position - range(of: stops[position].day).lowerBound
  }

  /// The itinerary with an edit.
  package func applying(_ edit: ItineraryEdit) throws(PlanFault) -> Itinerary {
    var edited = self
    switch edit {
    case .replace(let title, let firstDay, let lastDay, let shiftsStops):
      edited.title = title ?? self.title
      try edited.replaceDays(firstDay, lastDay, shiftsStops: shiftsStops)
    case .addStop(let stop, let index):
      guard !stops.contains(where: { $0.id == stop.id }) else { return self }
      guard stops.count < PlanRules.stopsMax else { throw .tooManyStops }
      try edited.insert(stop, at: index)
    case .editStop(let id, let edit): try edited.edit(id, edit)
    case .moveStop(let id, let day, let index):
      var stop = try edited.removeStop(id)
      stop.day = day ?? stop.day
      try edited.insert(stop, at: index)
    case .deleteStop(let id): _ = try edited.removeStop(id)
    }
    guard edited.stops.reduce(0, { $0 + $1.textByteCount }) <= PlanRules.stopTextsBytesMax else { throw .stopsTooLong }
    return edited
  }

  /// The itinerary with all days shifted so that it begins on a day.
  package func beginning(on day: Int64) throws(PlanFault) -> Itinerary {
    try applying(.replace(title: nil, firstDay: day, lastDay: nil, shiftsStops: true))
  }

  private mutating func replaceDays(_ first: Int64?, _ last: Int64?, shiftsStops: Bool) throws(PlanFault) {
    let first = first ?? days.lowerBound
    let shift = shiftsStops ? first - days.lowerBound : 0
    days = try PlanRules.days(first, last ?? days.upperBound + shift)
    for index in stops.indices {
      stops[index].day += shift
      guard days.contains(stops[index].day) else { throw .stopOutsideDates }
    }
  }

  private mutating func edit(_ id: PlanStopID, _ edit: PlanStopEdit) throws(PlanFault) {
    guard let position = stops.firstIndex(where: { $0.id == id }) else { throw .stopNotFound }
    stops[position].title = edit.title ?? stops[position].title
    stops[position].text = edit.text ?? stops[position].text
    if let place = edit.place { stops[position].place = place }
    guard let day = edit.day, day != stops[position].day else { return }
    var stop = stops.remove(at: position)
    stop.day = day
    try insert(stop, at: nil)
  }

  private mutating func removeStop(_ id: PlanStopID) throws(PlanFault) -> PlanStop {
    guard let position = stops.firstIndex(where: { $0.id == id }) else { throw .stopNotFound }
    return stops.remove(at: position)
  }

  private mutating func insert(_ stop: PlanStop, at index: Int?) throws(PlanFault) {
    guard days.contains(stop.day) else { throw .stopOutsideDates }
    let range = range(of: stop.day)
    guard index ?? 0 <= range.count else { throw .indexTooHigh }
    stops.insert(stop, at: range.lowerBound + (index ?? range.count))
  }

  /// The positions of a day's stops.
  private func range(of day: Int64) -> Range<Int> {
    let first = stops.firstIndex { $0.day >= day } ?? stops.count
    return first..<(stops[first...].firstIndex { $0.day > day } ?? stops.count)
  }
}
