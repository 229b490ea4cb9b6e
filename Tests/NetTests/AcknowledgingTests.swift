// Acknowledgements of what a connection has read, asked for by the service.
import Glibc
import Net
import TestSupport
import Testing

@Suite struct AcknowledgingTests {
  private func isQuick(_ descriptor: Int32) -> Bool {
    var mode: Int32 = -1
    var size = socklen_t(MemoryLayout<Int32>.size)
    let result = getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &mode, &size)
    return result == 0 && mode == 1
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
    #expect(isQuick(served))
    try peer.send("acknowledge")
    try shards.log.wait(for: "0 acknowledge")
    #expect(!isQuick(served))
  }
}
