// Accepted request heads, their fields, and the limits (RFC 9112 §2, §3, §9.3).
import Testing
import WebSocket

struct RequestHeadTests {
  @Test("Method, path, query and fields are read unchanged")
  func wholeHead() {
    let bytes = head(
      "GET /j/7K3F9%2DQXA25?a=b&c=%20? HTTP/1.1",
      "Host: madang.example:8080",
      "X-Empty:",
      "x-Tab:\t v w \t"
    )
    let expected = ParsedHead.head(
      method: "GET",
      path: "/j/7K3F9%2DQXA25",
      query: "a=b&c=%20?",
      headers: [HeaderField("Host", "madang.example:8080"), HeaderField("X-Empty", ""), HeaderField("x-Tab", "v w")],
      byteCount: bytes.count
    )
    #expect(ParsedHead.everyWay(bytes) == expected)
  }

  @Test("HEAD is accepted, a query may be empty, and without a question mark there is none")
  func queries() throws {
    #expect(try parsed(head("HEAD / HTTP/1.1", "Host: a")).method == "HEAD")
    #expect(try parsed(head("GET /? HTTP/1.1", "Host: a")).query == "")
    #expect(try parsed(head("GET / HTTP/1.1", "Host: a")).query == nil)
  }

  @Test("Bytes after a head are left alone, and the next head is read from there")
  func pipelined() throws {
    let first = head("GET /1 HTTP/1.1", "Host: a")
    let second = head("GET /2 HTTP/1.1", "Host: a")
    var parser = RequestHeadParser()
    let found = try (first + second).withUnsafeBytes { try parser.parse($0) }
    #expect(found?.head.path == "/1")
    #expect(found?.byteCount == first.count)
    let next = try second.withUnsafeBytes { try parser.parse($0) }
    #expect(next?.head.path == "/2")
    #expect(next?.byteCount == second.count)
  }

  @Test("Fields are found in any case of their name, all of them, in order")
  func values() throws {
    let request = try parsed(head("GET / HTTP/1.1", "Host: a", "Accept: x", "ACCEPT: y", "accept-Not: z"))
    #expect(request.values(of: "aCCept") == ["x", "y"])
    #expect(request.values(of: "Accept-Encoding") == [])
  }

  @Test("A connection is kept alive unless the client says close, in any list and case")
  func keepsAlive() throws {
    #expect(try parsed(head("GET / HTTP/1.1", "Host: a")).keepsAlive)
    #expect(try parsed(head("GET / HTTP/1.1", "Host: a", "Connection: closed, enclose")).keepsAlive)
    #expect(try !parsed(head("GET / HTTP/1.1", "Host: a", "Connection: Close")).keepsAlive)
    #expect(try !parsed(head("GET / HTTP/1.1", "Host: a", "Connection: x", "connection: y ,\tCLOSE,")).keepsAlive)
  }

  @Test(
    "An absolute target of the same host is split into its parts",
    arguments: [
      ("http://a.example", "/", nil), ("HTTP://A.example/", "/", nil), ("https://a.example/p?q", "/p", "q"),
      ("http://a.example?q", "/", "q"),
    ] as [(String, String, String?)]
  )
  func absoluteTarget(target: String, path: String, query: String?) throws {
    let request = try parsed(head("GET \(target) HTTP/1.1", "Host: a.example"))
    #expect(request.path == path)
    #expect(request.query == query)
  }

  @Test("Values may have bytes beyond ASCII: UTF-8 is read, and other bytes are replaced")
  func valuesBeyondASCII() throws {
    let request = try parsed(
      Array("GET / HTTP/1.1\r\nHost: a\r\nX: 마당 ".utf8) + [0xFF, 0x0D, 0x0A, 0x0D, 0x0A]
    )
    #expect(request.values(of: "x") == ["마당 \u{FFFD}"])
  }

  @Test("A head of exactly the limit is accepted, one byte more is refused, also before its end arrives")
  func bytesMax() {
    let bytes = head("GET / HTTP/1.1", "Host: a", "X: " + String(repeating: "y", count: 1_000))
    let exact = ParsedHead.everyWay(bytes, limits: HeadLimits(bytesMax: bytes.count))
    #expect(exact.status == nil)
    #expect(exact != .unfinished)
    let short = HeadLimits(bytesMax: bytes.count - 1)
    #expect(ParsedHead.everyWay(bytes, limits: short).status == 431)
    #expect(ParsedHead.everyWay(Array(bytes.dropLast()), limits: short).status == 431)
    #expect(ParsedHead.everyWay(Array(bytes.dropLast(2)), limits: short) == .unfinished)
  }

  @Test("Bytes after a head do not count towards its limit")
  func bytesBehind() {
    let bytes = head("GET / HTTP/1.1", "Host: a")
    let parsed = ParsedHead.everyWay(
      bytes + [UInt8](repeating: 0xFF, count: 300),
      limits: HeadLimits(bytesMax: bytes.count)
    )
    guard case .head(_, _, _, _, let byteCount) = parsed else {
      Issue.record("the head is not taken: \(parsed)")
      return
    }
    #expect(byteCount == bytes.count)
  }

  @Test("64 fields are accepted, 65 are refused")
  func headerCountMax() {
    let start = "GET / HTTP/1.1\r\nHost: a\r\n"
    let taken = start + String(repeating: "X: y\r\n", count: 63) + "\r\n"
    #expect(ParsedHead.everyWay(Array(taken.utf8)).status == nil)
    let refused = start + String(repeating: "X: y\r\n", count: 64) + "\r\n"
    #expect(ParsedHead.everyWay(Array(refused.utf8)).status == 431)
  }

  @Test("The beginning of a head is not a head")
  func unfinished() {
    let bytes = head("GET / HTTP/1.1", "Host: a")
    #expect(ParsedHead.everyWay([]) == .unfinished)
    #expect(ParsedHead.everyWay(Array(bytes.dropLast())) == .unfinished)
  }
}
