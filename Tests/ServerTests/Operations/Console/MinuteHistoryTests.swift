// The server's history of a day: minutes are told to consoles, outlast a restart, and have a bound.
import Foundation
import Game
import Net
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite("The server's history has a minute for each minute of the last day")
struct MinuteHistoryTests {
  /// Lets time pass until a console is told of the next minute, with a player answering pings.
  private func nextMinute(
    _ console: TestConsole,
    _ operators: TestOperators,
    _ player: TestPlayer? = nil
  ) throws -> [String: Any] {
    for _ in 0..<40 {
      operators.game.clock.advance(seconds: 5)
      // The looks before it are in the history when this one is answered.
      _ = try operators.stats()
      try player?.pump()
      try console.pump()
      if let message = console.take({ $0["minute"] != nil }) { return message.object("minute") }
    }
    throw TestFailure("no minute has ended")
  }

  private func minutes(_ console: TestConsole, _ members: String = "") throws -> [[String: Any]] {
    try console.ask("\"query\":\"minutes\"\(members.isEmpty ? "" : ",\(members)")").rows("minutes")
  }

  private func rows(_ operators: TestOperators, _ query: String = "") throws -> [[String: Any]] {
    let answer = try operators.ask("GET", "/v1/history\(query)")
    guard answer.status == 200 else { throw TestFailure("no history: \(answer.body)") }
    let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
    return object?.rows("rows") ?? []
  }

  @Test("A minute has the counts of that minute alone, and consoles and the API have the same ones")
  func figures() throws {
    let operators = try TestOperators()
    let console = try TestConsole(operators)
    #expect(try minutes(console).isEmpty)
    let first = try nextMinute(console, operators)
    #expect(first.int("players") == 0 && first.int("rooms") == 0 && first.int("received") == 0)
    #expect(first["latenessMs"] == nil, "nothing is known of no tick")
    #expect((first["commitMs"] == nil) == (first.int("commits") == 0))
    let host = try operators.game.player("host")
    _ = try host.createRoom()
    let second = try nextMinute(console, operators, host)
    #expect(second.int("players") == 1 && second.int("connections") == 1 && second.int("rooms") == 1)
    #expect(second.int("games") == 0 && second.int("received") == 2 && second.int("commits") ?? 0 > 0)
    #expect(second["commitMs"] as? Double ?? -1 >= 0 && second.int("residentBytes") ?? 0 > 1 << 20)
    let third = try nextMinute(console, operators, host)
    #expect(third.int("received") == 0 && third.int("players") == 1)
    let ends = [first, second, third].map { $0.int("atMs") ?? 0 }
    #expect(Set(ends.map { $0 / 60_000 }).count == 3 && ends == ends.sorted())
    #expect(ends[2] - ends[1] == third.int("spanMs"))

    #expect(try minutes(console).map { $0.int("atMs") } == ends)
    #expect(try minutes(console, "\"afterMs\":\(ends[0])").map { $0.int("atMs") } == Array(ends[1...]))
    #expect(try rows(operators).map { $0.int("atMs") } == ends)
    #expect(try rows(operators, "?afterMs=\(ends[1])").map { $0.int("received") } == [0])
    #expect(try operators.ask("GET", "/v1/history?afterMs=-1").status == 400)
    let fault = try console.ask("\"query\":\"minutes\",\"afterMs\":-1")
    #expect(fault.text("error") == "afterMs: milliseconds since 1970")
    withExtendedLifetime(host) {}
  }

  @Test("Minutes of before a restart are there, and the time between is a gap")
  func restart() throws {
    let store = MemoryStore()
    let before = try TestOperators(store: store)
    let console = try TestConsole(before)
    let kept = [try nextMinute(console, before), try nextMinute(console, before)].map { $0.int("atMs") ?? 0 }
    before.operators.stop()
    before.game.stop()
    let clock = before.game.clock
    clock.advance(seconds: 600)
    let after = try TestOperators(store: store, clock: clock)
    let again = try TestConsole(after)
    #expect(try rows(after).map { $0.int("atMs") } == kept)
    let next = try nextMinute(again, after).int("atMs") ?? 0
    #expect(next - kept[1] > 600_000)
    #expect(try minutes(again).map { $0.int("atMs") } == kept + [next])
  }

  @Test("Minutes that are recorded before the first question do not hide those of before the start")
  func lateQuestion() throws {
    let store = MemoryStore()
    let before = try TestOperators(store: store)
    let kept = try nextMinute(try TestConsole(before), before).int("atMs")
    before.operators.stop()
    before.game.stop()
    let after = try TestOperators(store: store, clock: before.game.clock)
    let console = try TestConsole(after)
    let next = try nextMinute(console, after).int("atMs")
    #expect(try minutes(console).map { $0.int("atMs") } == [kept, next])
  }

  @Test("After a start with a clock that was set back, later minutes are left out and new ones are kept")
  func clockSetBack() throws {
    let store = MemoryStore()
    let before = try TestOperators(store: store)
    let console = try TestConsole(before)
    let first = try nextMinute(console, before).int("atMs") ?? 0
    let second = try nextMinute(console, before).int("atMs") ?? 0
    before.operators.stop()
    before.game.stop()
    let clock = ManualClock(Timestamp(milliseconds: Int64(first) + 1_000))
    let after = try TestOperators(store: store, clock: clock)
    let again = try TestConsole(after)
    #expect(try minutes(again).map { $0.int("atMs") } == [first])
    let next = try nextMinute(again, after).int("atMs") ?? 0
    #expect(try minutes(again).map { $0.int("atMs") } == [first, next])
    #expect(next / 60_000 == second / 60_000, "the same minute, once more")
  }

  @Test("There are never more minutes than a day has")
  func bound() throws {
    let store = try TestStore(.memory)
    let clock = ManualClock()
    let end = clock.now().milliseconds
    let stored = (0..<HistoryMinute.countMax).map { number -> Change in
      HistoryMinute(at: Instant(milliseconds: end - number * 60_000)).change
    }
    store.commit(Batch(at: Instant(milliseconds: end), changes: stored))
    let operators = try TestOperators(store: store.store, clock: clock)
    let console = try TestConsole(operators)
    // The one of exactly a day ago is too old.
    #expect(try minutes(console).count == Int(HistoryMinute.countMax))
    let next = try nextMinute(console, operators).int("atMs")
    let kept = try minutes(console)
    #expect(kept.count <= Int(HistoryMinute.countMax) && kept.last?.int("atMs") == next)
    #expect(kept.allSatisfy { Int64($0.int("atMs") ?? 0) > clock.now().milliseconds - 86_400_000 })
  }
}
