// The client's side of the opening handshake (RFC 6455 §4.1): its request, and the answers that it accepts.
import SeededRandom
import Testing
import WebSocket

struct UpgradeRequestTests {
  private let request = UpgradeRequest(
    host: "server.example.com",
    path: "/chat?x=1",
    subprotocols: ["chat", "superchat"],
    nonce: Array("the sample nonce".utf8)
  )

  private static let goodFields = [
    "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
  ]

  /// The head of these bytes, fed byte by byte, and its length.
  private func response(_ bytes: [UInt8]) throws(UpgradeFailure) -> (head: ResponseHead, byteCount: Int)? {
    var parser = ResponseHeadParser()
    for count in 0...bytes.count {
      let result = Array(bytes[..<count]).withUnsafeBytes { unread in
        Result { () throws(UpgradeFailure) in try parser.parse(unread) }
      }
      if let found = try result.get() { return found }
    }
    return nil
  }

  private func check(_ status: String, _ fields: [String]) throws -> String? {
    let bytes = Array((["HTTP/1.1 \(status)"] + fields + ["", ""]).joined(separator: "\r\n").utf8)
    return try request.check(#require(try response(bytes)).head).subprotocol
  }

  @Test("The request has all fields that the RFC requires, with the nonce of §1.3 as its key")
  func bytesSent() {
    let expected =
      "GET /chat?x=1 HTTP/1.1\r\nHost: server.example.com\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Protocol: chat, superchat\r\n\r\n"
    #expect(String(decoding: request.bytes, as: UTF8.self) == expected)
  }

  @Test("Client and server agree for any nonce", arguments: 1...50 as ClosedRange<UInt64>)
  func bothSides(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let nonce = random.bytes(count: 16)
    let client = UpgradeRequest(host: "[::1]:8080", path: "/v1/play", subprotocols: ["b", "a"], nonce: nonce)
    let server = try Upgrade.accept(parsed(client.bytes), subprotocols: ["a", "b"])
    let firstFrame: [UInt8] = [0x81, 0x00]
    let found = try #require(try response(server.response + firstFrame))
    #expect(found.byteCount == server.response.count, "the head ends before the first frame")
    #expect(try client.check(found.head).subprotocol == "a")
  }

  @Test("Without subprotocols none is offered and none may be chosen")
  func noSubprotocols() throws {
    let client = UpgradeRequest(host: "a", path: "/", subprotocols: [], nonce: Array("the sample nonce".utf8))
    #expect(!String(decoding: client.bytes, as: UTF8.self).contains("Protocol"))
    let fields = Self.goodFields + ["Sec-WebSocket-Protocol: chat"]
    let bytes = Array((["HTTP/1.1 101 x"] + fields + ["", ""]).joined(separator: "\r\n").utf8)
    let found = try #require(try response(bytes))
    #expect(throws: UpgradeFailure.self) { try client.check(found.head) }
  }

  @Test("A valid answer gives the chosen subprotocol, or none")
  func goodAnswers() throws {
    #expect(try check("101 Switching Protocols", Self.goodFields) == nil)
    #expect(try check("101 ", Self.goodFields + ["Sec-WebSocket-Protocol: superchat"]) == "superchat")
    #expect(try check("101", ["UPGRADE: WebSocket", "connection: x, upgrade", Self.goodFields[2]]) == nil)
  }

  @Test("Any other status is a refusal that names it", arguments: [200, 301, 400, 403, 426, 503])
  func otherStatus(status: Int) {
    #expect(throws: UpgradeFailure.refused(status: status)) { try check("\(status) x", Self.goodFields) }
  }

  @Test("An answer without one of the three fields is not a WebSocket answer", arguments: 0..<3)
  func missingFields(index: Int) {
    var fields = Self.goodFields
    fields.remove(at: index)
    #expect(throws: UpgradeFailure.self) { try check("101 x", fields) }
  }

  @Test(
    "An answer with an unoffered choice or a wrong accept key is refused",
    arguments: [
      ["Sec-WebSocket-Protocol: other"], ["Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Protocol: superchat"],
      ["Sec-WebSocket-Protocol: chat, superchat"], ["Sec-WebSocket-Extensions: permessage-deflate"],
      ["Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="],
    ]
  )
  func badAnswers(fields: [String]) {
    #expect(throws: UpgradeFailure.self) { try check("101 x", Self.goodFields + fields) }
  }

  @Test(
    "The accept key must match exactly",
    arguments: ["", "s3pPLMBiTxaQ9kYGzzhZRbK+xOO=", "S3PPLMBITXAQ9KYGZZHZRBK+XOO="]
  )
  func wrongAccept(accept: String) {
    let fields = Array(Self.goodFields[..<2]) + ["Sec-WebSocket-Accept: \(accept)"]
    #expect(throws: UpgradeFailure.self) { try check("101 x", fields) }
  }

  @Test(
    "A status line that is not HTTP/1.1 is malformed",
    arguments: [
      "", "HTTP/1.0 101 x", "HTTP/1.1 1011 x", "HTTP/1.1 10 x", "HTTP/1.1 0x1 x", "HTTP/1.1 099 x", "HTTP/1.1", "x",
    ]
  )
  func malformedStatus(line: String) {
    #expect(throws: UpgradeFailure.self) { try response(head(line, "A: b")) }
  }

  @Test("An endless head is not buffered without limit")
  func tooLarge() {
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 9_000)
    #expect(throws: UpgradeFailure.malformed("The head is too large.")) { try response(bytes) }
  }
}
