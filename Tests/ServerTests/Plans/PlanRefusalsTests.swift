// Bad input about travel plans over real sockets: each kind has its own error, and nothing of it is kept; budgets.
import MadangProtocol
import TestSupport
import Testing

@Suite struct PlanRefusalsTests {
  private let server: TestServer

  init() throws {
    server = try TestServer(shards: 1)
  }

  @Test("Each fault of a plan has its own error, in making and in editing, and changes nothing")
  func plans() throws {
    let author = try server.player("가람")
    let plan = try author.plan("제목")
    let faults: [(code: WireErrorCode, write: (inout WireWritePlan) -> Void)] = [
      (.textEmpty, { $0.title = "" }), (.textEmpty, { $0.title = "\u{3000} " }), (.outOfRange, { $0.title = "둘\n줄" }),
      (.textTooLong, { $0.title = String(repeating: "가", count: 32) }),
      (.datesReversed, { $0.lastDate = "2026-12-23" }), (.tooManyDays, { $0.lastDate = "2027-12-25" }),
      (.outOfRange, { $0.firstDate = "2026-12-32" }), (.outOfRange, { $0.firstDate = "2026-2-1" }),
      (.outOfRange, { $0.lastDate = "tomorrow" }), (.outOfRange, { $0.lastDate = "2026-13-01" }),
    ]
    for (index, fault) in faults.enumerated() {
      var write = TestPlayer.writePlan("제목")
      fault.write(&write)
      #expect(try author.refusal(of: .writePlan(write)).code == fault.code, "\(index)")
      let edit = TestPlayer.editPlan(plan) { edit in
        (edit.title, edit.firstDate, edit.lastDate) = (write.title, write.firstDate, write.lastDate)
      }
      #expect(try author.refusal(of: edit).code == fault.code, "edit \(index)")
    }
    var empty = TestPlayer.writePlan("제목")
    empty.firstDate = ""
    #expect(try author.refusal(of: .writePlan(empty)).code == .outOfRange)
    #expect(try author.refusal(of: TestPlayer.editPlan(plan) { $0.version = 0 }).code == .outOfRange)
    #expect(try author.refusal(of: TestPlayer.delete(plan, version: 0)).code == .outOfRange)
    #expect(try author.plans() == ["제목"] && author.read(plan) == plan)
    #expect(try author.plan("일 년", from: "2028-01-01", to: "2028-12-31").lastDate == "2028-12-31")
  }

  @Test("Each fault of a stop has its own error, and changes nothing")
  func stops() throws {
    let author = try server.player("가람")
    var plan = try author.plan()
    try author.change(&plan, TestPlayer.addStop("하나", to: plan))
    let stop = plan.stops[0].stopID
    let faults: [(code: WireErrorCode, set: (inout WireStop) -> Void)] = [
      (.textEmpty, { $0.title = "" }), (.textTooLong, { $0.title = String(repeating: "가", count: 32) }),
      (.outOfRange, { $0.title = "\u{1}" }), (.textTooLong, { $0.text = String(repeating: "가", count: 1_001) }),
      (.textTooLong, { $0.text = String(repeating: "👨‍👩‍👧‍👦", count: 161) }), (.textEmpty, { $0.text = "\n" }),
      (.outOfRange, { $0.text = "\u{7}" }), (.outOfRange, { $0.date = "26-12-24" }), (.outOfRange, { $0.date = "" }),
      (.stopOutsideDates, { $0.date = "2026-12-23" }), (.stopOutsideDates, { $0.date = "2026-12-27" }),
      (.outOfRange, { $0.latE7 = 0 }), (.outOfRange, { $0.lngE7 = 0 }),
      (.outOfRange, { ($0.latE7, $0.lngE7) = (860_000_000, 0) }),
      (.outOfRange, { ($0.latE7, $0.lngE7) = (0, 1_800_000_001) }),
    ]
    for (index, fault) in faults.enumerated() {
      #expect(try author.refusal(of: TestPlayer.addStop("둘", to: plan, fault.set)).code == fault.code, "\(index)")
      var wanted = plan.stops[0]
      fault.set(&wanted)
      let edit = TestPlayer.editStop(stop, of: plan) { edit in
        (edit.title, edit.text, edit.date) = (wanted.title, wanted.text, wanted.date)
        if wanted.hasLatE7 { edit.latE7 = wanted.latE7 }
        if wanted.hasLngE7 { edit.lngE7 = wanted.lngE7 }
      }
      #expect(try author.refusal(of: edit).code == fault.code, "edit \(index)")
    }
    #expect(try author.refusal(of: TestPlayer.addStop("둘", to: plan, index: 2)).code == .indexTooHigh)
    #expect(try author.refusal(of: TestPlayer.moveStop(stop, of: plan, index: 1)).code == .indexTooHigh)
    #expect(try author.refusal(of: TestPlayer.moveStop(stop, of: plan, index: .max)).code == .indexTooHigh)
    #expect(try author.refusal(of: TestPlayer.moveStop(stop, of: plan, to: "2027-01-01")).code == .stopOutsideDates)
    #expect(try author.refusal(of: TestPlayer.moveStop(stop, of: plan, to: "x")).code == .outOfRange)
    for id in ["", "x", String(repeating: "7", count: 32)] {
      for body in [
        TestPlayer.editStop(id, of: plan) { $0.title = "둘" }, TestPlayer.moveStop(id, of: plan),
        TestPlayer.deleteStop(id, of: plan),
      ] {
        #expect(try author.refusal(of: body).code == .stopNotFound)
      }
    }
    for date in ["2026-12-25", "2026-12-27"] {
      let edit = TestPlayer.editPlan(plan) { ($0.firstDate, $0.lastDate) = (date, "2026-12-31") }
      #expect(try author.refusal(of: edit).code == .stopOutsideDates)
    }
    #expect(try author.read(plan) == plan)
  }

