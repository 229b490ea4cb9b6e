// The agreement of both sides on compression (RFC 7692 §5, §7.1): tables of offers and of answers.
import Testing
import WebSocket

struct CompressionNegotiationTests {
  private static let taken = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
  private static let full = "\(taken); server_max_window_bits=12"

  /// The fields of a request, and the answer's field; nil where no offer is acceptable.
  private static let offers: [(fields: [String], answer: String?)] = [
    ([], nil),
    (["permessage-deflate"], full),
    (["permessage-deflate; client_max_window_bits"], "\(full); client_max_window_bits=15"),
    (["permessage-deflate; client_max_window_bits=10"], "\(full); client_max_window_bits=10"),
    (["permessage-deflate; client_max_window_bits=8"], "\(full); client_max_window_bits=8"),
    (["permessage-deflate; server_no_context_takeover"], full),
    (["permessage-deflate; client_no_context_takeover;server_no_context_takeover"], full),
    (["permessage-deflate; server_max_window_bits=15"], full),
    (["permessage-deflate; server_max_window_bits=12"], full),
    (["permessage-deflate; server_max_window_bits=9"], "\(taken); server_max_window_bits=9"),
    (["permessage-deflate; server_max_window_bits=\"10\""], "\(taken); server_max_window_bits=10"),
    (["permessage-deflate; server_max_window_bits=\"1\\1\""], "\(taken); server_max_window_bits=11"),
    (["permessage-deflate ;\tserver_max_window_bits = 11 "], "\(taken); server_max_window_bits=11"),
    // zlib can't compress with 8 bits.
    (["permessage-deflate; server_max_window_bits=8"], nil),
    (["permessage-deflate; server_max_window_bits"], nil),
    (["permessage-deflate; server_max_window_bits=7"], nil),
    (["permessage-deflate; server_max_window_bits=16"], nil),
    (["permessage-deflate; server_max_window_bits=012"], nil),
    (["permessage-deflate; server_max_window_bits=+12"], nil),
    (["permessage-deflate; server_max_window_bits=0xc"], nil),
    (["permessage-deflate; server_max_window_bits=99999999999999999999"], nil),
    (["permessage-deflate; client_max_window_bits=16"], nil),
    (["permessage-deflate; client_no_context_takeover=1"], nil),
    (["permessage-deflate; server_no_context_takeover=\"true\""], nil),
    (["permessage-deflate; server_max_window_bits=12; server_max_window_bits=12"], nil),
    (["permessage-deflate; client_max_window_bits; client_max_window_bits=12"], nil),
    (["permessage-deflate; unknown"], nil),
    (["permessage-deflate; SERVER_NO_CONTEXT_TAKEOVER"], nil),
    (["x-webkit-deflate-frame"], nil),
    (["permessage-bzip2; x=\"y\", foo"], nil),
    (["foo; bar=1, permessage-deflate"], full),
    (["permessage-deflate; server_max_window_bits=8, permessage-deflate"], full),
    (
      ["permessage-deflate; x, permessage-deflate; server_max_window_bits=10, permessage-deflate"],
      "\(taken); server_max_window_bits=10"
    ),
    (["foo", "permessage-deflate; unknown", "permessage-deflate"], full),
    ([",, permessage-deflate,"], full),
    (["", "permessage-deflate"], full),
  ]

  private func request(_ fields: [String], version: String = "HTTP/1.1") throws -> RequestHead {
    let lines =
      [
        "GET /v1/play \(version)", "Host: a", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
      ] + fields.map { "Sec-WebSocket-Extensions: \($0)" }
    return try parsed(Array((lines + ["", ""]).joined(separator: "\r\n").utf8))
  }

  @Test("The first acceptable offer is chosen, and the answer is exact", arguments: offers.indices)
  func accepting(index: Int) throws {
    let (fields, answer) = Self.offers[index]
    let upgrade = try Upgrade.accept(request(fields), subprotocols: [], compresses: true)
    let lines = String(decoding: upgrade.response, as: UTF8.self).split(separator: "\r\n")
    let answers = lines.filter { $0.hasPrefix("Sec-WebSocket-Extensions") }
    #expect(answers == (answer.map { ["Sec-WebSocket-Extensions: \($0)"] } ?? []), "\(fields)")
    #expect((upgrade.compression == nil) == (answer == nil))
    let silent = try Upgrade.accept(request(fields), subprotocols: [], compresses: false)
    #expect(silent.compression == nil)
    #expect(!String(decoding: silent.response, as: UTF8.self).contains("Extensions"))
  }

