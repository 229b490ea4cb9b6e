// Capsules over real sockets: buried, listed, told while one walks, opened at their place alone, and changed by their
// owner.
import Game
import MadangProtocol
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite struct CapsulesTests {
  private let server: TestServer

  init() throws {
    server = try TestServer(shards: 2)
  }

  /// A player who watches places and has sent two believed fixes.
  private func walker(_ name: String, atM northM: Double) throws -> TestPlayer {
    try walkerWithID(name, atM: northM).player
  }

  private func walkerWithID(_ name: String, atM northM: Double) throws -> (player: TestPlayer, id: String) {
    let player = try TestPlayer(port: server.port)
    let id = try player.hello(name).playerID
    try player.watchPlaces()
    for _ in 0..<2 {
      server.clock.advance(seconds: 1)
      _ = try player.walk(toM: northM)
    }
    return (player, id)
  }

  /// Walks on, 5 m a second, while others stand still and answer pings.
  private func walk(_ player: TestPlayer, fromM: Int, toM: Int, beside others: TestPlayer...) throws {
    for northM in stride(from: fromM, through: toM, by: fromM < toM ? 5 : -5) {
      server.clock.advance(seconds: 1)
      _ = server.report()
      for other in others { try other.pump() }
      _ = try player.walk(toM: Double(northM))
    }
  }

  @Test("A capsule is green within 100 m, opens there alone, and counts each player once, its owner never")
  func opening() throws {
    let owner = try walker("가람", atM: 0)
    let capsule = try owner.bury(atM: 0) { $0.everyone = true }
    #expect(capsule.title == "첫눈" && capsule.memoryDate == "2026-01-12" && capsule.opens == 0 && capsule.everyone)
    #expect(try owner.openables() == ["첫눈"], "the owner stands at it")
    let player = try walker("나래", atM: 300)
    #expect(try !player.hasOpenables())
    #expect(try player.openRefusal(capsule) == .outOfReach)
    try walk(player, fromM: 295, toM: 105, beside: owner)
    #expect(try !player.hasOpenables())
    #expect(try player.openRefusal(capsule) == .outOfReach, "105 m")
    try walk(player, fromM: 100, toM: 90, beside: owner)
    #expect(try player.openables() == ["첫눈"])
    let opened = try player.open(capsule)
    #expect(opened.text == "여기 있었다." && opened.first && opened.capsule.opens == 1 && opened.capsule.opened)
    let again = try player.open(capsule)
    #expect(!again.first && again.capsule.opens == 1 && again.text == opened.text)
    _ = try owner.walk(toM: 0)
    let own = try owner.open(capsule)
    #expect(!own.first && own.capsule.opens == 1 && !own.capsule.opened)
    try walk(player, fromM: 95, toM: 120)
    #expect(try player.closedCapsules() == [capsule.capsuleID])
    #expect(try player.openRefusal(capsule) == .outOfReach)
  }

  @Test("A fix opens for 30 s; one that is late, mocked or of a suspect player opens nothing")
  func fixes() throws {
    let owner = try walker("가람", atM: 0)
    let capsule = try owner.bury(atM: 0) { $0.everyone = true }
    let player = try server.player("나래")
    #expect(try player.openRefusal(capsule) == .fixNeeded, "without a watch")
    try player.watchPlaces()
    #expect(try player.openRefusal(capsule) == .fixNeeded)
    _ = try player.walk(toM: 10)
    #expect(try player.open(capsule).first)
    try server.pass(seconds: 30, player, owner)
    #expect(try !player.open(capsule).first)
    try server.pass(seconds: 1, player, owner)
    #expect(try player.openRefusal(capsule) == .fixNeeded)
    // A fix of 40 s ago is believed, and too old.
    try server.pass(seconds: 40, player, owner)
    var late = TestPlayer.move(TestFences.place(northM: 10).latE7, TestFences.origin.lngE7)
    late.timeMs = server.clock.now().milliseconds - 40_000
    #expect(try player.tell([late]).accepted == 1)
    #expect(try player.openRefusal(capsule) == .fixNeeded)
    let forger = try server.player("forger")
    try forger.watchPlaces()
    for _ in 0..<3 {
      try server.passSecond()
      var mocked = TestPlayer.move(TestFences.origin.latE7, TestFences.origin.lngE7)
      mocked.mocked = true
      _ = try forger.request(.move(mocked))
      #expect(try forger.openRefusal(capsule) == .positionNotBelieved)
    }
    try server.passSecond()
    _ = try forger.walk(toM: 0)
    #expect(try forger.openRefusal(capsule) == .positionNotBelieved)
    #expect(try owner.listed(.own).map(\.opens) == [1])
  }

  @Test("Nobody but those it is shared with sees a capsule, and it does not exist for others")
  func visibility() throws {
    let owner = try walker("가람", atM: 0)
    let (friend, friendID) = try walkerWithID("나래", atM: 0)
    let stranger = try walker("다온", atM: 0)
    let capsule = try owner.bury(atM: 0)
    for player in [friend, stranger] {
      #expect(try player.openRefusal(capsule) == .capsuleNotFound)
      #expect(try player.list(.everyone).isEmpty && player.list(.shared).isEmpty)
    }
    var share = WireShareCapsule()
    share.capsuleID = capsule.capsuleID
    share.withPlayers = [friendID, String(repeating: "7", count: 32)]
    guard case .capsule = try owner.request(.shareCapsule(share)) else { throw TestFailure("no capsule") }
    #expect(try friend.list(.shared) == ["첫눈"] && stranger.list(.shared).isEmpty)
    #expect(try friend.open(capsule).text == "여기 있었다.")
    #expect(try stranger.openRefusal(capsule) == .capsuleNotFound)
    #expect(try friend.listed(.shared).allSatisfy { $0.ownerID.isEmpty && !$0.hasOpens && $0.opened })
    var leave = WireLeaveCapsule()
    leave.capsuleID = capsule.capsuleID
    try friend.expectOk(.leaveCapsule(leave))
    #expect(try friend.list(.shared).isEmpty && friend.openRefusal(capsule) == .capsuleNotFound)
    _ = try owner.request(.shareCapsule(share))
    #expect(try friend.list(.shared) == ["첫눈"])
    share.withPlayers = []
    share.withoutPlayers = [friendID]
    _ = try owner.request(.shareCapsule(share))
    #expect(try friend.openRefusal(capsule) == .capsuleNotFound)
    // Nobody but the owner changes it.
    var delete = WireDeleteCapsule()
    delete.capsuleID = capsule.capsuleID
    #expect(try stranger.refusal(of: .deleteCapsule(delete)).code == .capsuleNotFound)
    var edit = WireEditCapsule()
    edit.capsuleID = capsule.capsuleID
    edit.text = "mine"
    #expect(try stranger.refusal(of: .editCapsule(edit)).code == .capsuleNotFound)
    share.withoutPlayers = []
    share.everyone = true
    #expect(try stranger.refusal(of: .shareCapsule(share)).code == .capsuleNotFound)
    #expect(try owner.open(capsule).text == "여기 있었다.")
    try owner.expectOk(.deleteCapsule(delete))
    #expect(try owner.openRefusal(capsule) == .capsuleNotFound && owner.list(.own).isEmpty)
  }

  @Test("A mocked fix behind a believed one opens nothing, and neither does a jump that the filter has come to believe")
  func forged() throws {
    let owner = try walker("가람", atM: 0)
    let capsule = try owner.bury(atM: 0) { $0.everyone = true }
    let far = try owner.bury(atM: 8_000) {
      $0.everyone = true
      $0.title = "먼 곳"
    }
    let forger = try walker("forger", atM: 0)
    var mocked = TestPlayer.move(TestFences.origin.latE7, TestFences.origin.lngE7)
    mocked.mocked = true
    try server.passSecond()
    _ = try forger.request(.move(mocked))
    #expect(try forger.openRefusal(capsule) == .positionNotBelieved)
    try server.passSecond()
    _ = try forger.walk(toM: 0)
    #expect(try forger.open(capsule).first)
    // A first long jump is set aside: no finding, but what it names has the code of what is not believed.
    try server.pass(seconds: 1, forger, owner)
    #expect(try forger.walk(toM: 8_000).setAside == 1)
    #expect(try forger.openRefusal(far) == .positionNotBelieved)
    #expect(try !forger.open(capsule).first, "the place before the jump is believed still")
    // Ten fixes over 10 s that agree are accepted elsewhere; they open nothing before the way could have been walked.
    var accepted: UInt32 = 0
    for _ in 0..<60 {
      try server.pass(seconds: 1, forger, owner)
      accepted += try forger.walk(toM: 8_000).accepted
    }
    #expect(accepted > 40)
    #expect(try forger.openRefusal(far) == .positionNotBelieved)
    #expect(try forger.allOpenables() == ["첫눈"])
    // 8 km at 12.5 m/s are 640 s.
    for _ in 0..<60 {
      try server.pass(seconds: 10, forger, owner)
      _ = try forger.walk(toM: 8_000)
    }
    #expect(try forger.open(far).first)
  }

  @Test("A capsule for a room is for those who are in it when it is buried")
  func room() throws {
    let owner = try walker("가람", atM: 0)
    #expect(try owner.buryRefusal { $0.withRoom = true } == .notInRoom)
    let code = try owner.createRoom().code
    let inside = try walker("나래", atM: 0)
    _ = try inside.joinRoom(code)
    let capsule = try owner.bury(atM: 0) { $0.withRoom = true }
    let later = try walker("다온", atM: 0)
    _ = try later.joinRoom(code)
    #expect(try inside.list(.shared) == ["첫눈"] && later.list(.shared).isEmpty)
    try inside.expectOk(.leaveRoom(WireLeaveRoom()))
    #expect(try inside.open(capsule).first)
    #expect(try later.openRefusal(capsule) == .capsuleNotFound)
  }

  @Test("An edited capsule opens at its new place, with its new text")
  func editing() throws {
    let owner = try walker("가람", atM: 0)
    let capsule = try owner.bury(atM: 0) { $0.everyone = true }
    _ = try owner.openables()
    var edit = WireEditCapsule()
    edit.capsuleID = capsule.capsuleID
    edit.title = "봄"
    edit.text = "다시"
    edit.latE7 = TestFences.place(northM: 400).latE7
    edit.lngE7 = TestFences.origin.lngE7
    guard case .capsule(let edited) = try owner.request(.editCapsule(edit)) else { throw TestFailure("no capsule") }
    #expect(edited.title == "봄" && edited.memoryDate == capsule.memoryDate && edited.latE7 == edit.latE7)
    #expect(try owner.closedCapsules() == [capsule.capsuleID])
    #expect(try owner.openRefusal(capsule) == .outOfReach)
    try walk(owner, fromM: 5, toM: 320)
    #expect(try owner.openables() == ["봄"])
    #expect(try owner.open(capsule).text == "다시")
  }

  @Test("Each fault of a capsule has its own code, and nothing is half-kept")
  func faults() throws {
    let owner = try walker("가람", atM: 0)
    #expect(try owner.buryRefusal { $0.title = "" } == .textEmpty)
    #expect(try owner.buryRefusal { $0.title = " \u{3000} " } == .textEmpty)
    #expect(try owner.buryRefusal { $0.title = String(repeating: "가", count: 16) } == .textTooLong)
    #expect(try owner.buryRefusal { $0.title = "a\nb" } == .outOfRange)
    #expect(try owner.buryRefusal { $0.text = "" } == .textEmpty)
    #expect(try owner.buryRefusal { $0.text = String(repeating: "a", count: 1_001) } == .textTooLong)
    #expect(try owner.buryRefusal { $0.text = "a\u{0}b" } == .outOfRange)
    #expect(try owner.buryRefusal { $0.pictures = Array(repeating: "x", count: 11) } == .tooManyPictures)
    #expect(try owner.buryRefusal { $0.pictures = [String(repeating: "a", count: 32)] } == .mediaNotFound)
    #expect(try owner.buryRefusal { $0.memoryDate = "2999-01-01" } == .dateAhead)
    for date in ["", "2026-02-30", "2026-1-1", "26-01-01", "2026-13-01", "2026-00-10", "-026-01-01", "2026-01-01 "] {
      #expect(try owner.buryRefusal { $0.memoryDate = date } == .outOfRange, "\(date)")
    }
    #expect(try owner.buryRefusal { $0.clearLatE7() } == .outOfRange)
    #expect(try owner.buryRefusal { $0.latE7 = 850_000_001 } == .outOfRange)
    #expect(try owner.buryRefusal { $0.lngE7 = .min } == .outOfRange)
    #expect(try owner.buryRefusal { $0.withPlayers = ["nobody"] } == .outOfRange)
    #expect(try owner.list(.own).isEmpty)
    var open = WireOpenCapsule()
    open.capsuleID = "none"
    #expect(try owner.refusal(of: .openCapsule(open)).code == .capsuleNotFound)
    // The longest that a message has room for.
    _ = try owner.bury(atM: 0) { $0.text = String(repeating: "가", count: 1_000) }
    #expect(try owner.list(.own) == ["첫눈"])
  }

  @Test("Lists come in pages of each sort, maps with clusters, and highlights with those that stand out")
  func lists() throws {
    let owner = try walker("가람", atM: 0)
    for number in 0..<12 {
      _ = try owner.bury(atM: Double(number) * 1_000) {
        $0.title = "\(number)"
        $0.memoryDate = "2026-01-\(number < 9 ? "0" : "")\(number + 1)"
      }
    }
    let numbers = (0..<12).map { "\($0)" }
    for (sort, expected) in [(WireCapsuleSort.nearest, numbers), (.oldest, numbers)] {
      #expect(try owner.list(.own, sort) == expected)
    }
    for sort in [WireCapsuleSort.furthest, .latest] { #expect(try owner.list(.own, sort) == numbers.reversed()) }
    var highlights = WireCapsuleHighlightsRequest()
    highlights.latE7 = TestFences.origin.latE7
    highlights.lngE7 = TestFences.origin.lngE7
    guard case .capsuleHighlights(let found) = try owner.request(.capsuleHighlights(highlights)) else {
      throw TestFailure("no highlights")
    }
    #expect(found.nearest.title == "0" && found.furthest.title == "11")
    #expect(found.newest.title == "11" && found.oldest.title == "0")
    var map = WireCapsuleMapRequest()
    map.southE7 = TestFences.place(northM: 1_500).latE7
    map.northE7 = TestFences.place(northM: 3_500).latE7
    map.westE7 = TestFences.origin.lngE7 - 100_000
    map.eastE7 = TestFences.origin.lngE7 + 100_000
    guard case .capsuleMap(let shown) = try owner.request(.capsuleMap(map)) else { throw TestFailure("no map") }
    #expect(Set(shown.capsules.map(\.title)) == ["2", "3"] && shown.clusters.isEmpty)
    map.clearNorthE7()
    #expect(try owner.refusal(of: .capsuleMap(map)).code == .outOfRange)
    var list = WireListCapsules()
    list.cursor = "nothing"
    #expect(try owner.refusal(of: .listCapsules(list)).code == .outOfRange)
    try owner.send(text: #"{"id":900,"listCapsules":{"scope":"MINE"}}"#)
    guard case .error(let error) = try owner.reply(to: 900) else { throw TestFailure("no error") }
    #expect(error.code == .malformed)
  }

  @Test("What is acknowledged survives a crash: capsules, openings and their counts")
  func crash() throws {
    let secret = "secret of the owner's device"
    let owner = try TestPlayer(port: server.port)
    try owner.hello("가람", secret: secret)
    try owner.watchPlaces()
    _ = try owner.walk(toM: 0)
    let capsule = try owner.bury(atM: 0) { $0.everyone = true }
    let player = try walker("나래", atM: 10)
    #expect(try player.open(capsule).first)
    let again = try server.crash(downFor: 60)
    let back = try TestPlayer(port: again.port)
    try back.hello("가람", secret: secret)
    try back.watchPlaces()
    // Presences are in memory alone: the first fix is a new beginning.
    #expect(try back.openRefusal(capsule) == .fixNeeded)
    _ = try back.walk(toM: 0)
    let opened = try back.open(capsule)
    #expect(opened.text == "여기 있었다." && opened.capsule.opens == 1)
  }

  @Test("A deleted player's capsules are gone, and so is what was shared with them")
  func deletion() throws {
    let owner = try walker("가람", atM: 0)
    let friend = try walker("나래", atM: 0)
    let capsule = try owner.bury(atM: 0) { $0.everyone = true }
    let kept = try friend.bury(atM: 0) { $0.everyone = true }
    #expect(try owner.open(kept).first && friend.open(capsule).first)
    try owner.expectOk(.deleteAccount(TestPlayer.deleteAccount()))
    #expect(try friend.openRefusal(capsule) == .capsuleNotFound)
    #expect(try friend.list(.everyone) == ["첫눈"])
    #expect(try friend.open(kept).capsule.opens == 1, "an opening counts on")
  }

  @Test("While the store fails nothing is buried or opened, and nothing is told that is not written")
  func storeFails() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let player = try server.player("가람")
    try player.watchPlaces()
    _ = try player.walk(toM: 0)
    let capsule = try player.bury(atM: 0)
    store.fail(with: .full)
    // Another player's change meets the fault first.
    let other = try TestPlayer(port: server.port)
    try other.send(.hello(TestPlayer.hello("나래")), id: 1)
    while store.failedCount == 0 { _ = server.report() }
    #expect(try player.buryRefusal { _ in } == .storeUnavailable)
    #expect(try player.openRefusal(capsule) == .storeUnavailable)
    store.fail(with: nil)
    try server.pass(seconds: 5, player)
    #expect(try player.list(.own) == ["첫눈"])
  }
}
