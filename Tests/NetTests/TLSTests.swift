// TLS over real sockets: agreements, refusals, and that one session's failure does not affect another.
import COpenSSL
import Net
import TestSupport
import Testing
import WebSocket

@Suite struct TLSTests {
  private func serve(
    _ certificate: TestCertificate,
    shardCount count: Int = 1,
    _ configure: (inout NetLimits) -> Void = { _ in }
  ) throws -> TestShards {
    let pair = try TLSCertificate(certificate: certificate.certificateFile, key: certificate.keyFile)
    return try TestShards(count, listener: ListenerConfiguration(certificate: pair), configure)
  }

  private func connect(_ shards: TestShards, _ configure: (inout TestTLSSocket.Options) -> Void = { _ in }) throws
    -> TestPeer
  {
    var options = TestTLSSocket.Options()
    configure(&options)
    return try TestPeer(TestTLSSocket(port: shards.address.port, options))
  }

  @Test("Both versions carry messages of every size", arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func messages(version: Int32) throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate)
    let peer = try connect(shards) { $0.version = version }
    for count in [0, 1, 125, 126, 16_384, 16_385, 65_536, 1_000_000] {
      let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try peer.send(binary: payload)
      #expect(try peer.next() == .binary(payload), "\(count) bytes")
    }
  }

  @Test("Versions below TLS 1.2 are refused", arguments: [TLS1_VERSION, TLS1_1_VERSION])
  func oldVersions(version: Int32) throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate)
    #expect(throws: TestFailure.self) { try connect(shards) { $0.version = version } }
    _ = try connect(shards)
  }

  @Test(
    "Ciphers without forward secrecy or authentication are refused",
    arguments: [
      "AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384", "AECDH-AES128-SHA", "aNULL",
    ]
  )
  func weakCiphers(ciphers: String) throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate)
    #expect(throws: TestFailure.self) {
      try connect(shards) {
        $0.version = TLS1_2_VERSION
        $0.ciphers = ciphers
      }
    }
    _ = try connect(shards) { $0.version = TLS1_2_VERSION }
  }

  @Test("ALPN chooses http/1.1; a client that offers only other protocols is refused")
  func alpn() throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate)
    let both = try TestTLSSocket(port: shards.address.port, options { $0.protocols = ["h2", "http/1.1"] })
    #expect(both.chosenProtocol == "http/1.1")
    let none = try TestTLSSocket(port: shards.address.port)
    #expect(none.chosenProtocol.isEmpty)
    #expect(throws: TestFailure.self) {
      try TestTLSSocket(port: shards.address.port, options { $0.protocols = ["h2", "http/1.10"] })
    }
  }

  private func options(_ configure: (inout TestTLSSocket.Options) -> Void) -> TestTLSSocket.Options {
    var options = TestTLSSocket.Options()
    configure(&options)
    return options
  }

  @Test(
    "A client that returns with a ticket performs an abbreviated handshake",
    arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
  )
  func tickets(version: Int32) throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate)
    let first = try TestTLSSocket(port: shards.address.port, options { $0.version = version })
    #expect(!first.isResumed)
    // The ticket of TLS 1.3 comes behind the handshake, with the first bytes read.
    try first.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    _ = try first.receive()
    let ticket = try #require(first.ticket)
    let second = try TestTLSSocket(
      port: shards.address.port,
      options {
        $0.version = version
        $0.ticket = ticket
      }
    )
    #expect(second.isResumed)
  }

  @Test("Garbage in one session ends that session, and no other one on the same shard")
  func garbage() throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate)
    let bystander = try connect(shards)
    for round in 0..<20 {
      let tls = try TestTLSSocket(port: shards.address.port)
      let offender = try TestPeer(tls)
      // Both are in the same turn at times: the garbage goes first.
      let nonsense = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ round) }
      try tls.socket.send([23, 3, 3, 0, 40] + nonsense[..<40])
      try bystander.send("here \(round)")
      #expect(try bystander.next() == .text("0:here \(round)"))
      #expect(try offender.next() == .end)
      let stranger = try TestSocket(port: shards.address.port)
      try stranger.send(nonsense)
      try bystander.send("still here")
      #expect(try bystander.next() == .text("0:still here"))
      _ = try stranger.receiveToEnd()
    }
  }

  @Test("A client that sends HTTP to a TLS port gets an answer that says so")
  func plainHTTP() throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate)
    let socket = try shards.socket()
    try socket.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    let answer = String(decoding: try socket.receiveToEnd(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 400 "))
    #expect(answer.contains("HTTPS"))
  }

  @Test("A handshake that trickles in is closed after 10 s")
  func slowHandshake() throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate)
    let bystander = try connect(shards)
    let silent = try shards.socket()
    let dripping = try shards.socket()
    // The beginning of a client's hello of 256 bytes.
    try dripping.send([22, 3, 1, 1, 0, 1])
    try bystander.send("here")
    #expect(try bystander.next() == .text("0:here"))
    for _ in 0..<9 {
      try shards.pass(seconds: 1)
      try dripping.send([0])
      #expect(!silent.hasInput)
    }
    try shards.pass(milliseconds: 1_100)
    #expect(try silent.receive().isEmpty)
    #expect(try dripping.receive().isEmpty)
    try bystander.send("still here")
    #expect(try bystander.next() == .text("0:still here"))
  }

  @Test("A renewed certificate applies to new connections; a bad file is reported and changes nothing")
  func reload() throws {
    let certificate = try TestCertificate("first")
    let pair = try TLSCertificate(certificate: certificate.certificateFile, key: certificate.keyFile)
    let shards = try TestShards(listener: ListenerConfiguration(certificate: pair))
    func nameOfServer() throws -> String { try TestTLSSocket(port: shards.address.port).serverName }
    let old = try connect(shards)
    #expect(try nameOfServer() == "first")
    try certificate.write(named: "second")
    #expect(try nameOfServer() == "first")
    try pair.reload()
    #expect(try nameOfServer() == "second")
    try certificate.spoil()
    #expect(throws: TLSFailure.self) { try pair.reload() }
    #expect(try nameOfServer() == "second")
    try old.send("still here")
    #expect(try old.next() == .text("0:still here"))
  }

  @Test("A key that does not match the certificate is refused at the start")
  func wrongKey() throws {
    let one = try TestCertificate()
    let other = try TestCertificate()
    #expect(throws: TLSFailure.self) { try TLSCertificate(certificate: one.certificateFile, key: other.keyFile) }
    do throws(TLSFailure) {
      _ = try TLSCertificate(certificate: "/nowhere", key: one.keyFile)
      Issue.record("a certificate that is nowhere is taken")
    } catch {
      #expect(error.description == "can't use the certificate /nowhere: No such file or directory")
    }
  }

  @Test("A peer that resets with many unsent bytes ends its own connection and not the process")
  func reset() throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate)
    let bystander = try connect(shards)
    for _ in 0..<20 {
      let tls = try TestTLSSocket(port: shards.address.port)
      let leaver = try TestPeer(tls)
      try leaver.send("flood 500000")
      tls.socket.reset()
      try bystander.send("here")
      #expect(try bystander.next() == .text("0:here"))
    }
  }

  @Test(
    "Bytes that a slow reader's TLS did not take at once arrive complete and in order, also over a move",
    arguments: [false, true]
  )
  func slowReader(moves: Bool) throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate, shardCount: 2) {
      $0.unsentBytesMax = 1 << 24
      $0.kernelSendBytes = 16_384
    }
    let peer = try connect(shards)
    try peer.send(moves ? "flood-move 900000 0" : "flood 900000")
    try peer.send("behind")
    var numbers: [UInt32] = []
    var words: [String] = []
    while !words.contains(where: { $0.hasSuffix(":behind") }) {
      switch try peer.next() {
      case .binary(let payload):
        numbers.append(payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        #expect(payload.count == CommandService.floodBytes)
      case .text(let text): words.append(text)
      case let other: throw TestFailure("unexpected: \(other)")
      }
    }
    #expect(numbers.count > 20)
    #expect(numbers == Array(0..<UInt32(numbers.count)))
    #expect(words.last == (moves ? "0:behind" : "1:behind"))
  }

  @Test("Decrypted bytes left by a short read are read without a further byte from the peer")
  func pending() throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate, shardCount: 2) { $0.readBytesMax = 100 }
    let peer = try connect(shards)
    // One record holds it all; the move comes in its midst.
    let texts = (0..<300).map { "message \($0)" }
    try peer.send(raw: (texts[..<150] + ["move 0"] + texts[150...]).flatMap { TestPeer.frame($0) })
    for text in texts[..<150] { #expect(try peer.next() == .text("1:\(text)")) }
    #expect(try peer.next() == .text("0:adopted cargo"))
    for text in texts[150...] { #expect(try peer.next() == .text("0:\(text)")) }
  }

  @Test("Endless key updates delay no other connection")
  func keyUpdates() throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate)
    let bystander = try connect(shards)
    let tls = try TestTLSSocket(port: shards.address.port, options { $0.version = TLS1_3_VERSION })
    let offender = try TestPeer(tls)
    for round in 0..<200 {
      for _ in 0..<10 { try tls.updateKeys() }
      try bystander.send("here \(round)")
      #expect(try bystander.next() == .text("0:here \(round)"))
    }
    try offender.send("still understood")
    #expect(try offender.next() == .text("0:still understood"))
  }

  @Test("A client of ours verifies its server")
  func dialling() throws {
    let certificate = try TestCertificate()
    let shards = try serve(certificate)
    let trusting = try TLSContext(trusting: certificate.certificateFile)
    let wary = try TLSContext(trusting: nil)
    let port = shards.address.port
    let address = try ResolvedAddress(host: "127.0.0.1", port: port)
    for (tls, host, event) in [
      (trusting, "127.0.0.1", "0 opened"), (wary, "127.0.0.1", "0 closed nil"), (trusting, "elsewhere", "0 closed nil"),
    ] {
      let clients = try TestShards()
      try clients.on(0) { shard in
        let request = UpgradeRequest(
          host: "\(host):\(port)",
          path: "/",
          subprotocols: [],
          nonce: Array(repeating: 1, count: 16)
        )
        do throws(NetError) {
          _ = try shard.core.dial(address, request, tls: tls, messageBytesMax: 100, context: DialMark())
        } catch {
          Issue.record("no socket: \(error)")
        }
      }
      try clients.log.wait { $0.contains { $0.hasPrefix(event) } }
    }
  }
}

private final class DialMark {}
