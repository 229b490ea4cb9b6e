// The clock's record can't be read or written for a while: the server starts and serves, reports it, lets nothing
// expire that it can't judge, and retries.
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

@Suite("Clock marks that can't be read or written")
struct ClockRecordTests {
  private static let day: Int64 = 86_400
  private let record = FailingClockRecord()
  private let notifications = ClockNotifications()
  private let secret = "the secret of a phone"

  /// A store with a player's session, the session's token, and the time of the last commit.
  private func store() throws -> (store: MemoryStore, token: String, last: Instant) {
    let store = MemoryStore()
    let server = try TestServer(store: store)
    let token = try TestPlayer(port: server.port).hello("가람").sessionToken
    server.stop()
    return (store, token, try #require(try store.lastAliveAt))
  }

  private func server(_ store: any Store, startingAt start: Instant) throws -> TestServer {
    try TestServer(store: store, clock: ManualClock(Timestamp(milliseconds: start.milliseconds))) {
      [record, notifications] in
      $0.gateway.clockRecord = record
      $0.notifyOperator = { notifications.take($0) }
    }
  }

  /// Lets maintenance run until the notifications fit.
  private func awaitNotification(_ server: TestServer, _ fits: ([OperatorNotification]) -> Bool) throws {
    for _ in 0..<100_000 {
      if fits(notifications.all) { return }
      server.clock.advance(seconds: 1)
      _ = server.report()
    }
    throw TestFailure("never notified, but \(notifications.all)")
  }

  @Test(
    "A failed write of a mark does not end the start: nothing expires, and the write is retried"
  )
  func unwritten() throws {
    let (store, token, last) = try store()
    let start = last + .seconds(40 * Self.day)
    // The mark of an operator who accepted another clock.
    try record.write(.accepted(at: last, lead: .zero))
    record.failWriting(true)
    let server = try server(store, startingAt: start)
    let failure = OperatorNotification.gateway(.clockRecordFails("can't write the mark", nothingExpires: false))
    try awaitNotification(server) { $0.contains(failure) }
    #expect(notifications.suspicions.map(\.lastTrusted) == [last])
    #expect(try TestPlayer(port: server.port).resume(token).hasPlayer)
    // Some runs later the mark is unchanged, and there was one notification.
    for _ in 0..<60 {
      server.clock.advance(seconds: 1)
      _ = server.report()
    }
    #expect(notifications.all.count == 2 && notifications.all.contains(failure))
    #expect(try record.read() == .accepted(at: last, lead: .zero))
    record.failWriting(false)
    try awaitNotification(server) { $0.contains(.gateway(.clockRecordWorks)) }
    #expect(try record.read() == .suspect(lastTrusted: last))
    #expect(notifications.all.count == 3)
    try record.write(.accepted(at: start, lead: .zero))
    try awaitNotification(server) { $0.contains(.gateway(.clockAccepted)) }
    server.stop()
  }

  @Test(
    "While the record can't be read nothing expires; afterwards a clock that was right at the start is trusted"
  )
  func unread() throws {
    let (store, _, last) = try store()
    record.failReading(true)
    let server = try server(store, startingAt: last)
    try awaitNotification(server) {
      $0.contains(.gateway(.clockRecordFails("can't read the mark", nothingExpires: true)))
    }
    let id = try TestPlayer(port: server.port).helloID("나래", secret: secret)
    #expect(server.perform(.ban(id, for: .seconds(60), reason: "")).isDone)
    server.clock.advance(seconds: 600)
    let hello = TestPlayer.hello("나래", secret: secret)
    #expect(try TestPlayer(port: server.port).refusal(of: .hello(hello)).code == .banned)
    record.failReading(false)
    try awaitNotification(server) { $0.contains(.gateway(.clockRecordWorks)) }
    #expect(try TestPlayer(port: server.port).hello("나래", secret: secret).playerID == id.description)
    #expect(notifications.suspicions.isEmpty)
    server.stop()
  }

  @Test("A record that becomes readable later is judged by the time of the start: a suspicion remains")
  func suspectLater() throws {
    let (store, token, last) = try store()
    try record.write(.suspect(lastTrusted: last - .seconds(400 * Self.day)))
    record.failReading(true)
    let server = try server(store, startingAt: last)
    try awaitNotification(server) { !$0.isEmpty }
    record.failReading(false)
    try awaitNotification(server) { _ in !notifications.suspicions.isEmpty }
    #expect(notifications.suspicions.map(\.lastTrusted) == [last - .seconds(400 * Self.day)])
    #expect(try TestPlayer(port: server.port).resume(token).hasPlayer)
    server.stop()
  }

  @Test("An acceptance that replaces an unreadable record is valid if it follows the start")
  func accepted() throws {
    let (store, _, last) = try store()
    let start = last + .seconds(40 * Self.day)
    record.failReading(true)
    let server = try server(store, startingAt: start)
    try awaitNotification(server) { !$0.isEmpty }
    try record.write(.accepted(at: start + .seconds(1), lead: .zero))
    record.failReading(false)
    try awaitNotification(server) { $0.contains(.gateway(.clockAccepted)) && $0.contains(.gateway(.clockRecordWorks)) }
    #expect(notifications.suspicions.isEmpty)
    server.stop()
  }
}

/// A record that can't be read or written while a test says so.
private final class FailingClockRecord: ClockRecord {
  private let inner = MemoryClockRecord()
  private let failsReading = Atomic<Bool>(false)
  private let failsWriting = Atomic<Bool>(false)

  func failReading(_ fails: Bool) {
    failsReading.store(fails, ordering: .relaxed)
  }

  func failWriting(_ fails: Bool) {
    failsWriting.store(fails, ordering: .relaxed)
  }

  func read() throws(ClockRecordFault) -> ClockMark? {
    guard !failsReading.load(ordering: .relaxed) else { throw ClockRecordFault("can't read the mark") }
    return try inner.read()
  }

  func write(_ mark: ClockMark?) throws(ClockRecordFault) {
    guard !failsWriting.load(ordering: .relaxed) else { throw ClockRecordFault("can't write the mark") }
    try inner.write(mark)
  }
}