  @Test("Plans that are not there, cursors of other lists and odd numbers have their errors")
  func otherFaults() throws {
    let author = try server.player("가람")
    let plan = try author.plan()
    var nowhere = plan
    for id in ["", "x", String(repeating: "7", count: 32)] {
      nowhere.planID = id
      for body in [
        TestPlayer.read(nowhere), TestPlayer.delete(nowhere), TestPlayer.takeOver(nowhere),
        TestPlayer.editPlan(nowhere) { $0.title = "x" }, TestPlayer.addStop("둘", to: nowhere),
        TestPlayer.deleteStop(String(repeating: "7", count: 32), of: nowhere),
      ] {
        #expect(try author.refusal(of: body).code == .planNotFound)
      }
    }
    for date in ["", "2027-02-29", "9999-12-31"] {
      #expect(try author.refusal(of: TestPlayer.takeOver(plan, from: date)).code == .outOfRange, "\(date)")
    }
    for cursor in ["x", "plans.", "plans.x", "1a2b3c4d.0.17", String(repeating: "7", count: 129)] {
      var list = WireListPlans()
      list.cursor = cursor
      #expect(try author.refusal(of: .listPlans(list)).code == .wrongCursor, "\(cursor)")
    }
    for limit: UInt32 in [0, 51] {
      var list = WireListPlans()
      list.limit = limit
      #expect(try author.refusal(of: .listPlans(list)).code == .outOfRange)
    }
    #expect(try author.plans() == ["여행"])
  }

  @Test("Changes of plans have a budget")
  func budgets() throws {
    let author = try server.player("가람")
    var plan = try author.plan()
    for index in 1..<Limits.planChangesPerMinute {
      if index == 40 { server.clock.advance(milliseconds: 500) }
      try author.change(&plan, TestPlayer.addStop("\(index)", to: plan))
    }
    let refused = try author.refusal(of: TestPlayer.deleteStop(plan.stops[0].stopID, of: plan))
    #expect(refused.code == .rateLimited && refused.retryAfterMs > 0)
    try server.pass(seconds: 60, author)
    try author.change(&plan, TestPlayer.deleteStop(plan.stops[0].stopID, of: plan))
  }

  @Test("While the store fails, nothing is taken that could be lost")
  func failing() throws {
    let store = StubbornStore()
    let failing = try TestServer(shards: 1, store: store)
    let player = try failing.player("가람")
    let plan = try player.plan()
    store.fail(with: .full)
    // Another player's change meets the fault first.
    let other = try TestPlayer(port: failing.port)
    try other.send(.hello(TestPlayer.hello("나래")), id: 1)
    while store.failedCount == 0 { _ = failing.report() }
    #expect(try player.refusal(of: TestPlayer.addStop("둘", to: plan)).code == .storeUnavailable)
    #expect(try player.read(plan) == plan)
  }
}
