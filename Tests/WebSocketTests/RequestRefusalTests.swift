// Refused requests: malformed ones, ones that this server does not serve, and shapes that two readers take for
// different requests (RFC 9112 §11.2).
import Testing
import WebSocket

struct RequestRefusalTests {
  @Test(
    "A request line that is not exactly three well-formed parts is refused",
    arguments: [
      "", " GET / HTTP/1.1", "GET /", "GET", "GET  / HTTP/1.1", "GET /  HTTP/1.1", "GET / HTTP/1.1 ",
      "GET\t/\tHTTP/1.1",
      "GET /a b HTTP/1.1", "G(T / HTTP/1.1", "GÉT / HTTP/1.1", "GET /é HTTP/1.1", "GET /#f HTTP/1.1", "GET / http/1.1",
      "GET / HTTP/1", "GET / HTTP/11", "GET / HTTP/1.1x", "GET / HTTP/x.1", "GET / HTTP/1,1", "GET / XTTP/1.1",
      "GET a HTTP/1.1", "GET * HTTP/1.1", "GET ?q HTTP/1.1", "GET ftp://a/ HTTP/1.1", "GET a:80 HTTP/1.1",
    ]
  )
  func requestLines(line: String) {
    #expect(ParsedHead.everyWay(head(line, "Host: a")).status == 400)
  }

  @Test("Other versions of HTTP are refused as such", arguments: ["HTTP/0.9", "HTTP/2.0", "HTTP/1.2", "HTTP/0.0"])
  func versions(version: String) {
    #expect(ParsedHead.everyWay(head("GET / \(version)", "Host: a")).status == 505)
  }

  @Test("Other methods are refused, and the answer names the supported ones")
  func methods() {
    for method in ["POST", "PUT", "OPTIONS", "CONNECT", "get", "GETS"] {
      guard case .failure(let failure) = ParsedHead.everyWay(head("\(method) / HTTP/1.1", "Host: a")) else {
        Issue.record("\(method) is not refused")
        continue
      }
      #expect(failure.status == 405)
      #expect(failure.response.headers.values(of: "Allow") == ["GET, HEAD"])
    }
  }

  @Test(
    "A field that two parsers could split in two ways is refused",
    arguments: [
      "X : y", "X\t: y", " X: y", "\tX: y", ": y", "X", "X(Y): z", "X Y: z", "Xé: y", "\"X\": y", "X\u{0}: y",
      "X: a\u{0}b", "X: a\u{7F}b", "X: a\u{1}b", "X: a\u{B}b", "X: a\rb", "X: a\r\r", "X: a\nb", "X: a\nY: b",
      "X: a\r\n b", "X: a\r\n\tb",
    ]
  )
  func fields(field: String) {
    #expect(ParsedHead.everyWay(head("GET / HTTP/1.1", "Host: a", field)).status == 400)
    #expect(ParsedHead.everyWay(head("GET / HTTP/1.1", field, "Host: a")).status == 400)
  }

  @Test(
    "Lines that don't end in CR LF are refused",
    arguments: [
      "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
      "GET / HTTP/1.1\rHost: a\r\r", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\rX",
    ]
  )
  func lineEnds(text: String) {
    #expect(ParsedHead.everyWay(Array(text.utf8)).status == 400)
  }

  @Test(
    "A request must have exactly one valid Host",
    arguments: [
      [], ["Host: a", "Host: a"], ["Host: a", "hOST: b"], ["Host: a b"], ["Host: a/b"], ["Host: a@b"], ["Host: é"],
      ["Host: a?b"], ["Host: a#b"], ["Host: a\\b"],
    ]
  )
  func hosts(fields: [String]) {
    let text = (["GET / HTTP/1.1"] + fields + ["", ""]).joined(separator: "\r\n")
    #expect(ParsedHead.everyWay(Array(text.utf8)).status == 400)
  }

  @Test(
    "Addresses with ports are valid hosts, and so is an empty one",
    arguments: ["[::1]:80", "127.0.0.1:8080", "a_b.c", ""]
  )
  func goodHosts(host: String) throws {
    #expect(try parsed(head("GET / HTTP/1.1", "Host: \(host)")).values(of: "Host") == [host])
  }

  @Test(
    "An absolute target of another host is refused",
    arguments: ["http://b/", "http://a:80/", "http://user@a/", "http:///", "http://ab", "http://"]
  )
  func foreignTargets(target: String) {
    #expect(ParsedHead.everyWay(head("GET \(target) HTTP/1.1", "Host: a")).status == 400)
  }

  @Test(
    "A length that is not one plain number is refused",
    arguments: [
      ["Content-Length: 0", "Content-Length: 0"], ["Content-Length: 0", "content-length: 5"], ["Content-Length: 0, 0"],
      ["Content-Length: +0"], ["Content-Length: -1"], ["Content-Length: 0x0"], ["Content-Length:"],
      ["Content-Length: 0 0"], ["Content-Length: ٠"], ["Content-Length: 0.0"],
    ]
  )
  func malformedLengths(fields: [String]) {
    let text = (["GET / HTTP/1.1", "Host: a"] + fields + ["", ""]).joined(separator: "\r\n")
    #expect(ParsedHead.everyWay(Array(text.utf8)).status == 400)
  }

  @Test(
    "A body is refused, however long",
    arguments: ["1", "00001", "18446744073709551616", "99999999999999999999999"]
  )
  func bodies(length: String) {
    #expect(ParsedHead.everyWay(head("GET / HTTP/1.1", "Host: a", "Content-Length: \(length)")).status == 413)
  }

  @Test("A length of zero announces no body", arguments: ["0", "000"])
  func noBody(length: String) {
    #expect(ParsedHead.everyWay(head("GET / HTTP/1.1", "Host: a", "Content-Length: \(length)")).status == nil)
  }

  @Test("A transfer coding is not supported, and together with a length it is an attack")
  func transferCodings() {
    for coding in ["chunked", "identity", "xchunked", ""] {
      let field = "Transfer-Encoding: \(coding)"
      #expect(ParsedHead.everyWay(head("GET / HTTP/1.1", "Host: a", field)).status == 501)
      for length in ["Content-Length: 0", "content-length: 5"] {
        #expect(ParsedHead.everyWay(head("GET / HTTP/1.1", "Host: a", field, length)).status == 400)
        #expect(ParsedHead.everyWay(head("GET / HTTP/1.1", "Host: a", length, field)).status == 400)
      }
    }
  }

  @Test("Bytes of another protocol are refused before a line ends")
  func otherProtocols() {
    // The start of a TLS handshake.
    #expect(ParsedHead.everyWay(bytes("16 03 01 02 00 01 00 01")).status == 400)
    #expect(ParsedHead.everyWay(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)).status == 505)
  }
}
