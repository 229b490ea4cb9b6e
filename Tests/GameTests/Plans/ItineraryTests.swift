// Edits of itineraries: the order of stops, days, bounds, and that a refused edit changes nothing.
import Game
import Testing

@Suite("An itinerary keeps its stops in order, and within its bounds")
struct ItineraryTests {
  private static func stop(_ number: UInt128, day: Int64 = 0, text: String = "") -> PlanStop {
    PlanStop(id: PlanStopID(number), day: day, title: "\(number)", text: text)
  }

  private static func itinerary(days: ClosedRange<Int64> = 0...3, _ stops: PlanStop...) throws -> Itinerary {
    try stops.reduce(Itinerary(title: "여행", days: days)) { try $0.applying(.addStop($1, index: nil)) }
  }

  private func order(_ itinerary: Itinerary) -> [[UInt128]] {
    itinerary.days.map { day in itinerary.stops.filter { $0.day == day }.map(\.id.value) }
  }

  @Test("Stops lie by day, and where their author puts them within a day")
  func order() throws {
    let two = try Self.itinerary(Self.stop(1, day: 2), Self.stop(2, day: 0), Self.stop(3, day: 2))
    #expect(order(two) == [[2], [], [1, 3], []] && two.stops.map(\.id.value) == [2, 1, 3])
    let between = try two.applying(.addStop(Self.stop(4, day: 2), index: 1))
    #expect(order(between) == [[2], [], [1, 4, 3], []] && between.index(of: PlanStopID(4)) == 1)
    let moved = try between.applying(.moveStop(PlanStopID(3), day: nil, index: 0))
    #expect(order(moved) == [[2], [], [3, 1, 4], []])
    #expect(try order(moved.applying(.moveStop(PlanStopID(3), day: nil, index: nil))) == [[2], [], [1, 4, 3], []])
    #expect(try order(moved.applying(.moveStop(PlanStopID(3), day: nil, index: 2))) == [[2], [], [1, 4, 3], []])
    #expect(try order(moved.applying(.moveStop(PlanStopID(3), day: 0, index: 0))) == [[3, 2], [], [1, 4], []])
    #expect(try order(moved.applying(.moveStop(PlanStopID(3), day: 3, index: nil))) == [[2], [], [1, 4], [3]])
    #expect(try order(moved.applying(.deleteStop(PlanStopID(1)))) == [[2], [], [3, 4], []])
    let edited = try moved.applying(.editStop(PlanStopID(3), PlanStopEdit(title: "새 이름", day: 0)))
    #expect(order(edited) == [[2, 3], [], [1, 4], []] && edited.stops[1].title == "새 이름")
    let same = try moved.applying(.editStop(PlanStopID(3), PlanStopEdit(day: 2)))
    #expect(same == moved, "the same day leaves the place")
    #expect(try moved.applying(.addStop(Self.stop(1, day: 0), index: 0)) == moved, "a known stop stays")
  }

  @Test("An edit replaces what it has")
  func edits() throws {
    let place = Coordinate(latE7: 1, lngE7: 2)
    var one = try Self.itinerary(Self.stop(1, text: "글"))
    one = try one.applying(.editStop(PlanStopID(1), PlanStopEdit(place: place)))
    #expect(one.stops[0].text == "글" && one.stops[0].place == place)
    one = try one.applying(.editStop(PlanStopID(1), PlanStopEdit(text: "")))
    #expect(one.stops[0].text.isEmpty && one.stops[0].place == place && one.stops[0].title == "1")
    one = try one.applying(.editStop(PlanStopID(1), PlanStopEdit(place: .some(nil))))
    #expect(one.stops[0].place == nil)
    one = try one.applying(.replace(title: "바다", firstDay: nil, lastDay: nil, shiftsStops: false))
    #expect(one.title == "바다" && one.days == 0...3)
    let composed = try one.applying(.replace(title: "\u{E9}", firstDay: nil, lastDay: nil, shiftsStops: false))
    let decomposed = try one.applying(.replace(title: "e\u{301}", firstDay: nil, lastDay: nil, shiftsStops: false))
    #expect(!composed.isSame(as: decomposed) && composed.isSame(as: composed))
  }

