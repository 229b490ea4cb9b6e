// A machine's clock that is far from the last commit when the server starts: the server serves, nothing expires, and
// the operator is alerted until the clock is accepted.
import Game
import Gateway
import MadangProtocol
import Net
import Server
import Store
import StoreDoubles
import Synchronization
import TestSupport
import Testing

@Suite("Suspect clocks")
struct ClockTests {
  private static let day: Int64 = 86_400
  private let record = MemoryClockRecord()
  private let notifications = ClockNotifications()
  private let secret = "the secret of a phone"

  private func server(_ store: any Store, _ clock: ManualClock, accepts: Bool = false) throws -> TestServer {
    try TestServer(store: store, clock: clock) { [record, notifications] in
      $0.gateway.clockRecord = record
      $0.gateway.acceptsClock = accepts
      $0.notifyOperator = { notifications.take($0) }
    }
  }

  /// A server whose machine's clock is ahead of the store by this many seconds, or behind it.
  private func restart(_ store: any Store, ahead seconds: Int64, accepts: Bool = false) throws -> TestServer {
    let last = try #require(try store.lastAliveAt)
    let start = Timestamp(milliseconds: last.milliseconds + max(0, seconds) * 1_000)
    return try server(store, ManualClock(start, leadSeconds: max(0, -seconds)), accepts: accepts)
  }

  /// Lets maintenance run, and waits for its notification.
  private func awaitNotification(_ expected: OperatorNotification, _ server: TestServer) throws {
    for _ in 0..<100_000 {
      if notifications.all.contains(expected) { return }
      server.clock.advance(seconds: 1)
      _ = server.report()
    }
    throw TestFailure("never notified: \(expected)")
  }

