// The pace at which a peer takes its waiting bytes, by its kernel's acknowledgements: too slow ends, slow but honest
// goes on.
import Net
import TestSupport
import Testing
import WebSocket

@Suite("The rate at which a peer reads its waiting bytes")
struct ReadRateTests {
  /// Shards that ask no peer for a pong, and whose kernel holds little.
  private func shards(
    _ count: Int = 1,
    listener: ListenerConfiguration = ListenerConfiguration(),
    _ configure: (inout NetLimits) -> Void = { _ in }
  ) throws -> TestShards {
    try TestShards(count, listener: listener) {
      $0.pingIntervalSeconds = 1_000
      $0.unsentBytesMax = 1 << 24
      $0.kernelSendBytes = 4_096
      configure(&$0)
    }
  }

  private func slowSocket(_ shards: TestShards) throws -> TestSocket {
    try TestSocket(port: shards.address.port, receiveBufferBytes: 4_096)
  }

  /// The number of open connections on the first shard.
  private func openCount(_ shards: TestShards) throws -> Int {
    try shards.on(0) { shard in
      var open = 0
      shard.core.forEachConnection { open += $0.isOpen ? 1 : 0 }
      return open
    }
  }

  /// A peer for which so many bytes wait; returns once they do.
  private func flooded(_ shards: TestShards, _ stream: any ByteStream, bytes: Int, shard: Int = 0) throws -> TestPeer {
    let peer = try TestPeer(stream)
    try peer.send("flood \(bytes)")
    try shards.log.wait(for: "\(shard) flooded true")
    return peer
  }

  @Test("A peer that reads a byte every nine seconds is closed with 4002", arguments: [false, true])
  func byteByByte(isTLS: Bool) throws {
    let certificate = try TestCertificate()
    let pair = try TLSCertificate(certificate: certificate.certificateFile, key: certificate.keyFile)
    let shards = try shards(listener: isTLS ? ListenerConfiguration(certificate: pair) : ListenerConfiguration())
    let socket = try slowSocket(shards)
    let peer = try flooded(shards, isTLS ? TestTLSSocket(socket) : socket, bytes: 300_000)
    var seconds = 0
    var received = 0
    while !shards.log.events.contains("0 closed 4002"), seconds < 1_000 {
      received += try socket.receive(atMost: 1).count
      try shards.pass(seconds: 9)
      seconds += 9
    }
    while socket.hasInput {
      let more = try socket.receive().count
      guard more > 0 else { break }
      received += more
    }
    // The kernels go on filling the peer's buffer in their own time, which counts as taken: `windows` windows may pass
    // for that. Then come the window that fails and the time to take the end. Each is ten seconds, seen as over after
    // two steps; the log is read once more.
    let windows = received / 5_120
    #expect(received < 150_000)
    #expect(seconds <= 18 * (windows + 2) + 9)
    #expect(try shards.on(0) { $0.core.connectionCount } == 0)
    #expect(shards.group.budgets.unsent.usedBytes == 0)
    _ = peer
  }

  @Test("A peer that reads 2 KB a second continues, even if our kernel takes nothing for longer than the window")
  func slowAndHonest() throws {
    // The kernel reports room when a third of this is free.
    let shards = try shards { $0.kernelSendBytes = 150_000 }
    let socket = try slowSocket(shards)
    _ = try flooded(shards, socket, bytes: 900_000)
    var unchangedWindows = 0
    for _ in 0..<10 {
      let before = try shards.on(0) { $0.core.counters.bytesOut }
      var taken = 0
      while taken < 20_480 { taken += try socket.receive(atMost: 20_480 - taken).count }
      try shards.pass(seconds: 10)
      let (after, count) = try shards.on(0) { ($0.core.counters.bytesOut, $0.core.connectionCount) }
      #expect(count == 1)
      if after == before { unchangedWindows += 1 }
    }
    #expect(unchangedWindows > 0)
    #expect(!shards.log.events.contains { $0.hasPrefix("0 closed") })
  }

  @Test("A peer that reads half of the required rate is closed")
  func tooSlow() throws {
    let shards = try shards { $0.takenBytesPerSecondMin = 8_192 }
    let socket = try slowSocket(shards)
    _ = try flooded(shards, socket, bytes: 900_000)
    for _ in 0..<3 {
      guard !shards.log.events.contains("0 closed 4002") else { break }
      var taken = 0
      while taken < 40_960 { taken += try socket.receive(atMost: 40_960 - taken).count }
      try shards.pass(seconds: 10)
    }
    try shards.pass(seconds: 10)
    try shards.log.wait(for: "0 closed 4002")
  }

  @Test("A change of shards does not restart the window")
  func moving() throws {
    let shards = try shards(2) { $0.takenBytesPerSecondMin = 1 << 20 }
    let socket = try slowSocket(shards)
    let peer = try flooded(shards, socket, bytes: 300_000, shard: 1)
    for shard in [0, 1, 0] {
      try shards.pass(seconds: 3)
      let adoptions = try shards.on(shard) { $0.core.counters.connectionsAdopted }
      try peer.send("move \(shard)")
      while try shards.on(shard, { $0.core.counters.connectionsAdopted }) == adoptions {}
    }
    try shards.pass(milliseconds: 900)
    #expect(!shards.log.events.contains { $0.contains("closed") })
    #expect(try openCount(shards) == 1)
    try shards.pass(milliseconds: 200)
    #expect(try openCount(shards) == 0)
    try shards.pass(seconds: 10)
    try shards.log.wait(for: "0 closed 4002")
    #expect(shards.group.budgets.unsent.usedBytes == 0)
  }

  @Test("An HTTP answer that is read byte by byte ends its connection within the time for its length")
  func answer() throws {
    let shards = try shards()
    let socket = try slowSocket(shards)
    try socket.send(Array("GET /flood HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
    _ = try socket.receive(atMost: 1)
    while shards.group.budgets.unsent.usedBytes < CommandService.pageBytes / 2 {}
    // 10 s, and one more for each 16 KiB.
    var seconds = 0
    while try shards.on(0, { $0.core.connectionCount }) == 1, seconds < 200 {
      _ = try socket.receive(atMost: 1)
      try shards.pass(seconds: 9)
      seconds += 9
    }
    #expect(seconds <= 10 + 64 + 9)
    #expect(shards.group.budgets.unsent.usedBytes == 0)
  }
}