  @Test("Stops go along with the first day when they are asked to, and refuse days without them")
  func days() throws {
    let two = try Self.itinerary(Self.stop(1, day: 0), Self.stop(2, day: 3))
    func replaced(_ first: Int64?, _ last: Int64?, _ shiftsStops: Bool = false) throws -> Itinerary {
      try two.applying(.replace(title: nil, firstDay: first, lastDay: last, shiftsStops: shiftsStops))
    }
    #expect(try replaced(-2, 5).stops == two.stops)
    for (first, last) in [(1, nil), (nil, 2), (4, 8)] as [(Int64?, Int64?)] {
      #expect(throws: PlanFault.stopOutsideDates) { try replaced(first, last) }
    }
    let shifted = try replaced(10, nil, true)
    #expect(shifted.days == 10...13 && shifted.stops.map(\.day) == [10, 13])
    #expect(try replaced(10, 20, true).days == 10...20)
    #expect(throws: PlanFault.stopOutsideDates) { try replaced(10, 12, true) }
    #expect(try replaced(nil, 3, true) == two)
    #expect(try two.beginning(on: -7).stops.map(\.day) == [-7, -4])
    #expect(throws: PlanFault.datesReversed) { try replaced(5, nil) }
    #expect(throws: PlanFault.tooManyDays) { try replaced(nil, 366) }
    #expect(try replaced(nil, 365).days == 0...365)
    #expect(throws: PlanFault.outsideCalendar) { try two.beginning(on: PlanRules.calendar.upperBound - 2) }
    #expect(try two.beginning(on: PlanRules.calendar.upperBound - 3).days.upperBound == CivilDate("9999-12-31").number)
  }

  @Test("Faults have their names")
  func faults() throws {
    let one = try Self.itinerary(Self.stop(1))
    for edit in [
      .editStop(PlanStopID(2), PlanStopEdit(title: "x")), .moveStop(PlanStopID(2), day: nil, index: nil),
      .deleteStop(PlanStopID(2)),
    ] as [ItineraryEdit] {
      #expect(throws: PlanFault.stopNotFound) { try one.applying(edit) }
    }
    for day in [-1, 4] as [Int64] {
      for edit in [
        .addStop(Self.stop(2, day: day), index: nil), .moveStop(PlanStopID(1), day: day, index: nil),
        .editStop(PlanStopID(1), PlanStopEdit(day: day)),
      ] as [ItineraryEdit] {
        #expect(throws: PlanFault.stopOutsideDates) { try one.applying(edit) }
      }
    }
    for edit in [
      .addStop(Self.stop(2), index: 2), .addStop(Self.stop(2, day: 1), index: 1),
      .moveStop(PlanStopID(1), day: nil, index: 1), .moveStop(PlanStopID(1), day: 1, index: 1),
    ] as [ItineraryEdit] {
      #expect(throws: PlanFault.indexTooHigh) { try one.applying(edit) }
    }
  }

  @Test("A plan has 200 stops, and 64 KiB of titles and texts in them")
  func bounds() throws {
    var many = Itinerary(title: "여행", days: 0...3)
    for number: UInt128 in 1...200 { many = try many.applying(.addStop(Self.stop(number), index: 0)) }
    #expect(throws: PlanFault.tooManyStops) { try many.applying(.addStop(Self.stop(201), index: nil)) }
    var long = Itinerary(title: "여행", days: 0...3)
    for number: UInt128 in 1...16 {
      long = try long.applying(.addStop(Self.stop(number, text: String(repeating: "a", count: 4_000)), index: nil))
    }
    // 64,000 bytes of texts and 23 of titles.
    let rest = 65_536 - 64_023 - 2
    let full = try long.applying(.addStop(Self.stop(17, text: String(repeating: "a", count: rest)), index: nil))
    #expect(throws: PlanFault.stopsTooLong) { try full.applying(.addStop(Self.stop(30), index: nil)) }
    #expect(throws: PlanFault.stopsTooLong) {
      try full.applying(.editStop(PlanStopID(17), PlanStopEdit(text: String(repeating: "a", count: rest + 1))))
    }
    #expect(try full.applying(.editStop(PlanStopID(17), PlanStopEdit(text: ""))).stops.count == 17)
  }

  @Test("Titles and texts are checked")
  func texts() throws {
    try PlanRules.check(text: "")
    try PlanRules.check(text: "첫 줄\n둘째 줄")
    try PlanRules.check(text: String(repeating: "가", count: 1_000))
    try PlanRules.check(title: String(repeating: "가", count: 31))
    #expect(throws: TextFault.tooLong(charactersMax: 1_000)) {
      try PlanRules.check(text: String(repeating: "가", count: 1_001))
    }
    #expect(throws: TextFault.tooLong(charactersMax: 1_000)) {
      try PlanRules.check(text: String(repeating: "👨‍👩‍👧‍👦", count: 200))
    }
    #expect(throws: TextFault.onlyWhiteSpace) { try PlanRules.check(text: "\n ") }
    #expect(throws: TextFault.controlCharacter) { try PlanRules.check(text: "\u{7}") }
    #expect(throws: TextFault.empty) { try PlanRules.check(title: "") }
    #expect(throws: TextFault.controlCharacter) { try PlanRules.check(title: "a\nb") }
    #expect(throws: TextFault.tooLong(charactersMax: 31)) {
      try PlanRules.check(title: String(repeating: "가", count: 32))
    }
  }
}
