// The times at which a shard's journal is cut off: soon where somebody waits for the commit, later where nobody does.
import CoreMetrics
import Game
import Gateway
import Net
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite("Pieces of a journal that somebody waits for come sooner")
struct ShardJournalTests {
  private static let intervalMilliseconds: Int64 = 50
  private let clock = ManualClock()
  private let journal: ShardJournal
  private let log = EmptyLog()
  private let cutAt: Timestamp

  init() {
    let commits = GroupCommit(
      MemoryStore(),
      [],
      GatewayMetrics(factory: NOOPMetricsHandler.instance),
      ExpiryClock(MemoryClockRecord(), lastAliveAt: nil, acceptsClock: false, clock: clock),
      clock: clock
    )
    journal = ShardJournal(shard: 0, commits: commits, intervalMilliseconds: Self.intervalMilliseconds)
    cutAt = clock.now()
    journal.touch()
    journal.cut(at: cutAt)
  }

  private func dueMilliseconds() -> Int64? {
    journal.due.map { $0.microseconds(since: cutAt) / 1_000 }
  }

  @Test("Records that nobody waits for are cut off four intervals after the newest piece")
  func unawaited() {
    #expect(dueMilliseconds() == nil)
    journal.note(log)
    #expect(dueMilliseconds() == 200)
  }

  @Test("Whatever somebody waits for takes the waiting records along in the next interval", arguments: 0..<5)
  func awaited(kind: Int) {
    journal.note(log)
    switch kind {
    case 0: journal.touch()
    case 1: journal.add(RoomChange.close(RoomID(1)))
    case 2: journal.add(action: { _ in [] }) {}
    case 3: journal.whenCommitted {}
    default: journal.markTime()
    }
    #expect(dueMilliseconds() == 50)
  }

  @Test("The piece behind an awaited one waits for nobody again")
  func afterAwaited() {
    journal.touch()
    journal.cut(at: cutAt)
    journal.note(log)
    #expect(dueMilliseconds() == 200)
  }
}

/// A log of nothing.
private final class EmptyLog: RecordLog {
  func moveRecords(to segment: inout Segment) -> UInt32 { 0 }

  func committed(throughEvent number: UInt32) {}
}
