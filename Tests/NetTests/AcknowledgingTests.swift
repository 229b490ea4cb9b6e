// Acknowledgements of what a connection has read, asked for by the service.
import Glibc
import Net
import TestSupport
import Testing

@Suite struct AcknowledgingTests {
  /// 1 where the kernel may acknowledge an arrival as it comes, 0 where it delays that, nil for no TCP connection.
  private func quickMode(_ descriptor: Int32) -> Int32? {
    var mode: Int32 = -1
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &mode, &size) == 0 ? mode : nil
  }

  @Test("Behind an acknowledgement the kernel delays the next ones, which it did not before")
  func delaysLaterOnes() throws {
    let shards = try TestShards()
    let peer = try shards.peer()
    let served = try #require(peer.socket.otherEnd)
    var quick: Int32 = 1
    setsockopt(served, Int32(IPPROTO_TCP), TCP_QUICKACK, &quick, socklen_t(MemoryLayout<Int32>.size))
    // No message is answered: an answer would have the kernel delay by itself.
    try peer.send("step")
    try shards.log.wait(for: "0 step")
    #expect(quickMode(served) == 1)
    try peer.send("acknowledge")
    try shards.log.wait(for: "0 acknowledge")
    #expect(quickMode(served) == 0)
  }
}
