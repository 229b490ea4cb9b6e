// School taps over the wire: counts, refusals with their codes, and batches that count once whatever is lost on the
// way.
import Dispatch
import Game
import MadangProtocol
import Server
import Store
import TestSupport
import Testing

@Suite struct TapsTests {
  private func refusal(_ player: TestPlayer, _ batch: UInt32, _ count: Int64) throws -> WireError {
    try player.refusal(of: .tap(TestPlayer.taps(batch, count)))
  }

  @Test(
    "Batches count for the player and the school, and the next welcome has the totals",
    arguments: Subprotocol.allCases
  )
  func counted(subprotocol: Subprotocol) throws {
    let server = try TestServer(store: TestSchools.store())
    let first = try TestPlayer(port: server.port, subprotocol: subprotocol)
    var welcome = try first.hello("가람", secret: "a secret of sixteen bytes")
    #expect(welcome.player.schoolID.isEmpty && welcome.player.lastTapBatch == 0 && welcome.player.myCount == 0)
    try first.expectOk(.chooseSchool(TestPlayer.school("A1")))
    let other = try server.tapper()
    #expect(try other.tap(1, 40).schoolCount == 40)
    let one = try first.tap(1, 37)
    #expect(one.batch == 1 && one.myCount == 37 && one.schoolCount == 77)
    #expect(try first.tap(2, 3).myCount == 40)
    let back = try TestPlayer(port: server.port, subprotocol: subprotocol)
    welcome = try back.hello("가람", secret: "a secret of sixteen bytes")
    #expect(welcome.player.schoolID == "A1" && welcome.player.lastTapBatch == 2 && welcome.player.myCount == 40)
    #expect(try back.tap(3, 1).schoolCount == 81)
  }

