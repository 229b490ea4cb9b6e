// The opening handshake, both sides (RFC 6455 §4): the example of §1.3, and each rule broken alone.
import Testing
import WebSocket

struct UpgradeTests {
  private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
  private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

  /// The fields of a good handshake; `replacing` gives some of them other values, several or none.
  private func request(_ replacing: [String: [String]] = [:], method: String = "GET") throws -> RequestHead {
    var fields = [
      "Host": ["server.example.com"], "Upgrade": ["websocket"], "Connection": ["Upgrade"],
      "Sec-WebSocket-Key": [Self.key], "Sec-WebSocket-Version": ["13"],
    ]
    fields.merge(replacing) { $1 }
    let lines = fields.flatMap { name, values in values.map { "\(name): \($0)" } }
    return try parsed(Array((["\(method) /chat HTTP/1.1"] + lines + ["", ""]).joined(separator: "\r\n").utf8))
  }

  private func refusal(_ head: RequestHead) -> HTTPFailure? {
    do {
      _ = try Upgrade.accept(head, subprotocols: ["madang.v1.json", "madang.v1.proto"])
      return nil
    } catch {
      return error
    }
  }

  @Test("The handshake of RFC 6455 §1.3 is answered with its accept key and subprotocol")
  func example() throws {
    let head = try request(["Sec-WebSocket-Protocol": ["chat, superchat"], "Origin": ["http://example.com"]])
    #expect(Upgrade.isRequested(by: head))
    let upgrade = try Upgrade.accept(head, subprotocols: ["chat"])
    #expect(upgrade.subprotocol == "chat")
    let expected =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(Self.accept)\r\nSec-WebSocket-Protocol: chat\r\n\r\n"
    #expect(String(decoding: upgrade.response, as: UTF8.self) == expected)
  }

  @Test("Only a request with websocket in Upgrade is an upgrade")
  func requested() throws {
    #expect(try Upgrade.isRequested(by: request(["Upgrade": ["h2c, WebSocket"]])))
    #expect(try Upgrade.isRequested(by: request(["Upgrade": ["h2c", "WEBSOCKET"]])))
    #expect(try !Upgrade.isRequested(by: request(["Upgrade": []])))
    #expect(try !Upgrade.isRequested(by: request(["Upgrade": ["h2c"]])))
    #expect(try !Upgrade.isRequested(by: request(["Upgrade": ["websockets"]])))
  }

  @Test("Upgrade and Connection are case-insensitive lists")
  func lists() throws {
    let head = try request(["Upgrade": ["h2c, WebSocket"], "Connection": ["keep-alive, UPGRADE"]])
    #expect(refusal(head) == nil)
  }

  @Test(
    "A handshake that violates a rule is refused",
    arguments: [
      ["Upgrade": []], ["Upgrade": ["h2c"]], ["Connection": []], ["Connection": ["keep-alive"]],
      ["Connection": ["Upgrades"]], ["Sec-WebSocket-Version": ["13", "13"]], ["Sec-WebSocket-Key": []],
      ["Sec-WebSocket-Key": [key, key]],
    ]
  )
  func brokenRules(fields: [String: [String]]) throws {
    #expect(refusal(try request(fields))?.status == 400)
  }

  @Test(
    "A key that is not 16 bytes in canonical base64 is refused",
    arguments: [
      "", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZXg=", "dGhlIHNhbXBsZSBub25jZXh5",
      "dGhlIHNhbXBsZSBub25jZR==", "dGhlIHNhbXBsZSBub25j=Q==", "dGhlIHNhbXBsZSBub25j Q==", "dGhlIHNhbXBsZSBub25jZ_==",
      "dGhlIHNhbXBsZSBub24=", "dGhlIHNhbXBsZSBub25jZSBhbmQgbW9yZQ==", "========================",
      "dGhlIHNhbXBsZSBub25jZQé",
    ]
  )
  func badKeys(key: String) throws {
    #expect(refusal(try request(["Sec-WebSocket-Key": [key]]))?.status == 400)
  }

  @Test("Another version is refused with the supported one", arguments: [[], ["8"], ["7, 13"], ["013"], ["14"]])
  func versions(values: [String]) throws {
    let failure = try #require(refusal(request(["Sec-WebSocket-Version": values])))
    #expect(failure.status == 426)
    #expect(failure.response.headers.values(of: "Sec-WebSocket-Version") == ["13"])
    #expect(failure.response.headers.values(of: "Upgrade") == ["websocket"])
  }

  @Test("HEAD does not upgrade")
  func head() throws {
    #expect(refusal(try request(method: "HEAD"))?.status == 400)
  }

  @Test(
    "The server chooses its most preferred subprotocol of the offered ones",
    arguments: [
      ([], nil), (["madang.v1.json"], "madang.v1.json"), (["madang.v1.proto"], "madang.v1.proto"),
      (["madang.v1.proto, madang.v1.json"], "madang.v1.json"), (["x", "madang.v1.proto,,y"], "madang.v1.proto"),
    ] as [([String], String?)]
  )
  func subprotocols(offered: [String], chosen: String?) throws {
    let head = try request(["Sec-WebSocket-Protocol": offered])
    let upgrade = try Upgrade.accept(head, subprotocols: ["madang.v1.json", "madang.v1.proto"])
    #expect(upgrade.subprotocol == chosen)
    let response = String(decoding: upgrade.response, as: UTF8.self)
    #expect(response.contains("Sec-WebSocket-Protocol") == (chosen != nil))
  }

  @Test(
    "An offer of unknown subprotocols only, or of an invalid token, is refused",
    arguments: [["madang.v2.json"], ["MADANG.V1.JSON"], [""], [","], ["a b"], ["madang.v1.json, (x)"]]
  )
  func badSubprotocols(offered: [String]) throws {
    #expect(refusal(try request(["Sec-WebSocket-Protocol": offered]))?.status == 400)
  }
}