  /// Begins a server on the store and leaves a player's session there.
  private func session(_ store: any Store) throws -> (id: PlayerID, token: String) {
    let server = try server(store, ManualClock())
    let welcome = try TestPlayer(port: server.port).hello("가람", secret: secret)
    server.stop()
    return (try #require(PlayerID(welcome.playerID)), welcome.sessionToken)
  }

  private func suspicion(_ store: any Store, ahead seconds: Int64) throws -> (clock: Instant, lastTrusted: Instant) {
    let last = try #require(try store.lastAliveAt)
    return (last + .seconds(seconds), last)
  }

  @Test("A clock within a week ahead and an hour behind is trusted, and any clock of a new store")
  func believed() throws {
    let store = MemoryStore()
    _ = try session(store)
    for seconds in [0, 7 * Self.day, -3_600] {
      let server = try restart(store, ahead: seconds)
      #expect(server.report().isCommitted)
      server.stop()
    }
    #expect(notifications.suspicions.isEmpty)
    #expect(try record.read() == nil)
  }

  @Test(
    "Far ahead: sessions, bans and mutes do not expire until the clock is accepted",
    arguments: TestStore.Kind.allCases
  )
  func ahead(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let (id, token) = try session(kept.store)
    var server = try restart(kept.store, ahead: 0)
    let muted = try TestPlayer(port: server.port).helloID("나래", secret: "another secret of a phone")
    let banned = try TestPlayer(port: server.port).helloID("다솜", secret: "a third secret of a phone")
    #expect(server.perform(.mute(muted, for: .seconds(60), reason: "")).isDone)
    #expect(server.perform(.ban(banned, for: .seconds(60), reason: "")).isDone)
    server.stop()
    let expected = try suspicion(kept.store, ahead: 40 * Self.day)

    server = try restart(kept.store, ahead: 40 * Self.day)
    // Maintenance forgets nothing that it otherwise would.
    server.clock.advance(seconds: 11)
    try awaitSuspicion(expected, server)
    #expect(try record.read() == .suspect(lastTrusted: expected.lastTrusted))
    let player = try TestPlayer(port: server.port)
    #expect(try player.resume(token).playerID == id.description)
    let mutedPlayer = try TestPlayer(port: server.port)
    _ = try mutedPlayer.hello("나래", secret: "another secret of a phone")
    _ = try mutedPlayer.createRoom()
    #expect(try mutedPlayer.refusal(of: .chat(TestPlayer.chat("안녕"))).code == .muted)
    let bannedHello = TestPlayer.hello("다솜", secret: "a third secret of a phone")
    #expect(try TestPlayer(port: server.port).refusal(of: .hello(bannedHello)).code == .banned)
    // A new term lasts from now on, whichever clock is right.
    #expect(server.perform(.ban(id, for: .seconds(3_600), reason: "")).isDone)
    #expect(try TestPlayer(port: server.port).refusal(of: .resume(TestPlayer.resume(token))).code == .banned)

    try record.write(.accepted(at: expected.clock, lead: .zero))
    try awaitNotification(.gateway(.clockAccepted), server)
    #expect(try TestPlayer(port: server.port).hello("다솜", secret: "a third secret of a phone").hasPlayer)
    let last = try TestPlayer(port: server.port).refusal(of: .hello(TestPlayer.hello("가람", secret: secret)))
    #expect(last.code == .banned && last.retryAfterMs <= 3_600_000, "still banned, by the clock")
    server.clock.advance(seconds: 3_600)
    #expect(try TestPlayer(port: server.port).hello("가람", secret: secret).playerID == id.description)
    server.stop()
    // The clock stays accepted.
    let suspicions = notifications.suspicions.count
    server = try restart(kept.store, ahead: 60)
    try pass(server)
    #expect(notifications.suspicions.count == suspicions)
    server.stop()
  }

  private func awaitSuspicion(_ expected: (clock: Instant, lastTrusted: Instant), _ server: TestServer) throws {
    for _ in 0..<100_000 where notifications.suspicions.isEmpty { _ = server.report() }
    #expect(notifications.suspicions.map(\.clock) == [expected.clock])
    #expect(notifications.suspicions.map(\.lastTrusted) == [expected.lastTrusted])
  }

  private func pass(_ server: TestServer) throws {
    for _ in 0..<12 {
      server.clock.advance(seconds: 1)
      _ = try server.report { $0.isCommitted }
    }
  }

  @Test(
    "A session that was unused for a month expires only after the clock is accepted",
    arguments: TestStore.Kind.allCases
  )
  func session(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let (id, token) = try session(kept.store)
    var server = try restart(kept.store, ahead: 80 * Self.day)
    try pass(server)
    #expect(try TestPlayer(port: server.port).hello("나래", secret: "another secret of a phone").hasPlayer, "a commit")
    server.stop()
    // The commit alone would make the same clock look right.
    server = try restart(kept.store, ahead: 0)
    try pass(server)
    #expect(notifications.suspicions.count == 2 && Set(notifications.suspicions.map(\.lastTrusted)).count == 1)
    let resumed = try TestPlayer(port: server.port).resume(token)
    #expect(resumed.playerID == id.description)
    server.stop()
  }

  @Test("After the clock is accepted, an expired session is refused", arguments: [false, true])
  func expired(byFlag: Bool) throws {
    let store = MemoryStore()
    let (_, token) = try session(store)
    let clock = try suspicion(store, ahead: 40 * Self.day).clock
    if !byFlag { try record.write(.accepted(at: clock, lead: .zero)) }
    let server = try restart(store, ahead: 40 * Self.day, accepts: byFlag)
    #expect(notifications.suspicions.isEmpty)
    let late = try TestPlayer(port: server.port).refusal(of: .resume(TestPlayer.resume(token)))
    // Maintenance may have forgotten the guest already.
    #expect([.sessionExpired, .badToken].contains(late.code))
  }

  @Test(
    "A corrected clock is trusted, and sanctions expire by it, although commits have later times"
  )
  func setRight() throws {
    let store = MemoryStore()
    let (id, token) = try session(store)
    var server = try restart(store, ahead: 400 * Self.day)
    let guest = try TestPlayer(port: server.port).hello("나래", secret: "another secret of a phone")
    #expect(guest.hasPlayer)
    server.stop()
    server = try restart(store, ahead: -399 * Self.day)
    #expect(notifications.suspicions.count == 1)
    #expect(try TestPlayer(port: server.port).resume(token).playerID == id.description)
    // A ban has its proper length, after one more start too.
    #expect(server.perform(.ban(id, for: .seconds(600), reason: "")).isDone)
    server.clock.advance(seconds: 599)
    let refused = try TestPlayer(port: server.port).refusal(of: .resume(TestPlayer.resume(token)))
    #expect(refused.code == .banned && refused.retryAfterMs <= 1_000)
    server.clock.advance(seconds: 1)
    #expect(try TestPlayer(port: server.port).hello("가람", secret: secret).playerID == id.description)
    server.stop()
    server = try restart(store, ahead: -399 * Self.day)
    #expect(notifications.suspicions.count == 1)
    server.stop()
    server = try restart(store, ahead: -398 * Self.day)
    #expect(notifications.suspicions.count == 1, "it was down for a day")
    server.stop()
    server = try restart(store, ahead: -380 * Self.day)
    try pass(server)
    #expect(notifications.suspicions.count == 2, "a week is exceeded")
  }

  @Test("Far behind: nothing expires, new bans included; once accepted, the clock is trusted")
  func behind() throws {
    let store = MemoryStore()
    let (id, token) = try session(store)
    let expected = try suspicion(store, ahead: -7_200)
    var server = try restart(store, ahead: -7_200)
    try awaitSuspicion(expected, server)
    #expect(server.perform(.ban(id, for: .seconds(60), reason: "")).isDone)
    server.clock.advance(seconds: 3_000)
    #expect(try TestPlayer(port: server.port).refusal(of: .resume(TestPlayer.resume(token))).code == .banned)
    try record.write(.accepted(at: expected.clock, lead: .seconds(7_200)))
    try awaitNotification(.gateway(.clockAccepted), server)
    #expect(server.perform(.unban(id)).isDone)
    #expect(server.perform(.ban(id, for: .seconds(60), reason: "")).isDone)
    server.clock.advance(seconds: 61)
    #expect(try TestPlayer(port: server.port).hello("가람", secret: secret).playerID == id.description)
    server.stop()
    let suspicions = notifications.suspicions.count
    server = try restart(store, ahead: -7_200)
    try pass(server)
    #expect(notifications.suspicions.count == suspicions)
  }

  @Test("A suspicion is logged at once, then each hour, and a metric shows it until the clock is accepted")
  func alerts() throws {
    let store = StubbornStore()
    _ = try session(store)
    let last = try #require(try store.lastAliveAt) + .seconds(8 * Self.day)
    let operators = try TestOperators(store: store, clock: ManualClock(Timestamp(milliseconds: last.milliseconds))) {
      [record, notifications] in
      $0.gateway.clockRecord = record
      $0.notifyOperator = { notifications.take($0) }
    }
    let game = operators.game
    func maintain(after seconds: Int64) throws {
      game.clock.advance(seconds: seconds)
      for _ in 0..<2 {
        let before = store.maintenanceCount
        while store.maintenanceCount == before {
          game.clock.advance(milliseconds: 100)
          _ = game.report()
        }
      }
    }
    try maintain(after: 0)
    #expect(notifications.suspicions.count == 1)
    #expect(try operators.metrics()["madang_clock_suspect"] == 1)
    try maintain(after: 3_500)
    #expect(notifications.suspicions.count == 1)
    try maintain(after: 120)
    #expect(notifications.suspicions.count == 2)
    try record.write(.accepted(at: last, lead: .zero))
    try awaitNotification(.gateway(.clockAccepted), game)
    #expect(try operators.metrics()["madang_clock_suspect"] == 0)
    try maintain(after: 7_200)
    #expect(notifications.suspicions.count == 2)
  }

  @Test("A mark is read as it was written, and anything else is refused")
  func marks() {
    for mark in [
      ClockMark.suspect(lastTrusted: Instant(milliseconds: 1_790_000_000_123)),
      .accepted(at: Instant(milliseconds: 0), lead: .milliseconds(7)),
    ] {
      #expect(ClockMark("\(mark)\n") == mark)
    }
    for text in [
      "", "suspect", "suspect x", "suspect -1", "suspect 1 2", "accepted 1", "trusted 1", "suspect 9223372036854775807",
    ] {
      #expect(ClockMark(text) == nil, "\(text)")
    }
  }
}

/// The operator's notifications about the clock.
final class ClockNotifications: Sendable {
  private let notifications = Mutex<[OperatorNotification]>([])

  func take(_ notification: OperatorNotification) {
    switch notification {
    case .gateway(.clockSuspect), .gateway(.clockAccepted), .gateway(.clockRecordFails), .gateway(.clockRecordWorks):
      self.notifications.withLock { $0.append(notification) }
    default: break
    }
  }

  var all: [OperatorNotification] { notifications.withLock { $0 } }

  var suspicions: [ClockSuspicion] {
    all.compactMap { if case .gateway(.clockSuspect(let suspicion)) = $0 { suspicion } else { nil } }
  }
}
