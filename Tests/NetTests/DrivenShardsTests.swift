// Shards without queues: the test runs their turns, which wait for nothing.
import Glibc
import Net
import TestSupport
import Testing
import WebSocket

@Suite("Driven shards")
struct DrivenShardsTests {
  /// A group on a clock of its own, stopped with the test.
  private static func withGroup(
    _ count: Int,
    _ body: (ShardGroup, ManualClock, EventLog) throws -> Void
  ) throws {
    let clock = ManualClock()
    let log = EventLog()
    let group = try ShardGroup(count: count, clock: clock, areDriven: true) {
      CommandService($0, log) { clock.advance(milliseconds: $0) }
    }
    defer {
      group.stop {}
      for shard in group.shards { while shard.turn() {} }
    }
    // Each learns of its siblings.
    for shard in group.shards { while shard.turn() {} }
    try body(group, clock, log)
  }

  @Test("Posted work runs in the next turn, on the driving thread, and then no work is left")
  func posted() throws {
    try Self.withGroup(2) { group, _, _ in
      let delivery = Delivery<UInt>()
      group.shards[1].post { _ in delivery.put(pthread_self()) }
      #expect(!group.shards[0].turn())
      #expect(group.shards[1].turn())
      let thread = try delivery.take()
      #expect(thread == pthread_self())
      #expect(!group.shards[1].turn())
    }
  }

  @Test("A timer fires in the first turn at or after its time, and the shard reports that time")
  func timers() throws {
    try Self.withGroup(1) { group, clock, log in
      let shard = group.shards[0]
      let due = clock.now().advanced(milliseconds: 100)
      shard.assumeIsolated { _ = $0.core.setTimer(7, at: due) }
      let nextDue = try #require(shard.nextDue)
      #expect(nextDue >= due)
      clock.advance(milliseconds: 99)
      #expect(!shard.turn())
      clock.advance(milliseconds: 1 + TimerWheel.resolutionMicroseconds / 1_000)
      #expect(shard.turn())
      #expect(shard.nextDue == nil)
      #expect(log.events.contains("0 timer 7"))
    }
  }

  @Test("Timers that take longer than a turn leave posted work and sockets their time, and fire in their order")
  func longTimers() throws {
    var pair: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
    defer { close(pair[1]) }
    try Self.withGroup(1) { group, clock, log in
      let shard = group.shards[0]
      shard.adopt(pair[0], from: SocketAddress(ip: IPAddress(v4: 0x0A00_0001), port: 1))
      while shard.turn() {}
      // Twelve timers, each of which takes half of a turn. Every one has a slot of its own.
      let tokens = (1...12).map { UInt64($0) * 1_000 + 2 }
      for (index, token) in tokens.enumerated() {
        let time = clock.now().advanced(milliseconds: Int64(index) * TimerWheel.resolutionMicroseconds / 1_000)
        shard.assumeIsolated { _ = $0.core.setTimer(token, at: time) }
      }
      clock.advance(milliseconds: 100)
      let request = "GET /never HTTP/1.1\r\nHost: a\r\n\r\n"
      try #require(send(pair[1], request, request.utf8.count, 0) == request.utf8.count)
      shard.post { _ in log.note("posted") }
      #expect(shard.turn())
      #expect(log.events == tokens[..<4].map { "0 timer \($0)" } + ["posted", "0 asked /never"])
      while shard.turn() {}
      #expect(log.events.filter { $0.contains("timer") } == tokens.map { "0 timer \($0)" })
    }
  }

  @Test("An adopted socket is an ordinary connection, and is closed with the shard")
  func adopted() throws {
    var pair: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
    defer { close(pair[1]) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    try Self.withGroup(1) { group, _, _ in
      let shard = group.shards[0]
      shard.adopt(pair[0], from: SocketAddress(ip: IPAddress(v4: 0x0A00_0001), port: 1))
      let request = "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n"
      #expect(send(pair[1], request, request.utf8.count, 0) == request.utf8.count)
      while shard.turn() {}
      let count = recv(pair[1], &buffer, buffer.count, 0)
      #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).hasPrefix("HTTP/1.1 "))
      #expect(shard.assumeIsolated { $0.core.connectionCount } == 1)
    }
    #expect(recv(pair[1], &buffer, buffer.count, 0) == 0)
  }

  @Test("Sockets are read in a turn whose other work has taken longer than a turn")
  func socketsHaveTime() throws {
    var ours: [Int32] = []
    defer { for descriptor in ours { close(descriptor) } }
    try Self.withGroup(1) { group, clock, log in
      let shard = group.shards[0]
      for _ in 0..<24 {
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
        ours.append(pair[1])
        shard.adopt(pair[0], from: SocketAddress(ip: IPAddress(v4: 0x0A00_0001), port: 1))
      }
      while shard.turn() {}
      let request = "GET /never HTTP/1.1\r\nHost: a\r\n\r\n"
      for descriptor in ours { try #require(send(descriptor, request, request.utf8.count, 0) == request.utf8.count) }
      shard.post { _ in clock.advance(milliseconds: 100) }
      #expect(shard.turn())
      #expect(log.events.count { $0 == "0 asked /never" } == 24)
    }
  }
}
