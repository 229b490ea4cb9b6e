// The server's history of a day, over every back end.
import Game
import Store
import Testing

@Suite("Every store keeps a day of minutes")
struct HistoryContractTests {
  private static let minuteMs: Int64 = 60_000
  private static let dayMs = HistoryMinute.countMax * minuteMs

  /// A minute that ended at a minute since 1970 and some milliseconds.
  private static func minute(_ number: Int64, ms: Int64 = 0, players: Int64 = 0) -> HistoryMinute {
    var minute = HistoryMinute(at: Instant(milliseconds: number * minuteMs + ms))
    minute.players = players
    return minute
  }

  private static func minutes(
    in store: any Store,
    after first: Int64 = -1,
    through last: Int64 = .max
  ) async throws -> [HistoryMinute] {
    try await withCheckedContinuation { waiting in
      store.minutes(after: Instant(milliseconds: first), through: Instant(milliseconds: last)) {
        waiting.resume(returning: $0)
      }
    }.get()
  }

  @Test("A minute comes back with all its figures, and the order is that of the ends", arguments: BackEnd.allCases)
  func figures(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var full = Self.minute(2_000, ms: 7)
      full.spanMs = 60_004
      (full.players, full.connections, full.rooms, full.games) = (1, 2, 3, 4)
      (full.received, full.sent, full.bytesReceived, full.bytesSent) = (5, 6, 7, .max)
      (full.frames, full.errors, full.taps, full.commits, full.commitFailures) = (9, 10, 11, 12, 13)
      (full.cpuMs, full.residentBytes, full.sendQueueBytes, full.loadPermille) = (14, 15, 16, 17)
      (full.latenessUs, full.commitUs) = (18, 19)
      let empty = Self.minute(1_999)
      let outcome = try await store.change(full)
      #expect(outcome == .ok)
      try await store.change(empty)
      #expect(try await Self.minutes(in: store) == [empty, full])
      let end = full.at.milliseconds
      #expect(try await Self.minutes(in: store, after: empty.at.milliseconds, through: end) == [full])
      #expect(try await Self.minutes(in: store, through: end - 1) == [empty])
      #expect(try await Self.minutes(in: store, after: end).isEmpty)
    }
  }

  @Test("A minute replaces the one of the same time of the day, so the ring has a bound", arguments: BackEnd.allCases)
  func ring(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for hour: Int64 in 0..<26 {
        let changes = (0..<60).map { Self.minute(hour * 60 + $0, players: hour).change }
        _ = try await store.commit(Batch(at: moment(hour), changes: changes))
      }
      let kept = try await Self.minutes(in: store)
      #expect(kept.count == Int(HistoryMinute.countMax))
      #expect(kept.first == Self.minute(120, players: 2) && kept.last == Self.minute(26 * 60 - 1, players: 25))
    }
  }

  @Test("A clock that jumps back, or far ahead and back, breaks nothing", arguments: BackEnd.allCases)
  func jumps(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number: Int64 in 5_000..<5_010 { try await store.change(Self.minute(number, players: 1)) }
      // An hour back: nothing is lost, and the same minutes are written again as they come.
      for number: Int64 in 4_940..<5_005 { try await store.change(Self.minute(number, ms: 9, players: 2)) }
      let again = try await Self.minutes(in: store)
      #expect(again.map(\.players) == Array(repeating: 2, count: 65) + Array(repeating: 1, count: 5))
      // Years ahead, and back: the places of those minutes are taken until the next day.
      let far = 5_002 + 1_000 * HistoryMinute.countMax
      try await store.change(Self.minute(far))
      #expect(try await Self.minutes(in: store, through: 5_010 * Self.minuteMs).count == 69)
      try await store.change(Self.minute(5_002 + HistoryMinute.countMax))
      #expect(try await Self.minutes(in: store).contains { $0.at.milliseconds > 6_500 * Self.minuteMs } == false)
    }
  }

  @Test("Maintenance deletes minutes of more than a day ago", arguments: BackEnd.allCases)
  func retention(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(Self.minute(10))
      try await store.change(Self.minute(11))
      try await store.maintain(at: 10 * Self.minuteMs + Self.dayMs)
      #expect(try await Self.minutes(in: store).count == 2)
      try await store.maintain(at: 10 * Self.minuteMs + Self.dayMs + 1)
      #expect(try await Self.minutes(in: store) == [Self.minute(11)])
    }
  }
}
