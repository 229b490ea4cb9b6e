// Many requests at once, the stop, and the end of a client.
import Dispatch
import HTTPClient
import Synchronization
import Testing

@Suite("Many requests", .timeLimit(.minutes(10)))
struct ManyRequestsTests {
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  /// A receiver that holds back its responses until they are let go.
  private final class Holding: Sendable {
    let entered = Gathered<Void>()
    private let gate = DispatchSemaphore(value: 0)
    private let counts = Mutex((now: 0, max: 0))

    var nowMax: Int { counts.withLock { $0.max } }

    func answer(_ connection: ReceiverConnection) throws {
      while true {
        _ = try connection.request()
        counts.withLock {
          $0.now += 1
          $0.max = max($0.max, $0.now)
        }
        entered.add(())
        gate.wait()
        gate.signal()
        counts.withLock { $0.now -= 1 }
        try connection.send(ManyRequestsTests.ok)
      }
    }

    func letGo() { gate.signal() }
  }

  @Test("Of many requests only so many are under way at once, and all are answered")
  func atOnce() async throws {
    let holding = Holding()
    let receiver = try TestReceiver { try holding.answer($0) }
    defer { receiver.end() }
    let client = HTTPClient.local { $0.transfersMax = 4 }
    let request = HTTPClientRequest(.get, try HTTPURL(receiver.url()))
    let outcomes = Gathered<Outcome>()
    for _ in 0..<60 { client.send(request) { outcomes.add($0) } }
    _ = await holding.entered.reach(4)
    holding.letGo()
    #expect(await outcomes.reach(60).allSatisfy { $0.failure == nil })
    #expect(holding.nowMax == 4)
    #expect(receiver.connectionCount == 4)
  }

  @Test("As many requests wait as the bound says, and the next one fails at once")
  func waiting() async throws {
    let holding = Holding()
    let receiver = try TestReceiver { try holding.answer($0) }
    defer { receiver.end() }
    let client = HTTPClient.local {
      $0.transfersMax = 2
      $0.waitingMax = 3
    }
    let request = HTTPClientRequest(.get, try HTTPURL(receiver.url()))
    let outcomes = Gathered<Outcome>()
    for _ in 0..<5 { client.send(request) { outcomes.add($0) } }
    for _ in 0..<3 { #expect(await client.outcome(request).failure == .tooMany) }
    #expect(outcomes.all.isEmpty)
    holding.letGo()
    #expect(await outcomes.reach(5).allSatisfy { $0.failure == nil })
    // Places are free again.
    #expect(await client.outcome(request).failure == nil)
  }

  @Test("The stop completes all that is under way, waits or comes later as cancelled, each once")
  func stop() async throws {
    let holding = Holding()
    let receiver = try TestReceiver { try holding.answer($0) }
    defer { receiver.end() }
    let client = HTTPClient.local { $0.transfersMax = 3 }
    let request = HTTPClientRequest(.get, try HTTPURL(receiver.url()))
    let outcomes = Gathered<Outcome>()
    for _ in 0..<10 { client.send(request) { outcomes.add($0) } }
    _ = await holding.entered.reach(3)
    await client.stop()
    #expect(outcomes.all.map(\.failure) == Array(repeating: .cancelled, count: 10))
    #expect(await client.outcome(request).failure == .cancelled)
    await client.stop()
    #expect(outcomes.all.count == 10)
    #expect(receiver.connectionCount == 3)
    holding.letGo()
  }

  @Test("The stop closes kept connections")
  func stopOfIdle() async throws {
    let ended = Gathered<Void>()
    let receiver = try TestReceiver { connection in
      _ = try connection.request()
      try connection.send(Self.ok)
      connection.awaitEnd()
      ended.add(())
    }
    defer { receiver.end() }
    let client = HTTPClient.local()
    _ = try await client.get(receiver.url()).get()
    await client.stop()
    _ = await ended.reach(1)
    await HTTPClient.local().stop()
  }

  @Test("A client that nobody holds any more completes what is under way, then closes its connections")
  func droppedClient() async throws {
    let holding = Holding()
    let ended = Gathered<Void>()
    let receiver = try TestReceiver { connection in
      defer { ended.add(()) }
      try holding.answer(connection)
    }
    defer { receiver.end() }
    let outcomes = Gathered<Outcome>()
    do {
      let client = HTTPClient.local()
      let request = HTTPClientRequest(.get, try HTTPURL(receiver.url()))
      for _ in 0..<3 { client.send(request) { outcomes.add($0) } }
    }
    _ = await holding.entered.reach(3)
    holding.letGo()
    #expect(await outcomes.reach(3).allSatisfy { $0.failure == nil })
    _ = await ended.reach(3)
  }

  @Test("A completion may send the next request, and stop the client")
  func fromCompletion() async throws {
    let receiver = try TestReceiver { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let client = HTTPClient.local {
      $0.transfersMax = 1
      $0.waitingMax = 1
    }
    let request = HTTPClientRequest(.get, try HTTPURL(receiver.url()))
    let statuses = Gathered<Int?>()
    let stopped = Gathered<Void>()
    @Sendable func sendNext(_ leftCount: Int) {
      client.send(request) { outcome in
        statuses.add(try? outcome.get().status)
        if leftCount > 0 { sendNext(leftCount - 1) } else { client.stop { stopped.add(()) } }
      }
    }
    sendNext(30)
    _ = await stopped.reach(1)
    #expect(statuses.all == Array(repeating: 200, count: 31))
    #expect(receiver.connectionCount == 1)
  }

  @Test("A failing host holds up no other")
  func failingHost() async throws {
    let silent = try TestReceiver { $0.awaitEnd() }
    defer { silent.end() }
    let receiver = try TestReceiver { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let client = HTTPClient.local()
    let held = Gathered<Outcome>()
    client.send(HTTPClientRequest(.get, try HTTPURL(silent.url()))) { held.add($0) }
    for _ in 0..<20 { #expect(try await client.get(receiver.url()).get().status == 200) }
    #expect(held.all.isEmpty)
    await client.stop()
    #expect(held.all.map(\.failure) == [.cancelled])
  }

  @Test("Threads that send while the client is stopped get each request completed once")
  func stress() async throws {
    let receiver = try TestReceiver { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let request = HTTPClientRequest(.get, try HTTPURL(receiver.url()))
    for round in 0..<10 {
      let client = HTTPClient.local { $0.transfersMax = 1 + round }
      let outcomes = Gathered<Outcome>()
      let stopped = Gathered<Void>()
      await withTaskGroup { group in
        for thread in 0..<4 {
          group.addTask {
            for number in 0..<50 {
              client.send(request) { outcomes.add($0) }
              if thread == 0 && number == 25 { client.stop { stopped.add(()) } }
            }
          }
        }
      }
      let failures = await outcomes.reach(200).compactMap(\.failure)
      #expect(failures.allSatisfy { $0 == .cancelled })
      _ = await stopped.reach(1)
      await client.stop()
      #expect(outcomes.all.count == 200)
    }
  }
}
