// The table of `madang top`, from figures as a server sends them.
import ConsoleProtocol
import Foundation
import Testing
import Commands

@Suite struct TopTableTests {
  /// Makes figures of a server with one shard and some rooms.
  private func stats(
    uptime: Double,
    received: Int = 0,
    cpu: Double = 0,
    ticksUpTo: [String: Int] = ["5": 0, "100": 0],
    rooms: Int = 1,
    draining: Bool = false
  ) throws -> FeedOverview {
    let durations: [String: Any] = [
      "count": ticksUpTo["100"] ?? 0, "maxSeconds": 0.1, "p50Seconds": 0.001, "p99Seconds": 0.002,
      "upToMilliseconds": ticksUpTo,
    ]
    let busiest: [[String: Any]] = (0..<rooms).map { number in
      [
        "code": number == 0 ? "7K3F9-QXA25" : "", "id": "\(number)", "mode": "TERRITORY", "phase": "PLAYING",
        "shard": 0,
        "players": 4, "connected": 3, "capacity": 8, "game": 2,
      ]
    }
    let object: [String: Any] = [
      "atMs": 1_790_000_000_000, "uptimeSeconds": uptime, "draining": draining,
      "connections": [
        "open": 12, "players": 11, "behind": 1, "accepted": 20, "refused": 0, "webSocketsClosed": ["4002": 3],
      ],
      "messages": [
        "received": received, "sent": 0, "errors": 0, "conflated": 0, "overRate": 0, "bytesReceived": 0, "bytesSent": 0,
        "sendQueueBytes": 1_536,
      ],
      "rooms": [
        "open": rooms, "suspects": 0, "busiest": busiest,
        "byKind": [["mode": "TERRITORY", "phase": "PLAYING", "rooms": rooms, "players": 4]],
      ],
      "ticks": ["ticks": 0, "frames": 0, "lateness": durations],
      "taps": ["counted": 0, "batches": 0],
      "commits": [
        "commits": 0, "failures": 0, "failing": false, "journalBytes": 0, "journalWaitingBytes": 0,
        "journalLagSeconds": 0.0125, "duration": durations,
      ],
      "shards": [
        [
          "shard": 0, "connections": 12, "rooms": rooms, "cpuSeconds": cpu, "turns": 0, "atBeat": true,
          "messagesReceived": received, "sendQueueBytes": 0, "journalLagSeconds": 0.0,
        ]
      ],
      "process": [
        "cpuSeconds": cpu, "residentBytes": 50 << 20, "virtualBytes": 1 << 30, "openDescriptors": 30,
        "descriptorsMax": 1_024,
      ],
    ]
    return try FeedOverview(consoleJSON: Array(JSONSerialization.data(withJSONObject: object)))
  }

  @Test("Rates cover the time between two readings; with a single reading, the time since the start")
  func rates() throws {
    let first = try stats(uptime: 100, received: 1_000, cpu: 10)
    let second = try stats(uptime: 102, received: 1_500, cpu: 11)
    let alone = TopTable(first, since: nil).lines(width: 200, height: 50).joined(separator: "\n")
    #expect(alone.contains("messages in 10/s"))
    #expect(alone.contains("CPU 10 %"))
    let both = TopTable(second, since: first).lines(width: 200, height: 50).joined(separator: "\n")
    #expect(both.contains("messages in 250/s"))
    #expect(both.contains("CPU 50 %"))
    #expect(both.contains("queues 1.5 KiB"))
    #expect(both.contains("journal lag 12.5 ms") || both.contains("journal lag 13 ms"))
  }

  @Test("After a restart of the server, counters start from zero")
  func restarted() throws {
    let before = try stats(uptime: 1_000, received: 1_000_000)
    let after = try stats(uptime: 10, received: 100)
    #expect(TopTable(after, since: before).lines(width: 200, height: 50)[1].contains("messages in 10/s"))
  }

  @Test("Quantiles cover what was recorded between two readings, rounded up to the next bound")
  func quantiles() throws {
    let first = try stats(uptime: 1, ticksUpTo: ["5": 0, "100": 1_000])
    let second = try stats(uptime: 2, ticksUpTo: ["5": 99, "100": 1_100])
    #expect(TopTable(second, since: first).lines(width: 200, height: 50)[3].contains("late p50 ≤ 5 ms, p99 ≤ 5 ms"))
    #expect(TopTable(second, since: nil).lines(width: 200, height: 50)[3].contains("late p50 ≤ 100 ms"))
    let idle = try stats(uptime: 3, ticksUpTo: ["5": 99, "100": 1_100])
    #expect(TopTable(idle, since: second).lines(width: 200, height: 50)[3].contains("late p50 -"))
  }

  @Test("No line is longer and no table higher than the terminal")
  func bounds() throws {
    let table = try TopTable(stats(uptime: 1, rooms: 100), since: nil)
    for (width, height) in [(80, 24), (20, 5), (1, 1), (200, 300)] {
      let lines = table.lines(width: width, height: height)
      #expect(lines.count <= height)
      #expect(lines.allSatisfy { $0.count <= width })
    }
    #expect(table.lines(width: 200, height: 300).count == 5 + 1 + 2 + 1 + 101)
  }

  @Test("Rooms are listed with their codes and solo rooms as solo; a server that shuts down is shown as such")
  func rows() throws {
    let lines = try TopTable(stats(uptime: 1, rooms: 2, draining: true), since: nil).lines(width: 200, height: 50)
    #expect(lines[0].contains("DRAINING"))
    #expect(lines.contains { $0.hasPrefix("7K3F9-QXA25  TERRITORY  PLAYING") })
    #expect(lines.contains { $0.hasPrefix("       solo  TERRITORY") })
  }

  @Test("A listener's address is accepted with its token, or with the token beside it, and in no other form")
  func links() throws {
    let link = try OperatorLink("http://127.0.0.1:9100/?token=abc\n")
    #expect(link.host == "127.0.0.1")
    #expect(link.port == 9_100)
    #expect(link.token == "abc")
    let other = try OperatorLink("http://[::1]:9100", token: "given")
    #expect(other.host == "::1")
    #expect(other.token == "given")
    for bad in ["", "127.0.0.1:9100", "http://127.0.0.1", "http://127.0.0.1:x/?token=abc", "https://a:1/?token=abc"] {
      #expect(throws: (any Error).self) { try OperatorLink(bad) }
    }
    #expect(throws: (any Error).self) { try OperatorLink("http://127.0.0.1:9100") }
  }
}
