// Exchanges with a receiver: requests as they arrive, and responses as they come back.
import HTTPClient
import Testing

@Suite("Exchanges", .timeLimit(.minutes(10)))
struct ExchangeTests {
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  @Test("A request arrives as it was given, and nothing else comes with it")
  func get() async throws {
    let requests = Gathered<ReceivedRequest>()
    let receiver = try TestReceiver { connection in
      requests.add(try connection.request())
      try connection.send(
        "HTTP/1.1 200 Fine\r\nContent-Length: 5\r\nRetry-After:  7 \r\nX-Two: a\r\nx-two: b\r\n\r\nhello"
      )
    }
    defer { receiver.end() }
    let url = try HTTPURL(receiver.url("/a/b?c=%20d"))
    let request = HTTPClientRequest(.get, url, headers: [HTTPHeader("X-One", "1 : 2"), HTTPHeader("X-None", "")])
    let response = try await HTTPClient.local().outcome(request).get()
    #expect(response.status == 200)
    #expect(response.body == Array("hello".utf8))
    #expect(response.headers.map(\.name) == ["Content-Length", "Retry-After", "X-Two", "x-two"])
    #expect(response.value(of: "retry-after") == "7")
    #expect(response.value(of: "X-TWO") == "a")
    #expect(response.value(of: "X-Three") == nil)

    let received = try #require(requests.all.first)
    #expect(received.line == "GET /a/b?c=%20d HTTP/1.1")
    #expect(
      received.fields == [
        "Host: 127.0.0.1:\(receiver.port)", "User-Agent: madang/1.2.3", "Accept: */*", "X-One: 1 : 2", "X-None:",
      ]
    )
  }

  @Test("A body arrives whole, without a question before it", arguments: [0, 1, 100_000, 3_000_000])
  func post(byteCount: Int) async throws {
    let requests = Gathered<ReceivedRequest>()
    let receiver = try TestReceiver { connection in
      requests.add(try connection.request())
      try connection.send(Self.ok)
    }
    defer { receiver.end() }
    let body = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let method = HTTPClientRequest.Method.post(body: body, contentType: "application/json")
    let response = try await HTTPClient.local().outcome(HTTPClientRequest(method, try HTTPURL(receiver.url()))).get()
    #expect(response.status == 200)
    let received = try #require(requests.all.first)
    #expect(received.line == "POST / HTTP/1.1")
    #expect(received.body == body)
    #expect(received.value(of: "Content-Length") == "\(byteCount)")
    #expect(received.value(of: "Content-Type") == "application/json")
    #expect(received.value(of: "Expect") == nil)
    #expect(received.value(of: "Transfer-Encoding") == nil)
  }

  @Test("Files are put and deleted: the method, the body and nothing else")
  func putAndDelete() async throws {
    let requests = Gathered<ReceivedRequest>()
    let receiver = try TestReceiver { connection in
      requests.add(try connection.request())
      try connection.send(Self.ok)
    }
    defer { receiver.end() }
    let put = HTTPClientRequest.Method.put(body: Array("bytes".utf8), contentType: "application/octet-stream")
    for method in [put, .delete] {
      let request = HTTPClientRequest(method, try HTTPURL(receiver.url("/a")))
      #expect(try await HTTPClient.local().outcome(request).get().status == 200)
    }
    #expect(requests.all.map(\.line) == ["PUT /a HTTP/1.1", "DELETE /a HTTP/1.1"])
    #expect(requests.all.map(\.body) == [Array("bytes".utf8), []])
    #expect(requests.all.map { $0.value(of: "Content-Type") } == ["application/octet-stream", nil])
    #expect(requests.all.last?.value(of: "Content-Length") == nil)
  }

  @Test("Requests after one another share a connection")
  func keptConnection() async throws {
    let receiver = try TestReceiver { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let client = HTTPClient.local()
    for _ in 0..<10 { #expect(try await client.get(receiver.url()).get().status == 200) }
    #expect(receiver.connectionCount == 1)
  }

  @Test("A kept connection that the receiver has closed is replaced")
  func closedConnection() async throws {
    let closed = Gathered<Void>()
    let receiver = try TestReceiver { connection in
      _ = try connection.request()
      try connection.send(Self.ok)
      connection.close()
      closed.add(())
    }
    defer { receiver.end() }
    let client = HTTPClient.local()
    for count in 1...5 {
      #expect(try await client.get(receiver.url()).get().status == 200)
      _ = await closed.reach(count)
    }
    #expect(receiver.connectionCount == 5)
  }

  @Test("A redirect is a response like others", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) async throws {
    let other = try TestReceiver { try $0.answerAll(Self.ok) }
    defer { other.end() }
    let receiver = try TestReceiver {
      try $0.answerAll("HTTP/1.1 \(status) Elsewhere\r\nLocation: \(other.url())\r\nContent-Length: 0\r\n\r\n")
    }
    defer { receiver.end() }
    let response = try await HTTPClient.local().get(receiver.url()).get()
    #expect(response.status == status)
    #expect(response.value(of: "Location") == other.url())
    #expect(receiver.connectionCount == 1)
    #expect(other.connectionCount == 0)
  }

  @Test("Failures of the receiver are responses", arguments: [204, 400, 401, 404, 407, 410, 417, 429, 500, 503])
  func statuses(status: Int) async throws {
    let receiver = try TestReceiver { connection in
      let length = status == 204 ? "" : "Content-Length: 0\r\n"
      try connection.answerAll("HTTP/1.1 \(status) \r\nWWW-Authenticate: Basic\r\n\(length)\r\n")
    }
    defer { receiver.end() }
    let response = try await HTTPClient.local().get(receiver.url()).get()
    #expect(response.status == status)
    #expect(response.body.isEmpty)
    #expect(receiver.connectionCount == 1)
  }

  @Test("A cookie is not sent back")
  func cookies() async throws {
    let requests = Gathered<ReceivedRequest>()
    let receiver = try TestReceiver { connection in
      while true {
        requests.add(try connection.request())
        try connection.send("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nAlt-Svc: h2=\":1\"\r\nContent-Length: 0\r\n\r\n")
      }
    }
    defer { receiver.end() }
    let client = HTTPClient.local()
    for _ in 0..<2 { _ = try await client.get(receiver.url()).get() }
    #expect(requests.all.count == 2)
    #expect(requests.all.allSatisfy { $0.value(of: "Cookie") == nil })
  }

  @Test("Interim responses leave nothing in the last one")
  func interimResponses() async throws {
    let receiver = try TestReceiver {
      try $0.answerAll(
        "HTTP/1.1 100 Continue\r\nX-A: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nX-B: 1\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nX-C: 1\r\nContent-Length: 2\r\n\r\nok"
      )
    }
    defer { receiver.end() }
    let response = try await HTTPClient.local().get(receiver.url()).get()
    #expect(response.status == 200)
    #expect(response.headers.map(\.name) == ["X-C", "Content-Length"])
    #expect(response.body == Array("ok".utf8))
  }

  @Test("A body in chunks is put together, and the fields behind it are left out")
  func chunks() async throws {
    let receiver = try TestReceiver {
      try $0.answerAll(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Late: 1\r\n\r\n"
      )
    }
    defer { receiver.end() }
    let client = HTTPClient.local()
    for _ in 0..<2 {
      let response = try await client.get(receiver.url()).get()
      #expect(response.body == Array("abcde".utf8))
      #expect(response.headers == [HTTPHeader("Transfer-Encoding", "chunked")])
    }
    #expect(receiver.connectionCount == 1)
  }

  @Test("A body without a length ends with the connection; its bytes are not decoded")
  func bodyToEnd() async throws {
    let body = (0...255).map { UInt8($0) }
    let receiver = try TestReceiver { connection in
      _ = try connection.request()
      try connection.send("HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
      try connection.send(body)
    }
    defer { receiver.end() }
    #expect(try await HTTPClient.local().get(receiver.url()).get().body == body)
  }
}
