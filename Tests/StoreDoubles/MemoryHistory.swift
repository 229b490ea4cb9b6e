// The server's history of the double. A value, part of the tables.
import Game
import Store

struct MemoryHistory: Sendable {
  private var minutes: [Int64: HistoryMinute] = [:]

  mutating func add(_ minute: HistoryMinute) { minutes[minute.slot] = minute }

  mutating func forget(before moment: Instant) { minutes = minutes.filter { $0.value.at >= moment } }

  func minutes(after first: Instant, through last: Instant) -> [HistoryMinute] {
    minutes.values.filter { $0.at > first && $0.at <= last }.sorted { $0.at < $1.at }
  }
}
