// A server's figures from `/stats`, as far as a table shows them.
import Foundation

package struct Stats: Decodable {
  struct Connections: Decodable {
    let open, players, behind, accepted, refused: Int
  }

  struct Messages: Decodable {
    let received, sent, errors, conflated, overRate, bytesReceived, bytesSent, sendQueueBytes: Int
  }

  struct Room: Decodable {
    let code, id, mode, phase: String
    let shard, players, connected, capacity, game: Int
  }

  struct Kind: Decodable {
    let mode, phase: String
    let rooms, players: Int
  }

  struct Rooms: Decodable {
    let open, suspects: Int
    let byKind: [Kind]
    let busiest: [Room]
  }

  struct Latencies: Decodable {
    let count: Int
    let maxSeconds: Double
    /// The number of durations up to so many milliseconds.
    let upToMilliseconds: [String: Int]
  }

  struct Ticks: Decodable {
    let ticks, frames: Int
    let lateness: Latencies
  }

  struct Taps: Decodable {
    let counted, batches: Int
  }

  struct Commits: Decodable {
    let commits, failures, journalBytes, journalWaitingBytes: Int
    let failing: Bool
    let journalLagSeconds: Double
    let duration: Latencies
  }

  struct Shard: Decodable {
    let shard, connections, rooms, turns, messagesReceived, sendQueueBytes: Int
    let cpuSeconds, journalLagSeconds: Double
    let atBeat: Bool
  }

  struct Process: Decodable {
    let cpuSeconds: Double
    let residentBytes, virtualBytes, openDescriptors, descriptorsMax: Int
  }

  let atMs: Int64
  let uptimeSeconds: Double
  let draining: Bool
  let connections: Connections
  let messages: Messages
  let rooms: Rooms
  let ticks: Ticks
  let taps: Taps
  let commits: Commits
  let shards: [Shard]
  let process: Process

  package init(json: [UInt8]) throws {
    self = try JSONDecoder().decode(Stats.self, from: Data(json))
  }
}

extension Stats.Latencies {
  /// The duration in milliseconds that `share` of those since `earlier` did not exceed, rounded up to the next bound.
  /// Nil without any, and beyond the last bound.
  func quantileMilliseconds(_ share: Double, since earlier: Self?) -> Int? {
    let count = count - (earlier?.count ?? 0)
    guard count > 0 else { return nil }
    let bounds = upToMilliseconds.compactMap { entry in Int(entry.key).map { ($0, entry.key) } }.sorted { $0.0 < $1.0 }
    return bounds.first { _, key in
      let upTo = (upToMilliseconds[key] ?? 0) - (earlier?.upToMilliseconds[key] ?? 0)
      return Double(upTo) >= Double(count) * share
    }?.0
  }
}
