// Heads of requests that bring bodies, where bodies are taken.
import Testing
import WebSocket

struct RequestBodyTests {
  private func parse(_ lines: String..., takesActs: Bool = false) -> Result<RequestHead, HTTPFailure> {
    let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    var parser = RequestHeadParser(takesBodies: true, takesActs: takesActs)
    return bytes.withUnsafeBytes { bytes in
      do throws(HTTPFailure) {
        guard let (head, byteCount) = try parser.parse(bytes) else {
          return .failure(HTTPFailure(status: 500, reason: "unfinished"))
        }
        #expect(byteCount == bytes.count)
        return .success(head)
      } catch {
        return .failure(error)
      }
    }
  }

  private func status(_ result: Result<RequestHead, HTTPFailure>) -> Int? {
    if case .failure(let failure) = result { failure.status } else { nil }
  }

  @Test("PUT and PATCH have a body of the stated length, GET and HEAD none")
  func lengths() throws {
    for method in ["PUT", "PATCH"] {
      for length in [0, 1, 5_242_880] {
        let head = try parse("\(method) /a HTTP/1.1", "Host: a", "Content-Length: \(length)").get()
        #expect(head.bringsBody && head.method == method && head.bodyByteCount == length)
      }
    }
    for method in ["GET", "HEAD"] {
      let head = try parse("\(method) /a HTTP/1.1", "Host: a", "Content-Length: 0").get()
      #expect(!head.bringsBody && head.bodyByteCount == 0)
      #expect(status(parse("\(method) /a HTTP/1.1", "Host: a", "Content-Length: 1")) == 413)
    }
  }

  @Test("A body without a length, with two, or in chunks is refused")
  func unclear() {
    #expect(status(parse("PUT / HTTP/1.1", "Host: a")) == 411)
    #expect(status(parse("PUT / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked")) == 501)
    #expect(status(parse("PUT / HTTP/1.1", "Host: a", "Content-Length: 3", "Transfer-Encoding: chunked")) == 400)
    #expect(status(parse("PUT / HTTP/1.1", "Host: a", "Content-Length: 3", "Content-Length: 3")) == 400)
    for length in ["", "+3", "-3", "3,3", "0x3", " ", "3 3", "३"] {
      #expect(status(parse("PUT / HTTP/1.1", "Host: a", "Content-Length: \(length)")) == 400, "\(length)")
    }
    for length in ["1000000000000000", "99999999999999999999999999", String(repeating: "9", count: 500)] {
      #expect(status(parse("PUT / HTTP/1.1", "Host: a", "Content-Length: \(length)")) == 413, "\(length)")
    }
    #expect(status(parse("POST / HTTP/1.1", "Host: a", "Content-Length: 3")) == 405)
  }

  @Test("Where acts are taken, a POST may have a body, without a length none, and a DELETE has none")
  func acts() throws {
    let post = try parse("POST /a HTTP/1.1", "Host: a", "Content-Length: 3", takesActs: true).get()
    #expect(post.bringsBody && post.bodyByteCount == 3)
    let empty = try parse("POST /a HTTP/1.1", "Host: a", takesActs: true).get()
    #expect(empty.bringsBody && empty.bodyByteCount == 0)
    let delete = try parse("DELETE /a HTTP/1.1", "Host: a", takesActs: true).get()
    #expect(!delete.bringsBody && delete.bodyByteCount == 0)
    #expect(status(parse("DELETE /a HTTP/1.1", "Host: a", "Content-Length: 1", takesActs: true)) == 413)
    #expect(status(parse("POST /a HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", takesActs: true)) == 501)
    #expect(status(parse("PUT /a HTTP/1.1", "Host: a", takesActs: true)) == 411)
    #expect(status(parse("OPTIONS /a HTTP/1.1", "Host: a", takesActs: true)) == 405)
    #expect(status(parse("DELETE /a HTTP/1.1", "Host: a")) == 405)
  }

  @Test("A client of HTTP/1.1 may wait before it sends a body")
  func continues() throws {
    func awaits(_ version: String, _ length: Int, _ field: String) throws -> Bool {
      try parse("PUT / HTTP/\(version)", "Host: a", "Content-Length: \(length)", field).get().awaitsContinue
    }
    #expect(try awaits("1.1", 3, "Expect: 100-continue"))
    #expect(try awaits("1.1", 3, "expect: 100-Continue"))
    #expect(try !awaits("1.1", 0, "Expect: 100-continue"))
    #expect(try !awaits("1.0", 3, "Expect: 100-continue"))
    #expect(try !awaits("1.1", 3, "Expect: else"))
  }
}
