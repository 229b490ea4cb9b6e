// The table of `madang top`: a server's figures at two moments, as lines of a width. Pure.
//
// Rates cover the time between the two moments; with only one, the time since the server began.
import ConsoleProtocol
import Foundation

package struct TopTable {
  private let stats: FeedOverview
  private let earlier: FeedOverview?
  private let seconds: Double

  package init(_ stats: FeedOverview, since earlier: FeedOverview?) {
    self.stats = stats
    // A restarted server counts from zero.
    let earlier = earlier.flatMap { $0.uptimeSeconds < stats.uptimeSeconds ? $0 : nil }
    self.earlier = earlier
    seconds = max(0.001, stats.uptimeSeconds - (earlier?.uptimeSeconds ?? 0))
  }

  /// The table's lines: at most `height`, none longer than `width`.
  package func lines(width: Int, height: Int) -> [String] {
    let all = summary + [""] + shards + [""] + rooms
    return all.prefix(height).map { String($0.prefix(width)) }
  }

  private var summary: [String] {
    let (connections, messages, commits, process) = (stats.connections, stats.messages, stats.commits, stats.process)
    let playing = stats.rooms.byKind.filter { $0.phase == "PLAYING" }.reduce(0) { $0 + $1.rooms }
    let state = stats.draining ? "  DRAINING" : commits.failing ? "  STORE FAILS" : ""
    return [
      "up \(Self.time(stats.uptimeSeconds))\(state)  players \(connections.players)  connections \(connections.open)"
        + "  rooms \(stats.rooms.open) (\(playing) playing)  suspects \(stats.rooms.suspects)",
      "messages in \(rate(\.messages.received)), out \(rate(\.messages.sent))  errors \(rate(\.messages.errors))"
        + "  over the rate \(rate(\.messages.overRate))  taps \(rate(\.taps.counted))",
      "network in \(bytesRate(\.messages.bytesReceived)), out \(bytesRate(\.messages.bytesSent))"
        + "  queues \(Self.bytes(messages.sendQueueBytes))  behind \(connections.behind)"
        + "  conflated \(rate(\.messages.conflated))",
      "ticks \(rate(\.ticks.ticks)), late p50 \(quantile(0.5, \.ticks.lateness)), p99 \(quantile(0.99, \.ticks.lateness))"
        + "  commits \(rate(\.commits.commits)), p99 \(quantile(0.99, \.commits.duration))"
        + "  journal lag \(Self.milliseconds(commits.journalLagSeconds))",
      "CPU \(percent(\.process.cpuSeconds))  memory \(Self.bytes(process.residentBytes))"
        + "  descriptors \(process.openDescriptors) of \(process.descriptorsMax)",
    ]
  }

  private var shards: [String] {
    let head = ["SHARD", "CPU", "CONNECTIONS", "ROOMS", "MESSAGES/S", "TURNS/S", "QUEUES", "LOAD", "BEAT"]
    let rows = stats.shards.map { shard in
      let before = earlier?.shards.first { $0.shard == shard.shard }
      return [
        String(shard.shard), percent(of: shard.cpuSeconds - (before?.cpuSeconds ?? 0)), String(shard.connections),
        String(shard.rooms), Self.number(Double(shard.messagesReceived - (before?.messagesReceived ?? 0)) / seconds),
        Self.number(Double(shard.turns - (before?.turns ?? 0)) / seconds), Self.bytes(shard.sendQueueBytes),
        "\(Int((shard.load * 100).rounded())) %\(shard.overloaded ? " !" : "")", shard.atBeat ? "on" : "",
      ]
    }
    return Self.table(head, rows, widths: [5, 7, 11, 6, 10, 8, 9, 7, 4])
  }

  private var rooms: [String] {
    let head = ["ROOM", "MODE", "PHASE", "PLAYERS", "CONNECTED", "SEATS", "GAME", "SHARD"]
    let rows = stats.rooms.busiest.map { room in
      [
        room.code.isEmpty ? "solo" : room.code, room.mode, room.phase, String(room.players), String(room.connected),
        String(room.capacity), String(room.game), String(room.shard),
      ]
    }
    return Self.table(head, rows, widths: [11, 9, 7, 7, 9, 5, 4, 5])
  }

  private static func table(_ head: [String], _ rows: [[String]], widths: [Int]) -> [String] {
    ([head] + rows).map { row in
      zip(row, widths).map { String(repeating: " ", count: max(0, $1 - $0.count)) + $0 }.joined(separator: "  ")
    }
  }
}

// Numbers.
extension TopTable {
  private func rate(_ number: KeyPath<FeedOverview, Int64>) -> String { Self.number(perSecond(number)) + "/s" }

  private func bytesRate(_ number: KeyPath<FeedOverview, Int64>) -> String {
    Self.bytes(Int64(perSecond(number))) + "/s"
  }

  private func perSecond(_ number: KeyPath<FeedOverview, Int64>) -> Double {
    Double(stats[keyPath: number] - (earlier?[keyPath: number] ?? 0)) / seconds
  }

  private func percent(_ cpuSeconds: KeyPath<FeedOverview, Double>) -> String {
    percent(of: stats[keyPath: cpuSeconds] - (earlier?[keyPath: cpuSeconds] ?? 0))
  }

  private func percent(of cpuSeconds: Double) -> String { Self.number(max(0, cpuSeconds) * 100 / seconds) + " %" }

  private func quantile(_ share: Double, _ durations: KeyPath<FeedOverview, FeedOverview.LatencyHistogram>) -> String {
    let now = stats[keyPath: durations]
    guard now.count > (earlier?[keyPath: durations].count ?? 0) else { return "-" }
    return now.quantileMilliseconds(share, since: earlier?[keyPath: durations]).map { "≤ \($0) ms" } ?? "> 1 s"
  }

  /// Formats a number; small ones have a digit behind the point.
  static func number(_ value: Double) -> String {
    value >= 10 || value == value.rounded() ? String(Int(value.rounded())) : String((value * 10).rounded() / 10)
  }

  static func bytes(_ count: Int64) -> String {
    var value = Double(count)
    for unit in ["B", "KiB", "MiB", "GiB"] {
      if value < 1_024 || unit == "GiB" { return "\(number(value)) \(unit)" }
      value /= 1_024
    }
    return ""
  }

  static func milliseconds(_ seconds: Double) -> String { "\(number(seconds * 1_000)) ms" }

  static func time(_ seconds: Double) -> String {
    let all = Int(seconds)
    let clock = [all / 3_600 % 24, all / 60 % 60, all % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    return all >= 86_400 ? "\(all / 86_400) d \(clock)" : clock
  }
}

extension FeedOverview.LatencyHistogram {
  /// The duration in milliseconds that `share` of those since `earlier` did not exceed, rounded up to the next bound.
  /// Nil without any, and beyond the last bound.
  fileprivate func quantileMilliseconds(_ share: Double, since earlier: Self?) -> Int64? {
    let count = count - (earlier?.count ?? 0)
    guard count > 0 else { return nil }
    return upToMilliseconds.keys.sorted().first { bound in
      let upTo = (upToMilliseconds[bound] ?? 0) - (earlier?.upToMilliseconds[bound] ?? 0)
      return Double(upTo) >= Double(count) * share
    }
  }
}
