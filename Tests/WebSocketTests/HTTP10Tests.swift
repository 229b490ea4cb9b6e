// Requests of HTTP/1.0, which proxies send by default, and the answers that the server gives by itself.
import Testing
import WebSocket

struct HTTP10Tests {
  @Test("GET and HEAD of HTTP/1.0 are accepted, with a Host or without", arguments: ["GET", "HEAD"])
  func taken(method: String) throws {
    for fields in [[], ["Host: a.example"]] {
      let lines = ["\(method) /healthz?x HTTP/1.0"] + fields + ["", ""]
      let bytes = Array(lines.joined(separator: "\r\n").utf8)
      #expect(ParsedHead.everyWay(bytes).status == nil)
      let request = try parsed(bytes)
      #expect(request.method == method)
      #expect(request.path == "/healthz")
      #expect(request.minorVersion == 0)
    }
    #expect(try parsed(head("GET / HTTP/1.1", "Host: a")).minorVersion == 1)
  }

  @Test("A connection of HTTP/1.0 is never kept alive", arguments: ["close", "keep-alive", "Keep-Alive, x"])
  func keepsAlive(connection: String) throws {
    #expect(try !parsed(head("GET / HTTP/1.0")).keepsAlive)
    #expect(try !parsed(head("GET / HTTP/1.0", "Connection: \(connection)")).keepsAlive)
  }

  @Test("All other rules hold for HTTP/1.0 too")
  func otherRules() {
    let refused: [(fields: [String], status: Int)] = [
      (["GET / HTTP/1.0", "Host: a", "Host: a"], 400), (["GET / HTTP/1.0", "Host: a b"], 400),
      (["GET / HTTP/1.0", "Content-Length: 1"], 413), (["GET / HTTP/1.0", "Transfer-Encoding: chunked"], 501),
      (["POST / HTTP/1.0"], 405), (["GET http://b/ HTTP/1.0", "Host: a"], 400), (["GET http://b/ HTTP/1.0"], 400),
      (["GET / HTTP/1.1"], 400), (["GET / HTTP/1.2"], 505), (["GET / HTTP/2.0", "Host: a"], 505),
      (["GET / HTTP/1.0 "], 400), (["GET /"], 400),
    ]
    for (fields, status) in refused {
      let bytes = Array((fields + ["", ""]).joined(separator: "\r\n").utf8)
      #expect(ParsedHead.everyWay(bytes).status == status, "\(fields)")
    }
  }

  @Test("A WebSocket upgrade over HTTP/1.0 is not accepted")
  func upgrade() throws {
    let fields = [
      "Host: a", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version: 13",
    ]
    func accept(_ version: String) throws -> Upgrade {
      let lines = ["GET / \(version)"] + fields + ["", ""]
      return try Upgrade.accept(parsed(Array(lines.joined(separator: "\r\n").utf8)), subprotocols: [])
    }
    _ = try accept("HTTP/1.1")
    let failure = #expect(throws: HTTPFailure.self) { try accept("HTTP/1.0") }
    #expect(failure?.status == 400)
  }

  @Test("The server's own refusals have a status, a reason, and a Retry-After")
  func refusals() {
    let all: [(failure: HTTPFailure, start: String, retryAfter: [String])] = [
      (.originNotAllowed, "HTTP/1.1 403 Forbidden\r\n", []), (.requestTimeout, "HTTP/1.1 408 Request Timeout\r\n", []),
      (.tooManyRequests(retryAfterSeconds: 60), "HTTP/1.1 429 Too Many Requests\r\n", ["60"]),
      (.serviceUnavailable(retryAfterSeconds: 5), "HTTP/1.1 503 Service Unavailable\r\n", ["5"]),
    ]
    for (failure, start, retryAfter) in all {
      let response = failure.response
      #expect(response.headers.values(of: "Retry-After") == retryAfter)
      let text = String(decoding: response.serialized(keepAlive: false, headOnly: false), as: UTF8.self)
      #expect(text.hasPrefix(start))
      #expect(text.hasSuffix("\r\n\r\n\(failure.reason)\n"))
      #expect(text.contains("Connection: close\r\n"))
    }
  }
}
