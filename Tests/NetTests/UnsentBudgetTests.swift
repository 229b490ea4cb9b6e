// The unsent bytes of a whole process: over the bound the greediest connections are closed, on any shard, and no
// others.
import Net
import TestSupport
import Testing
import WebSocket

@Suite("The process's budget of unsent bytes")
struct UnsentBudgetTests {
  private static let bytesMax = 1_000_000

  private func shards(_ count: Int = 2) throws -> TestShards {
    try TestShards(count) {
      $0.unsentBytesInAllMax = Self.bytesMax
      $0.unsentBytesMax = 1 << 24
      $0.kernelSendBytes = 4_096
    }
  }

  /// A peer that reads nothing, so that about as many bytes wait for it. With two shards the first such peer is on the
  /// second.
  private func flooded(_ shards: TestShards, bytes: Int) throws -> TestPeer {
    let floods = shards.log.events.filter { $0.hasSuffix("flooded true") }.count
    let peer = try TestPeer(TestSocket(port: shards.address.port, receiveBufferBytes: 4_096))
    try peer.send("flood \(bytes)")
    try shards.log.wait { $0.filter { $0.hasSuffix("flooded true") }.count == floods + 1 }
    return peer
  }

  private func shed(_ shards: TestShards) throws -> [Int] {
    try shards.group.shards.map { shard in try shards.on(shard.index) { $0.core.counters.connectionsShed } }
  }

  @Test(
    "The connection with the most waiting bytes is closed with 4002, on any shard, and a slightly slow one gets everything"
  )
  func greediest() throws {
    let shards = try shards()
    let budget = shards.group.budgets.unsent
    #expect(budget.bytesMax == Self.bytesMax)
    let greedy = try flooded(shards, bytes: 700_000)
    #expect(budget.usedBytes > 700_000 && budget.usedBytes < Self.bytesMax)
    #expect(budget.connectionCount == 1)
    // The further peers are modest; the last of them is one too many.
    var modest: [TestPeer] = []
    while try shed(shards) == [0, 0] { modest.append(try flooded(shards, bytes: 50_000)) }
    #expect(try shed(shards) == [0, 1])
    try shards.log.wait(for: "1 closed 4002")
    #expect(try greedy.flood().behind == .end)
    #expect(budget.usedBytes < Self.bytesMax / 2)
    #expect(budget.connectionCount == modest.count)
    for peer in modest {
      try peer.send("well")
      let flood = try peer.flood()
      #expect(flood.numbers == Array(0..<UInt32(flood.numbers.count)))
      guard case .text(let text) = flood.behind else { throw TestFailure("closed: \(flood.behind)") }
      #expect(text.hasSuffix(":well"))
    }
    for shard in 0..<2 { try shards.on(shard) { _ in } }
    #expect(budget.usedBytes == 0)
    #expect(budget.connectionCount == 0)
    #expect(try shed(shards) == [0, 1])
  }

  @Test("However many connections are slow, the waiting bytes return within the bound")
  func manyGreedy() throws {
    let shards = try shards(3)
    var peers: [TestPeer] = []
    for _ in 0..<12 { peers.append(try flooded(shards, bytes: 400_000)) }
    // Two of them have room beside each other.
    try shards.log.wait { $0.filter { $0.hasSuffix("closed 4002") }.count >= 10 }
    let shed = try shed(shards).reduce(0, +)
    #expect(shed == 10)
    #expect(shards.group.budgets.unsent.usedBytes <= Self.bytesMax)
    #expect(shards.group.budgets.unsent.connectionCount == 12 - shed)
  }

  @Test("A connection that is closing counts until its end")
  func closing() throws {
    let shards = try shards(1)
    let peer = try flooded(shards, bytes: 300_000)
    let before = try shards.on(0) { $0.core.counters.bytesIn }
    try peer.send("close 1000")
    try shards.awaitBytesIn(before + TestPeer.frame("close 1000").count)
    try shards.on(0) { _ in }
    #expect(shards.group.budgets.unsent.usedBytes > 300_000)
    try shards.pass(seconds: 6)
    #expect(shards.group.budgets.unsent.usedBytes > 300_000)
    try shards.pass(seconds: 11)
    try shards.log.wait(for: "0 closed 1000")
    #expect(shards.group.budgets.unsent.usedBytes == 0)
    #expect(shards.group.budgets.unsent.connectionCount == 0)
  }

  @Test("A connection counts once while it moves between shards, and not at all when it has read everything")
  func moving() throws {
    let shards = try shards()
    let budget = shards.group.budgets.unsent
    let peer = try flooded(shards, bytes: 300_000)
    let before = budget.usedBytes
    for round in 0..<10 {
      try peer.send("move \(round % 2)")
      try shards.log.wait { $0.filter { $0.hasSuffix("adopted cargo") }.count == round + 1 }
      try shards.on(round % 2) { _ in }
      #expect(budget.connectionCount == 1)
      #expect(budget.usedBytes > 250_000 && budget.usedBytes < before + 1_000)
    }
    try peer.send("last")
    _ = try peer.flood()
    while try peer.next() != .text("1:last") {}
    try shards.on(1) { _ in }
    #expect(budget.usedBytes == 0)
    #expect(budget.connectionCount == 0)
    try shards.stop()
    #expect(budget.usedBytes == 0)
  }

  @Test("Bytes that wait when the shards stop are given back")
  func stopping() throws {
    let shards = try shards()
    let peers = try (0..<2).map { _ in try flooded(shards, bytes: 200_000) }
    #expect(shards.group.budgets.unsent.connectionCount == 2)
    try shards.stop()
    #expect(shards.group.budgets.unsent.usedBytes == 0)
    #expect(shards.group.budgets.unsent.connectionCount == 0)
    _ = peers
  }
}
