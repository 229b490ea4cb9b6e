// A connection whose messages wait for an outcome, and whose peer goes meanwhile.
import Net
import TestSupport
import Testing

@Suite("A suspended connection")
struct SuspendedConnectionTests {
  @Test("The service is notified once of the peer's end; earlier bytes are read after the connection resumes")
  func peerEnds() throws {
    let shards = try TestShards(1)
    let socket = try TestSocket(port: shards.address.port)
    let peer = try TestPeer(socket)
    try peer.send("suspend")
    try shards.log.wait(for: "0 suspended")
    try peer.send("behind")
    socket.endSending()
    try shards.log.wait(for: "0 peer ended")
    // The kernel reports it as long as anybody asks.
    for _ in 0..<3 { try shards.pass(milliseconds: 10) }
    #expect(shards.log.events.count { $0 == "0 peer ended" } == 1)
    #expect(!shards.log.events.contains { $0.hasPrefix("0 closed") })
    try shards.on(0) { shard in shard.core.forEachConnection { $0.resumeMessages() } }
    #expect(try peer.next() == .text("0:behind"))
    try shards.log.wait(for: "0 closed nil")
  }
}
