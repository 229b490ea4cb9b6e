// School taps over crashes, failing and damaged stores, a second connection, the end of an account. A batch counts once
// all the same.
import Game
import MadangProtocol
import Server
import Store
import TestSupport
import Testing

@Suite struct TapLossTests {
  @Test("A batch lost by a crash before its commit counts when resent; a lost answer is repeated")
  func crash() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: TestSchools.store(in: store))
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("가람").sessionToken
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    _ = try player.tap(1, 7)
    store.hold()
    try player.send(.tap(TestPlayer.taps(2, 5)), id: 900)
    while store.heldCount == 0 { _ = server.report() }
    // The commit under way is lost with the server.
    store.forget()
    let second = try server.crash()
    let back = try TestPlayer(port: second.port)
    #expect(try back.resume(token).player.lastTapBatch == 1)
    let answer = try back.tap(2, 5)
    #expect(answer.myCount == 12 && answer.schoolCount == 12)
    let third = try second.crash()
    let again = try TestPlayer(port: third.port)
    #expect(try again.resume(token).player.lastTapBatch == 2)
    #expect(try again.tap(2, 5) == answer)
    #expect(try again.tap(3, 1).schoolCount == 13)
  }

  @Test("A batch resent on another shard before its commit counts once")
  func otherShard() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 2, store: TestSchools.store(in: store))
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("가람").sessionToken
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    store.hold()
    try player.send(.tap(TestPlayer.taps(1, 5)), id: 900)
    while store.heldCount == 0 { _ = server.report() }
    // One connection on each shard: the player was on one of them.
    let others = try (0..<2).map { _ in try TestPlayer(port: server.port) }
    var resume = WireResume()
    resume.sessionToken = token
    for other in others {
      try other.send(.resume(resume), id: 1)
      try other.send(.tap(TestPlayer.taps(1, 5)), id: 2)
      _ = server.report()
    }
    store.release()
    guard case .welcome(let welcome) = try others[1].reply(to: 1), case .tapped(let tapped) = try others[1].reply(to: 2)
    else { throw TestFailure("not counted") }
    #expect(welcome.player.lastTapBatch == 1 && tapped.myCount == 5 && tapped.schoolCount == 5)
    #expect(try others[1].tap(2, 1).schoolCount == 6)
  }

  @Test("A failing store refuses taps; taps accepted before count after its repair")
  func failure() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: TestSchools.store(in: store))
    let player = try server.tapper()
    store.fail(with: .full)
    try player.send(.tap(TestPlayer.taps(1, 5)), id: 900)
    while store.failedCount == 0 { _ = server.report() }
    while try player.refusal(of: .tap(TestPlayer.taps(1, 5))).code != .storeUnavailable {}
    store.fail(with: nil)
    while !player.inbox.contains(where: { $0.replyTo == 900 }) {
      server.clock.advance(milliseconds: 100)
      _ = server.report()
      try player.pump()
    }
    #expect(try player.tap(2, 5).schoolCount == 10)
    #expect(try server.crash().standings() == ["A1 10"])
  }

  @Test(
    "With unreadable records the rest counts, the operator is notified, and players continue from the remaining state"
  )
  func damage() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: TestSchools.store(in: store))
    let tokens = try (0..<40).map { number in
      let player = try TestPlayer(port: server.port)
      let token = try player.hello("\(number)").sessionToken
      try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
      return token
    }
    // So far everything is in rows; most of the next commit is in its records alone.
    server.stop()
    let second = try TestServer(shards: 1, store: store, clock: server.clock)
    let players = try tokens.map { try second.comeBack($0).player }
    store.hold()
    for player in players { try player.send(.tap(TestPlayer.taps(1, 5)), id: 900) }
    while store.heldCount == 0 || second.report().play.taps.batches < 40 {}
    store.release()
    for player in players { _ = try player.reply(to: 900) }
    store.damageTally()
    #expect(try Restoration(from: store).complaints.contains { $0.contains("segments of taps can't be read") })
    let third = try second.crash()
    let standings = try tokens.map { try third.comeBack($0) }
    let lost = standings.filter { $0.standing.lastTapBatch == 0 }.count
    #expect(lost > 0 && lost < 40)
    let (first, standing) = standings[39]
    let answer = try first.tap(standing.lastTapBatch + 1, 1)
    #expect(answer.myCount == standing.myCount + 1)
    // The damaged segment is not needed any more, and all sums agree.
    let fourth = try third.crash()
    #expect(try fourth.comeBack(tokens[39]).standing.myCount == answer.myCount)
    #expect(try Restoration(from: store).complaints.isEmpty)
    let recovered = try store.recoverTally()
    #expect(recovered.isWhole && recovered.tally.check().isEmpty)
    #expect(recovered.tally.ranking(of: 1).map(\.count) == [answer.schoolCount])
  }

  @Test("The deletion of an account keeps the totals and forgets the player")
  func deletion() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try TestPlayer(port: server.port)
    let secret = "a secret of sixteen bytes"
    let id = try player.hello("가람", secret: secret).playerID
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    _ = try player.tap(1, 7)
    try player.expectOk(.deleteAccount(TestPlayer.deleteAccount()))
    let stranger = try TestPlayer(port: server.port)
    let welcome = try stranger.hello("가람", secret: secret)
    #expect(welcome.playerID != id && welcome.player.schoolID.isEmpty && welcome.player.lastTapBatch == 0)
    #expect(try server.standings() == ["A1 7"])
    let restarted = try server.crash()
    #expect(try restarted.standings() == ["A1 7"])
    // Once all rows are written, no stored data names the player.
    restarted.stop()
    var players: [PlayerID?] = []
    var segments = 0
    try restarted.store.tally(rows: { players += $0.players.map(\.player) }, segments: { _ in segments += 1 })
    #expect(players == [nil] && segments == 0)
  }

  @Test(
    "The tally forgets a player in the commit that deletes the account: after an earlier crash both remain"
  )
  func deletionAtOnce() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: TestSchools.store(in: store))
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("가람").sessionToken
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    _ = try player.tap(1, 7)
    let other = try server.tapper()
    store.hold()
    try other.send(.tap(TestPlayer.taps(1, 1)), id: 900)
    while store.heldCount == 0 { _ = server.report() }
    try player.send(.deleteAccount(TestPlayer.deleteAccount()), id: 901)
    _ = server.report()
    // The commit under way is done, the one with the deletion is not.
    store.release(andHold: true)
    _ = try other.reply(to: 900)
    while store.heldCount == 0 { _ = server.report() }
    store.forget()
    let restarted = try server.crash()
    let standing = try restarted.comeBack(token).standing
    #expect(standing.schoolID == "A1" && standing.lastTapBatch == 1 && standing.myCount == 7)
  }
}
