// Bounds of time and size, and receivers that misbehave.
import HTTPClient
import Testing

@Suite("Bounds", .timeLimit(.minutes(10)))
struct BoundsTests {
  private func outcome(
    limits configure: (inout HTTPClientLimits) -> Void = { _ in },
    of script: @escaping TestReceiver.Script
  ) async throws -> Outcome {
    let receiver = try TestReceiver { try script($0) }
    defer { receiver.end() }
    return try await HTTPClient.local(authorities: nil, configure).get(receiver.url())
  }

  /// A script that answers one request and leaves the connection open.
  private func answer(_ response: String) -> TestReceiver.Script {
    { connection in
      _ = try connection.request()
      try connection.send(response)
      connection.awaitEnd()
    }
  }

  private static let headerTooLong = HTTPFailure.other("the response's header is too long")
  private static let endedEarly = HTTPFailure.other("the receiver ended the connection early")

  @Test("A receiver that does not answer, or stops in the middle, is left after the whole time")
  func silence() async throws {
    let beginnings = ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"]
    for beginning in beginnings {
      #expect(
        try await outcome(limits: { $0.totalMs = 200 }, of: answer(beginning)).failure == .timeout,
        "\(beginning)"
      )
    }
  }

  @Test("A handshake that does not come to an end is left after the time for connections")
  func silentHandshake() async throws {
    let receiver = try TestReceiver { $0.awaitEnd() }
    defer { receiver.end() }
    let client = HTTPClient.local { $0.connectMs = 200 }
    #expect(try await client.get(receiver.url(scheme: "https")).failure == .timeout)
  }

  @Test("A response that drips without an end is left after the whole time")
  func dripping() async throws {
    let outcome = try await outcome(limits: { $0.totalMs = 300 }) { connection in
      _ = try connection.request()
      try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      // A byte at a time, as fast as they go: the chunk of 1 GiB has no end in time.
      try connection.send("40000000\r\n")
      for _ in 0..<20 { try connection.send("a") }
      connection.awaitEnd()
    }
    #expect(outcome.failure == .timeout)
  }

  @Test("A body of exactly the bound is taken, and one byte more is not", arguments: [true, false])
  func longestBody(hasLength: Bool) async throws {
    for (byteCount, isTaken) in [(1_000, true), (1_001, false)] {
      let outcome = try await outcome(limits: { $0.bodyBytesMax = 1_000 }) { connection in
        _ = try connection.request()
        try connection.send("HTTP/1.1 200 OK\r\n\(hasLength ? "Content-Length: \(byteCount)\r\n" : "")\r\n")
        try connection.send([UInt8](repeating: 7, count: byteCount))
      }
      if isTaken {
        #expect(try outcome.get().body.count == byteCount)
      } else {
        #expect(outcome.failure == .bodyTooLarge)
      }
    }
  }

  @Test("A body without an end is left, in chunks and without, and its connection is closed")
  func endlessBody() async throws {
    for header in ["", "Transfer-Encoding: chunked\r\n"] {
      let ended = Gathered<Void>()
      let outcome = try await outcome { connection in
        defer { ended.add(()) }
        _ = try connection.request()
        try connection.send("HTTP/1.1 200 OK\r\n\(header)\r\n")
        let chunk = header.isEmpty ? "" : "1000\r\n"
        while true {
          try connection.send(Array(chunk.utf8) + [UInt8](repeating: 0x61, count: 4_096))
          if !chunk.isEmpty { try connection.send("\r\n") }
        }
      }
      #expect(outcome.failure == .bodyTooLarge)
      _ = await ended.reach(1)
    }
  }

  @Test("A body that is announced as too long is not awaited")
  func announcedBody() async throws {
    let response = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"
    #expect(try await outcome(of: answer(response)).failure == .bodyTooLarge)
  }

  @Test("A header without an end is left: of many fields, of one, of interim responses, behind the body")
  func endlessHeader() async throws {
    let beginnings = [
      ("HTTP/1.1 200 OK\r\n", "X-A: abcdefghijklmnopqrstuvwxyz\r\n"),
      ("HTTP/1.1 200 OK\r\nX-A: ", "abcdefghijklmnopqrstuvwxyz"),
      ("", "HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-A: abcdefghijklmnopqrstuvwxyz\r\n"),
    ]
    for (beginning, repeated) in beginnings {
      let outcome = try await outcome { connection in
        _ = try connection.request()
        try connection.send(beginning)
        while true { try connection.send(String(repeating: repeated, count: 100)) }
      }
      #expect(outcome.failure == Self.headerTooLong, "\(beginning)")
    }
  }

  @Test("A header of just the bound is taken")
  func longestHeader() async throws {
    let start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-A: "
    let response = start + String(repeating: "a", count: 1_000 - start.utf8.count - 4) + "\r\n\r\n"
    #expect(try await outcome(limits: { $0.headerBytesMax = 1_000 }, of: answer(response)).get().status == 200)
    #expect(try await outcome(limits: { $0.headerBytesMax = 999 }, of: answer(response)).failure == Self.headerTooLong)
  }

  @Test(
    "Bytes that are no HTTP are a failure",
    arguments: [
      "SSH-2.0-OpenSSH_9.2\r\n", "220 mail.example.org ESMTP\r\n", "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}",
      "<html></html>", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "RTSP/1.0 200 OK\r\n\r\n",
    ]
  )
  func garbage(bytes: String) async throws {
    let outcome = try await outcome { connection in
      _ = try connection.request()
      try connection.send(bytes)
    }
    #expect(outcome.failure == .other("the response is not HTTP"), "\(bytes)")
  }

  @Test("Random bytes never end in a trap")
  func randomBytes() async throws {
    let receiver = try TestReceiver { connection in
      _ = try connection.request()
      let isHeader = Bool.random()
      if isHeader { try connection.send("HTTP/1.1 200 OK\r\n") }
      try connection.send((0..<Int.random(in: 0...300)).map { _ in UInt8.random(in: 0...255) })
    }
    defer { receiver.end() }
    let client = HTTPClient.local()
    for _ in 0..<200 { _ = try await client.get(receiver.url()) }
  }

  @Test(
    "A connection that ends early is a failure",
    arguments: [
      "", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na",
    ]
  )
  func earlyEnd(beginning: String) async throws {
    for isReset in [false, true] {
      let outcome = try await outcome { connection in
        _ = try connection.request()
        try connection.send(beginning)
        if isReset { connection.reset() }
      }
      #expect(outcome.failure == Self.endedEarly, "\(beginning)")
    }
  }

  @Test("A receiver that resets the connection before it has read all of the request is a failure")
  func earlyReset() async throws {
    let receiver = try TestReceiver { connection in
      _ = connection.receive()
      connection.reset()
    }
    defer { receiver.end() }
    let method = HTTPClientRequest.Method.post(body: [UInt8](repeating: 1, count: 5_000_000), contentType: "a/b")
    let outcome = await HTTPClient.local().outcome(HTTPClientRequest(method, try HTTPURL(receiver.url())))
    #expect(outcome.failure == Self.endedEarly)
  }

  @Test("A port where nobody listens is a failure")
  func nobody() async throws {
    let receiver = try TestReceiver { _ in }
    receiver.end()
    #expect(try await HTTPClient.local().get(receiver.url()).failure == .couldNotConnect)
  }

  @Test("A name that no name can be has no address")
  func noName() async throws {
    // A label of 64 letters is too long to be asked for (RFC 1035 §2.3.4).
    let name = String(repeating: "a", count: 64) + ".invalid"
    #expect(try await HTTPClient.local().get("http://\(name)/").failure == .couldNotResolve)
  }
}