  @Test("Without a school, with an unknown one or a closed one nothing is counted")
  func schools() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try server.player("가람")
    #expect(try refusal(player, 1, 1).code == .schoolNeeded)
    for id in ["", "Q", "A1 ", "가", String(repeating: "A", count: 100)] {
      #expect(try player.refusal(of: .chooseSchool(TestPlayer.school(id))).code == .schoolNotFound, "\(id)")
    }
    #expect(try player.refusal(of: .chooseSchool(TestPlayer.school("Z"))).code == .schoolClosed)
    #expect(try refusal(player, 1, 1).code == .schoolNeeded)
  }

  @Test("A school closed by a newer edition takes no more taps, and counted batches are answered again")
  func closedMeanwhile() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("가람").sessionToken
    try player.expectOk(.chooseSchool(TestPlayer.school("A2")))
    let answer = try player.tap(1, 5)
    _ = try server.store.applySchools(TestSchools.schools(1), at: Instant(milliseconds: 2))
    let restarted = try server.crash()
    let back = try TestPlayer(port: restarted.port)
    #expect(try back.resume(token).player.schoolID == "A2")
    #expect(try back.tap(1, 5) == answer)
    #expect(try refusal(back, 2, 5).code == .schoolClosed)
    try back.expectOk(.chooseSchool(TestPlayer.school("A1")))
    #expect(try back.tap(2, 5).schoolCount == 5)
  }

  @Test("A repeated number gets its answer again, a lower one the totals, one too high the expected number")
  func numbers() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try server.tapper()
    let one = try player.tap(1, 10)
    let two = try player.tap(2, 20)
    #expect(try player.tap(2, 20) == two)
    // A repeated number gets the same answer, even with another count.
    #expect(try player.tap(2, 200) == two && player.tap(2, 0) == two)
    let past = try player.tap(1, 10)
    #expect(past.batch == 1 && past.myCount == 30 && past.schoolCount == 30 && one.myCount == 10)
    for batch: UInt32 in [4, .max] {
      let refusal = try refusal(player, batch, 1)
      #expect(refusal.code == .batchGap && refusal.expectedBatch == 3)
    }
    #expect(try player.tap(3, 1).schoolCount == 31)
  }

  @Test("The first batch is 1")
  func first() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try server.tapper()
    for batch: UInt32 in [0, 2] {
      let refusal = try refusal(player, batch, 1)
      #expect(refusal.code == .batchGap && refusal.expectedBatch == 1)
    }
  }

  @Test(
    "A count below 1 is out of range; one over 229 is abnormal, and its number used up",
    arguments: Subprotocol.allCases
  )
  func counts(subprotocol: Subprotocol) throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try server.tapper(subprotocol)
    for count: Int64 in [0, -1, .min] { #expect(try refusal(player, 1, count).code == .outOfRange, "\(count)") }
    for (batch, count) in [(1, 230), (2, .max)] as [(UInt32, Int64)] {
      #expect(try refusal(player, batch, count).code == .abnormalTaps)
      #expect(try refusal(player, batch, count).code == .abnormalTaps)
    }
    #expect(try player.tap(3, 229).schoolCount == 229)
    let play = server.report().play
    #expect(play.taps.abnormalBatches == 2)
    // The batches out of range, each abnormal one twice, and one that counted.
    #expect(play.taps.batches == 3 + 4 + 1)
    #expect(server.server.suspects.isEmpty)
  }

  @Test("Three abnormal batches in a minute make a suspect, shown to the operators")
  func suspects() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try TestPlayer(port: server.port)
    let id = try player.hello("가람").playerID
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    for batch in UInt32(1)...3 { #expect(try refusal(player, batch, 1_000).code == .abnormalTaps) }
    let suspect = try #require(server.server.suspects.first)
    #expect(suspect.player.description == id && suspect.abnormalCount == 3)
    #expect(try server.crash().server.suspects == [suspect])
  }

  @Test("Honest taps over the limit of five seconds wait for the reported time, and count under the same number")
  func tooFast() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try server.tapper()
    _ = try player.tap(1, 200)
    server.clock.advance(seconds: 1)
    let refusal = try refusal(player, 2, 30)
    #expect(refusal.code == .rateLimited && refusal.retryAfterMs == 4_000)
    server.clock.advance(milliseconds: 4_000)
    #expect(try player.tap(2, 30).myCount == 230)
  }

  @Test("The limits in PROTOCOL.md equal those of the rules")
  func limits() {
    #expect(Limits.batchTaps == 1...TapRules.tapsMax && Limits.tapsWindowSeconds * 1_000 == TapRules.windowMs)
    #expect(Limits.batchesPerSecond == TapRules.batchesMax && TapRules.batchWindowMs == 1_000)
  }

  @Test("At most five batches a second are accepted")
  func batches() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try server.tapper()
    for batch in UInt32(1)...5 { _ = try player.tap(batch, 1) }
    #expect(try refusal(player, 6, 1).retryAfterMs == 1_000)
    server.clock.advance(seconds: 1)
    _ = try player.tap(6, 1)
  }

  @Test(
    "A change of school sets the player's count to 0, the old school keeps its total; ten changes a minute are allowed"
  )
  func change() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try server.tapper()
    _ = try player.tap(1, 10)
    try player.expectOk(.chooseSchool(TestPlayer.school("A2")))
    let second = try player.tap(2, 5)
    #expect(second.myCount == 5 && second.schoolCount == 5)
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    let third = try player.tap(3, 1)
    #expect(third.myCount == 1 && third.schoolCount == 11)
    for _ in 4...10 { try player.expectOk(.chooseSchool(TestPlayer.school("A1"))) }
    let refusal = try player.refusal(of: .chooseSchool(TestPlayer.school("A2")))
    #expect(refusal.code == .rateLimited && refusal.retryAfterMs > 0)
    #expect(try player.tap(4, 1).myCount == 2)
  }

  @Test("While a batch waits for its commit the next one is refused, and no answer is sent")
  func oneAtATime() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: TestSchools.store(in: store))
    let player = try server.tapper()
    store.hold()
    try player.send(.tap(TestPlayer.taps(1, 5)), id: 900)
    let refusal = try refusal(player, 2, 5)
    #expect(refusal.code == .rateLimited && refusal.retryAfterMs > 0)
    #expect(!player.inbox.contains { $0.replyTo == 900 })
    store.release()
    guard case .tapped(let tapped) = try player.reply(to: 900) else { throw TestFailure("not tapped") }
    #expect(tapped.myCount == 5)
    #expect(try player.tap(2, 5).myCount == 10)
  }

  @Test("A closed season is stored with its ranking, and the next begins at zero")
  func seasons() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try server.tapper()
    _ = try player.tap(1, 7)
    #expect(server.perform(.closeSeason(1)).isDone)
    let closing = try #require(try server.store.finalRanking(of: 1))
    #expect(closing.season == 1 && closing.ranking.map(\.count) == [7])
    let second = try player.tap(2, 3)
    #expect(second.myCount == 3 && second.schoolCount == 3)
    let restarted = try server.crash()
    #expect(try restarted.standings() == ["A1 3"])
    #expect(restarted.perform(.closeSeason(2)).isDone)
  }

  @Test("Voided taps are subtracted from the total at once, over a restart too, and only once")
  func void() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try TestPlayer(port: server.port)
    let id = try #require(PlayerID(player.hello("가람").playerID))
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    let other = try server.tapper()
    _ = try other.tap(1, 4)
    _ = try player.tap(1, 7)
    #expect(
      server.perform(.voidTaps(id, season: 1)) == .done("7 taps of season 1 are taken out of the schools' totals")
    )
    #expect(!server.perform(.voidTaps(id, season: 1)).isDone)
    #expect(try server.standings() == ["A1 4"])
    let restarted = try server.crash()
    #expect(try restarted.standings() == ["A1 4"])
  }

  private func wait<Value: Sendable>(_ action: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
    let box = Box<Value>()
    action { box.put($0) }
    return box.take()
  }
}
