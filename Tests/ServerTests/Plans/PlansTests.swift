// Travel plans over real sockets: made, edited by versions, shared by posts, taken over and deleted, in both encodings.
import Game
import MadangProtocol
import Store
import TestSupport
import Testing

@Suite struct PlansTests {
  private let server: TestServer

  init() throws {
    server = try TestServer(shards: 2)
  }

  @Test("A client that follows the answers holds the newest plan", arguments: [Subprotocol.json, .proto])
  func editing(subprotocol: Subprotocol) throws {
    let author = try server.player("가람", subprotocol)
    var plan = try author.plan("겨울 바다")
    #expect(plan.version == 1 && plan.nickname == "가람" && plan.firstDate == "2026-12-24" && !plan.hasEditedAtMs)
    server.clock.advance(seconds: 5)
    let first = try author.change(
      &plan,
      TestPlayer.addStop("해변", to: plan) { ($0.text, $0.latE7, $0.lngE7) = ("맨발로\n천천히", 0, 1_229_000_000) }
    )
    #expect(first.version == 2 && first.index == 0 && first.stopCount == 1)
    #expect(first.editedAtMs == plan.writtenAtMs + 5_000)
    try author.change(&plan, TestPlayer.addStop("쉬는 날", on: "2026-12-25", to: plan))
    try author.change(&plan, TestPlayer.addStop("아침", to: plan, index: 0))
    try author.change(&plan, TestPlayer.addStop("저녁", to: plan, index: 2))
    #expect(plan.titles == ["아침", "해변", "저녁", "쉬는 날"] && plan.version == 5)
    let beach = first.stopID
    let last = try author.change(&plan, TestPlayer.moveStop(beach, of: plan, index: 2))
    #expect(last.index == 2)
    try author.change(&plan, TestPlayer.moveStop(beach, of: plan, to: "2026-12-26"))
    try author.change(&plan, TestPlayer.editStop(beach, of: plan) { ($0.title, $0.withoutPlace) = ("모래밭", true) })
    try author.change(&plan, TestPlayer.editStop(plan.stops[0].stopID, of: plan) { $0.date = "2026-12-25" })
    try author.change(&plan, TestPlayer.deleteStop(plan.stops[0].stopID, of: plan))
    #expect(
      plan.titles == ["쉬는 날", "아침", "모래밭"] && plan.stops.map(\.date) == ["25", "25", "26"].map { "2026-12-\($0)" }
    )
    #expect(plan.stops[2].text == "맨발로\n천천히" && !plan.stops[2].hasLatE7)
    let moved = try author.answeredPlan(
      TestPlayer.editPlan(plan) { ($0.firstDate, $0.shiftStops, $0.title) = ("2027-02-27", true, "봄 바다") }
    )
    #expect(moved.firstDate == "2027-02-27" && moved.lastDate == "2027-03-01" && moved.title == "봄 바다")
    #expect(moved.stops.map(\.date) == ["2027-02-28", "2027-02-28", "2027-03-01"])
    #expect(try author.read(moved) == moved && moved.version == 11)
    let same = try author.change(&plan, TestPlayer.editStop(beach, of: moved) { $0.title = "모래밭" })
    #expect(same.version == 11, "an edit that changes nothing")
  }

  @Test("Edits of several devices lose nothing of one another: the stale one gets the newest plan")
  func versions() throws {
    let author = try TestPlayer(port: server.port)
    let secret = "the secret of two devices"
    _ = try author.hello("가람", secret: secret)
    var plan = try author.plan()
    let old = plan
    try author.change(&plan, TestPlayer.addStop("하나", to: plan))
    // The other device has not seen the stop.
    let other = try TestPlayer(port: server.port)
    _ = try other.hello("가람", secret: secret)
    for body in [
      TestPlayer.addStop("둘", to: old), TestPlayer.editPlan(old) { $0.title = "다른" },
      TestPlayer.deleteStop(plan.stops[0].stopID, of: old), TestPlayer.delete(old, version: 1),
    ] {
      let error = try other.refusal(of: body)
      #expect(error.code == .staleVersion && error.plan == plan)
    }
    var newest = try other.refusal(of: TestPlayer.addStop("둘", to: old)).plan
    try other.change(&newest, TestPlayer.addStop("둘", to: newest))
    #expect(newest.titles == ["하나", "둘"] && newest.version == 3)
    #expect(try other.read(old) == newest)
  }

  @Test("A post has its author's plan, and shows it to who may see the post")
  func sharing() throws {
    let author = try TestPlayer(port: server.port)
    let authorID = try author.hello("가람").playerID
    let reader = try TestPlayer(port: server.port)
    let readerID = try reader.hello("나래").playerID
    var plan = try author.plan()
    #expect(try reader.refusal(of: TestPlayer.read(plan)).code == .planNotFound)
    let post = try author.write("같이 가요") { $0.planID = plan.planID }
    #expect(try post.planID == plan.planID && reader.read(post).planID == plan.planID)
    try author.change(&plan, TestPlayer.addStop("나중에", to: plan))
    #expect(try reader.read(plan) == plan, "as it is now")
    for body in [TestPlayer.editPlan(plan) { $0.title = "내 것" }, TestPlayer.delete(plan)] {
      #expect(try reader.refusal(of: body).code == .notAuthor)
    }
    let own = try reader.plan("내 것")
    #expect(try author.writeRefusal { $0.planID = own.planID } == .planNotFound)
    for id in ["x", String(repeating: "7", count: 32)] {
      #expect(try author.writeRefusal { $0.planID = id } == .planNotFound)
    }
    try author.expectOk(.block(TestPlayer.block(readerID)))
    #expect(try reader.refusal(of: TestPlayer.read(plan)).code == .planNotFound)
    #expect(try reader.refusal(of: TestPlayer.takeOver(plan)).code == .blocked)
    try author.expectOk(.unblock(TestPlayer.unblock(readerID)))
    try reader.expectOk(.block(TestPlayer.block(authorID)))
    #expect(try reader.refusal(of: TestPlayer.takeOver(plan)).code == .planNotFound)
    try reader.expectOk(.unblock(TestPlayer.unblock(authorID)))
    #expect(try author.edit(post) { $0.planID = "" }.planID.isEmpty)
    #expect(try reader.refusal(of: TestPlayer.read(plan)).code == .planNotFound)
    #expect(try author.edit(post) { $0.planID = plan.planID }.planID == plan.planID)
    try author.expectOk(TestPlayer.delete(plan))
    #expect(try reader.read(post).planID.isEmpty)
    for player in [author, reader] {
      for body in [TestPlayer.read(plan), TestPlayer.delete(plan), TestPlayer.takeOver(plan)] {
        #expect(try player.refusal(of: body).code == .planNotFound)
      }
    }
  }

  @Test("Copies that wait for their commit are charged as the longest plan, and as what they are behind it")
  func chargesOfCopies() throws {
    let store = StubbornStore()
    let server = try TestServer(store: store) { $0.netLimits.limitsLoopback = true }
    let author = try server.player("가람")
    let plan = try author.plan("겨울 바다")
    _ = try author.write("같이 가요") { $0.planID = plan.planID }
    let taker = try server.player("나래")
    // More than the bytes that a player may have at once, if each were charged as the longest.
    for _ in 0..<6 { _ = try taker.answeredPlan(TestPlayer.takeOver(plan)) }
    let takers = try (0..<12).map { try server.player("p\($0)") }
    store.hold()
    let messages = server.report().net.messagesIn + takers.count
    for taker in takers { try taker.send(TestPlayer.takeOver(plan), id: 1_000) }
    _ = try server.report { $0.net.messagesIn == messages }
    store.release()
    let answers = try takers.map { try $0.reply(to: 1_000) }
    let copies = answers.count { if case .plan = $0 { true } else { false } }
    let refusals = answers.count { if case .error(let error) = $0 { error.code == .rateLimited } else { false } }
    // The address has 512 KiB at once, which are eight of the longest plans at most; another comes back in 3.5 s.
    #expect(copies > 0 && refusals > 0 && copies + refusals == takers.count)
  }

  @Test(
    "A plan is taken over with its dates shifted and its credit, and counts once",
    arguments: [Subprotocol.json, .proto]
  )
  func takingOver(subprotocol: Subprotocol) throws {
    let author = try TestPlayer(port: server.port, subprotocol: subprotocol)
    let authorID = try author.hello("가람").playerID
    var plan = try author.plan("겨울 바다")
    for (title, date) in [("하나", "24"), ("둘", "26")] {
      try author.change(&plan, TestPlayer.addStop(title, on: "2026-12-\(date)", to: plan) { $0.text = "글" })
    }
    let post = try author.write("같이 가요") { $0.planID = plan.planID }
    let taker = try server.player("나래", subprotocol)
    let copy = try taker.answeredPlan(TestPlayer.takeOver(plan, from: "2028-02-28"))
    #expect(copy.title == "겨울 바다" && copy.firstDate == "2028-02-28" && copy.lastDate == "2028-03-01")
    #expect(copy.stops.map(\.date) == ["2028-02-28", "2028-03-01"] && copy.titles == ["하나", "둘"])
    #expect(copy.version == 1 && copy.planID != plan.planID && copy.nickname == "나래" && copy.takenOver == 0)
    #expect(copy.takenFrom.authorID == authorID && copy.takenFrom.nickname == "가람")
    #expect(copy.takenFrom.planID == plan.planID)
    _ = try taker.answeredPlan(TestPlayer.takeOver(plan))
    _ = try author.answeredPlan(TestPlayer.takeOver(plan))
    let seen = try taker.read(plan)
    #expect(try seen.takenOver == 1 && seen.taken && !author.read(plan).taken)
    var edited = copy
    try taker.change(&edited, TestPlayer.addStop("셋", on: "2028-02-29", to: copy))
    #expect(try author.read(plan).titles == ["하나", "둘"] && taker.plans() == ["겨울 바다", "겨울 바다"])
    try author.expectOk(TestPlayer.delete(post))
    let later = try taker.read(copy)
    #expect(later.takenFrom.authorID == authorID && later.takenFrom.planID.isEmpty)
    try author.expectOk(.deleteAccount(TestPlayer.deleteAccount()))
    let left = try taker.read(copy)
    #expect(!left.hasTakenFrom, "the answer to a deletion comes when all is gone")
    #expect(left.titles == ["하나", "셋", "둘"])
  }

  @Test("Plans are listed without their stops, the newest first")
  func lists() throws {
    let author = try server.player("가람")
    #expect(try author.plans() == [])
    for number in 1...5 { _ = try author.plan("\(number)") }
    #expect(try author.plans() == ["5", "4", "3", "2", "1"])
    var plan = try author.plan("6")
    try author.change(&plan, TestPlayer.addStop("하나", to: plan))
    guard case .plans(let page) = try author.request(.listPlans(WireListPlans())) else { throw TestFailure("no page") }
    #expect(page.plans.count == 6 && page.plans[0].stops.isEmpty && page.plans[0].stopCount == 1)
    #expect(page.nextCursor.isEmpty)
    #expect(try server.player("나래").plans() == [])
  }

  @Test("The longest plan there can be is answered whole", arguments: [Subprotocol.json, .proto])
  func longest(subprotocol: Subprotocol) throws {
    let author = try server.player("가람", subprotocol)
    var plan = try author.plan()
    // Bytes that JSON escapes, so that each takes two.
    let text = String(repeating: "\"\n", count: 480) + "\""
    for number in 0..<PlanRules.stopsMax {
      // Slower than the budgets of changes and of stored bytes.
      if number % 20 == 0 { try server.pass(seconds: 20, author) }
      let isLong = number < 67
      try author.change(&plan, TestPlayer.addStop(isLong ? "가" : "나", to: plan) { if isLong { $0.text = text } })
    }
    try server.pass(seconds: 30, author)
    #expect(try author.read(plan) == plan && plan.stopCount == 200)
    #expect(try author.refusal(of: TestPlayer.addStop("또", to: plan)).code == .tooManyStops)
    let long = TestPlayer.editStop(plan.stops[199].stopID, of: plan) { $0.text = String(repeating: "a", count: 1_000) }
    #expect(try author.refusal(of: long).code == .stopsTooLong)
    var (message, bytes) = (WireServerMessage(), [UInt8]())
    message.plan = plan
    Subprotocol.json.append(message, to: &bytes)
    #expect(bytes.count > 128 * 1_024 && bytes.count < 200 * 1_024)
  }

  @Test("What is answered survives a crash")
  func crash() throws {
    let author = try TestPlayer(port: server.port)
    let token = try author.hello("가람").sessionToken
    var plan = try author.plan()
    try author.change(&plan, TestPlayer.addStop("하나", to: plan))
    let again = try server.crash()
    let back = try TestPlayer(port: again.port)
    _ = try back.resume(token)
    #expect(try back.read(plan) == plan)
    try back.change(&plan, TestPlayer.addStop("둘", to: plan))
    #expect(plan.version == 3)
  }

  @Test("A muted player writes no plans and stops, and may move and delete them")
  func muted() throws {
    let player = try TestPlayer(port: server.port)
    let id = try #require(PlayerID(try player.hello("나래").playerID))
    var plan = try player.plan()
    try player.change(&plan, TestPlayer.addStop("하나", to: plan))
    #expect(server.perform(.mute(id, for: nil, reason: "")).isDone)
    let stop = plan.stops[0].stopID
    for body in [
      .writePlan(TestPlayer.writePlan()), TestPlayer.editPlan(plan) { $0.title = "다시" },
      TestPlayer.addStop("둘", to: plan), TestPlayer.editStop(stop, of: plan) { $0.title = "둘" },
    ] {
      #expect(try player.refusal(of: body).code == .muted)
    }
    try player.change(&plan, TestPlayer.moveStop(stop, of: plan, to: "2026-12-25"))
    try player.change(&plan, TestPlayer.deleteStop(stop, of: plan))
    try player.expectOk(TestPlayer.delete(plan))
  }
}
