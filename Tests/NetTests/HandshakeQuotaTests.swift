// Unfinished TLS handshakes: an address has so many; further ones wait, and other addresses don't.
import Net
import TestSupport
import Testing
import WebSocket

@Suite("Unfinished TLS handshakes")
struct HandshakeQuotaTests {
  private static let attacker: UInt32 = 0x7F00_0101
  private static let neighbour: UInt32 = 0x7F00_0201
  /// The beginning of a client's hello.
  private static let helloBegins: [UInt8] = [22, 3, 1, 1, 0, 1]

  private func shards(_ configure: (inout NetLimits) -> Void) throws -> TestShards {
    let certificate = try TestCertificate()
    let pair = try TLSCertificate(certificate: certificate.certificateFile, key: certificate.keyFile)
    return try TestShards(listener: ListenerConfiguration(certificate: pair)) {
      $0.limitsLoopback = true
      configure(&$0)
    }
  }

  /// Completes a handshake and a message from this address; earlier bytes have been handled then.
  private func talk(_ shards: TestShards, from address: UInt32) throws {
    let peer = try TestPeer(TestTLSSocket(shards.socket(from: address)))
    try peer.send("here")
    #expect(try peer.next() == .text("0:here"))
  }

  @Test("A handshake over an address's quota waits until another one ends, and other addresses do not wait")
  func perAddress() throws {
    let shards = try shards { $0.handshakesPerAddressMax = 2 }
    var dripping: [TestSocket] = []
    for _ in 0..<2 {
      let socket = try shards.socket(from: Self.attacker)
      try socket.send(Self.helloBegins)
      dripping.append(socket)
    }
    try talk(shards, from: Self.neighbour)
    #expect(shards.group.budgets.handshakes.count == 2)
    // A handshake that is read is answered at once.
    let waiting = try shards.socket(from: Self.attacker)
    try waiting.send(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
    try talk(shards, from: Self.neighbour)
    try shards.pass(seconds: 1)
    #expect(!waiting.hasInput)
    dripping.removeLast().reset()
    while shards.group.budgets.handshakes.count == 2 {}
    try shards.pass(milliseconds: 200)
    #expect(String(decoding: try waiting.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
    // Handshakes that never end are given up.
    try shards.pass(seconds: 10)
    #expect(try dripping[0].receive().isEmpty)
    while shards.group.budgets.handshakes.count > 0 {}
    try talk(shards, from: Self.attacker)
    #expect(shards.group.budgets.handshakes.count == 0)
  }

  @Test("At the total limit an address without a handshake can still begin one")
  func inAll() throws {
    let shards = try shards { $0.handshakesInAllMax = 1 }
    let dripping = try shards.socket(from: Self.attacker)
    try dripping.send(Self.helloBegins)
    while shards.group.budgets.handshakes.count == 0 {}
    try talk(shards, from: Self.neighbour)
    let second = try shards.socket(from: Self.attacker)
    try second.send(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
    try talk(shards, from: Self.neighbour)
    #expect(!second.hasInput)
  }
}