  @Test("The agreed parameters determine the compression of both sides")
  func agreed() throws {
    let offer = ["permessage-deflate; server_max_window_bits=10; client_max_window_bits=9"]
    let small = try Upgrade.accept(request(offer), subprotocols: [], compresses: true)
    #expect(small.compression == PermessageDeflate(serverWindowBits: 10, clientWindowBits: 9))
    let free = try Upgrade.accept(request(["permessage-deflate"]), subprotocols: [], compresses: true)
    #expect(free.compression == PermessageDeflate(serverWindowBits: 12, clientWindowBits: 15))
  }

  @Test(
    "A field that violates the grammar of extensions is refused, whether compression is supported or not",
    arguments: [
      "", ",", " , ", ";", "permessage-deflate;", "permessage-deflate; ;x", "; x", "a b", "a=b", "a; b=", "a; =b",
      "a; b=c=d", "a; b=\"", "a; b=\"c", "a; b=\"c\\", "a; b=\"\"", "a; b=\"c d\"", "a; b=\"c,d\"", "a; b=\"c\"d",
      "(a)",
      "permessage-deflate, a b", "permessage-deflate; x=\"é\"", "permessage_déflate",
    ]
  )
  func brokenGrammar(field: String) throws {
    for compresses in [true, false] {
      let failure = #expect(throws: HTTPFailure.self) {
        try Upgrade.accept(request([field]), subprotocols: [], compresses: compresses)
      }
      #expect(failure?.status == 400)
    }
  }

  private func answered(_ fields: [String], compresses: Bool = true) throws -> PermessageDeflate? {
    let nonce = Array("the sample nonce".utf8)
    let client = UpgradeRequest(host: "a", path: "/", subprotocols: [], nonce: nonce, compresses: compresses)
    let lines =
      [
        "HTTP/1.1 101 x", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
      ] + fields.map { "Sec-WebSocket-Extensions: \($0)" }
    var parser = ResponseHeadParser()
    let found = try Array((lines + ["", ""]).joined(separator: "\r\n").utf8).withUnsafeBytes { try parser.parse($0) }
    return try client.check(#require(found).head).compression
  }

  @Test("A client accepts every allowed answer to its offer, and respects a smaller window")
  func goodAnswers() throws {
    let own = "permessage-deflate; server_no_context_takeover"
    #expect(try answered([]) == nil)
    #expect(try answered([own]) == PermessageDeflate(serverWindowBits: 15, clientWindowBits: 12))
    #expect(try answered([Self.full]) == PermessageDeflate(serverWindowBits: 12, clientWindowBits: 12))
    for (bits, kept) in [(9, 9), (11, 11), (12, 12), (15, 12)] {
      let agreed = try answered(["\(own); client_max_window_bits=\(bits); server_max_window_bits=8"])
      #expect(agreed == PermessageDeflate(serverWindowBits: 8, clientWindowBits: kept))
    }
    #expect(try answered([], compresses: false) == nil)
  }

  @Test("A client refuses an answer that it has not offered, or that is invalid")
  func badAnswers() {
    let own = "permessage-deflate; server_no_context_takeover"
    let notOffered = [
      ["permessage-deflate"], ["permessage-deflate; client_no_context_takeover"], ["\(own); x"], ["\(own); x=1"],
      ["foo"], [own, own], ["\(own), foo"], ["\(own); client_max_window_bits=8"],
    ]
    for fields in notOffered {
      let failure = #expect(throws: UpgradeFailure.self, "\(fields)") { try answered(fields) }
      guard case .notOffered = failure else {
        Issue.record("\(fields): \(String(describing: failure))")
        continue
      }
    }
    let malformed = [
      ["\(own); server_no_context_takeover"], ["\(own); client_no_context_takeover=1"],
      ["\(own); client_max_window_bits"], ["\(own); client_max_window_bits=16"], ["\(own); server_max_window_bits"],
      ["\(own); server_max_window_bits=7"], ["\(own);"], [""],
    ]
    for fields in malformed {
      let failure = #expect(throws: UpgradeFailure.self, "\(fields)") { try answered(fields) }
      guard case .malformed = failure else {
        Issue.record("\(fields): \(String(describing: failure))")
        continue
      }
    }
    #expect(throws: UpgradeFailure.self, "none was offered") { try answered([own], compresses: false) }
  }

  @Test("Our client and our server agree")
  func bothSides() throws {
    let nonce = Array("the sample nonce".utf8)
    let client = UpgradeRequest(host: "a", path: "/", subprotocols: [], nonce: nonce, compresses: true)
    let upgrade = try Upgrade.accept(parsed(client.bytes), subprotocols: [], compresses: true)
    var parser = ResponseHeadParser()
    let found = try #require(upgrade.response.withUnsafeBytes { try parser.parse($0) })
    let agreed = try client.check(found.head).compression
    #expect(agreed == PermessageDeflate(serverWindowBits: 12, clientWindowBits: 12))
    #expect(upgrade.compression == PermessageDeflate(serverWindowBits: 12, clientWindowBits: 15))
  }
}
