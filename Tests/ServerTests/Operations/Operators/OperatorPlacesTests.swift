// The few places of the operators' listener: an idle client keeps nobody out.
import Net
import Server
import TestSupport
import Testing

@Suite struct OperatorPlacesTests {
  private let operators: TestOperators

  init() throws {
    var limits = try OperatorConfiguration().netLimits
    limits.connectionsMax = 4
    operators = try TestOperators(netLimits: limits)
  }

  /// A connection that has shown the token, and stays.
  private struct ProvenConnection {
    let socket: TestSocket

    init(_ operators: TestOperators) throws {
      socket = try TestSocket(port: operators.port)
      try ask()
    }

    func ask() throws {
      try socket.send(Array("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\(TestOperators.bearer)\r\n\r\n".utf8))
      var answer = ""
      while !answer.hasSuffix("not found\n") {
        let bytes = try socket.receive()
        guard !bytes.isEmpty else { throw TestFailure("closed: \(answer)") }
        answer += String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  @Test("When all places are taken, a new connection replaces the one that has been idle longest without a request")
  func silent() throws {
    let proven = try ProvenConnection(operators)
    let silent = try (0..<3).map { number in
      let socket = try TestSocket(port: operators.port)
      // Half a head is no request.
      try socket.send(Array("GET /stats HTTP/1.1\r\nHost:".utf8.prefix(10 * number)))
      // Two answers: the socket was accepted in the turn of the first, if not before.
      try proven.ask()
      try proven.ask()
      operators.game.clock.advance(milliseconds: 100)
      return socket
    }
    #expect(try operators.get("/stats", TestOperators.bearer).status == 200)
    #expect(try silent[0].receiveToEnd().isEmpty)
    try proven.ask()
    #expect(!silent[1].hasInput && !silent[2].hasInput)
    let late = try TestSocket(port: operators.port)
    #expect(try operators.get("/healthz").status == 200)
    try proven.ask()
    withExtendedLifetime(late) {}
  }

  @Test("Idle connections cannot block an operator")
  func crowd() throws {
    let crowd = try (0..<60).map { _ in try TestSocket(port: operators.port) }
    #expect(try operators.get("/stats", TestOperators.bearer).status == 200)
    withExtendedLifetime(crowd) {}
  }

  @Test("A refused client that stays connected cannot block an operator")
  func refused() throws {
    let refused = try (0..<4).map { _ in
      let socket = try TestSocket(port: operators.port)
      try socket.send(Array("GET /stats HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      #expect(String(decoding: try socket.receive(), as: UTF8.self).hasPrefix("HTTP/1.1 401 "))
      return socket
    }
    #expect(try operators.get("/stats", TestOperators.bearer).status == 200)
    withExtendedLifetime(refused) {}
  }

  @Test("A connection that has shown the token keeps its place: when all have, a new one is refused")
  func proven() throws {
    var connections = try (0..<3).map { _ in try ProvenConnection(operators) }
    let console = try TestConsole(operators)
    _ = try console.received("hello")
    for _ in 0..<3 {
      let answer = String(decoding: try TestSocket(port: operators.port).receiveToEnd(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 503 "))
    }
    for connection in connections { try connection.ask() }
    #expect(try console.ask("\"act\":\"drain\"")["ok"] as? Bool == false)
    let last = connections.removeLast().socket
    last.endSending()
    #expect(try last.receiveToEnd().isEmpty)
    // The server has ended it too. The place is free in the turn after that.
    try connections[0].ask()
    #expect(try operators.get("/healthz").status == 200)
  }
}
