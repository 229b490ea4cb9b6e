// PROTOCOL.md's "A whole game", played against a server: the document shows what really comes.
//
// With MADANG_WRITE_TRANSCRIPT=1 in the environment the test writes the document's transcript anew.
import Foundation
import MadangProtocol
import SeededRandom
import Synchronization
import TestSupport
import Testing

@Suite struct WholeGameTests {
  @Test("PROTOCOL.md's transcript of a whole game is what a server sends")
  func transcript() throws {
    let game = try WholeGame()
    try game.play()
    let written = game.lines.joined(separator: "\n")
    let document = try Document()
    if ProcessInfo.processInfo.environment["MADANG_WRITE_TRANSCRIPT"] != nil { return try document.write(written) }
    let shown = document.transcript.split(separator: "\n")
    #expect(shown.count == game.lines.count)
    for (shown, line) in zip(shown, game.lines) where shown != line {
      Issue.record("the document shows \(shown)\nbut it is    \(line)")
      break
    }
  }
}

/// The section of PROTOCOL.md.
private struct Document {
  private let url = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../../Protocol/PROTOCOL.md"
  )
  private let before: Substring
  let transcript: Substring
  private let behind: Substring

  init() throws {
    let text = try String(contentsOf: url, encoding: .utf8)
    guard let heading = text.range(of: "\n## A whole game\n"),
      let begin = text.range(of: "\n```\n", range: heading.upperBound..<text.endIndex),
      let end = text.range(of: "\n```\n", range: begin.upperBound..<text.endIndex)
    else { throw TestFailure("PROTOCOL.md has no transcript") }
    before = text[..<begin.upperBound]
    transcript = text[begin.upperBound..<end.lowerBound]
    behind = text[end.lowerBound...]
  }

  func write(_ transcript: String) throws {
    try "\(before)\(transcript)\(behind)".write(to: url, atomically: true, encoding: .utf8)
  }
}

/// The randomness of the server: the same code and ids each time.
private final class SeededBytes: Sendable {
  private let random: Mutex<SplitMix64>

  init(seed: UInt64) {
    random = Mutex(SplitMix64(seed: seed))
  }

  func draw(_ count: Int) -> [UInt8] {
    random.withLock { random in (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) } }
  }
}

/// The ids that all examples of the document have.
private enum Shown {
  static let playerA = "3f2a9c0d5b7e41868f1c2d3e4a5b6c7d"
  static let playerB = "9b1d6e2f8a4c47039e5f0a1b2c3d4e5f"
  static let room = "8c1f0b6a2d9e43578f60c1d2e3f4a5b6"
}

/// The game, on a clock that stands still between the steps.
private final class WholeGame {
  private let server: TestServer
  private var players: [String: TestPlayer] = [:]
  private var lastIDs: [String: UInt32] = [:]
  private var words: [(real: String, shown: String)] = []
  private var noted: [String] = []
  private var isQuiet = false
  // The players' ways: the steps to the north, 1e-7 degree a second, and the longitudes.
  private let speeds: [String: Int32] = ["A": 270, "B": 720]
  private let lngs: [String: Int32] = ["A": 1_269_780_000, "B": 1_269_785_000]
  private var startMs: Int64 = 0
  /// The time of each second's fixes.
  private static let fixMs: Int64 = 330

  init() throws {
    let random = SeededBytes(seed: 20_261_125)
    server = try TestServer(shards: 1) {
      $0.publicURL = "https://play.example.org"
      $0.gateway.random = { random.draw($0) }
    }
    show(Release.version, as: "0.1.0")
  }

  func play() throws {
    try meet()
    try talk()
    try run()
    try missSome()
    try end()
  }

  /// The transcript, with the document's ids in the place of the real ones.
  var lines: [String] {
    noted.map { line in words.reduce(line) { $0.replacing($1.real, with: $1.shown) } }
  }

  // Acts.

  private func meet() throws {
    remark("Both say hello. The server's time comes with the welcome; `time` makes it exact.")
    try greet("A", "가람", "kZ0wq8Yt1sVb5nXc", as: Shown.playerA, "5e884898da28047151d0e56f8dc62927")
    try pass(milliseconds: 41)
    try ask("A", .time(WireTimeRequest()))
    remark("A makes a room. Its state has all events up to lastEvent; a tick brings only later ones.")
    var create = WireCreateRoom()
    create.mode = .footprint
    create.capacity = 2
    create.durationS = 10
    guard case .room(let room) = try ask("A", .createRoom(create), prepare: { self.learn($0) }) else { return }
    try pass(milliseconds: 9_000)
    remark("B scans the QR, or types the code, mistyping it once.")
    try greet("B", "지민", "Qm3x7Lr9uPd2eHf6", as: Shown.playerB, "b9c950640e1b3740e98acb93e669c657")
    let code = room.code.filter { $0 != "-" }.lowercased()
    try ask("B", .joinRoom(TestPlayer.join(String(code.dropLast(2) + code.suffix(2).reversed()))))
    try pass(milliseconds: 120)
    try ask("B", .joinRoom(TestPlayer.join(code)))
    try passTick()
  }

  private func talk() throws {
    remark("They chat; A has read it.")
    try pass(milliseconds: 2_540)
    try ask("B", .chat(TestPlayer.chat("안녕")))
    try passTick()
    try pass(milliseconds: 1_200)
    var read = WireReadChat()
    read.upTo = 4
    try ask("A", .readChat(read))
    try passTick()
  }

  private func run() throws {
    remark("The game: the room's clock begins anew, and with it the count of ticks.")
    try pass(milliseconds: 2_000)
    try ask("A", .startGame(WireStartGame()))
    startMs = server.clock.now().milliseconds
    try passTick()
    remark("Each sends a fix a second, without id: nothing is answered. A walks north at 3 m/s, B runs at 8 m/s.")
    for second in 0..<2 { try walk("A", "B", second: second) }
    try quietly {
      for second in 2..<4 { try walk("A", "B", second: second) }
    }
    remark("… and so on. B's connection breaks at 4.2 s. B keeps the fixes of the next two seconds.")
    try pass(untilGameMs: 4_210)
    // A socket ends with its player, and the clock stands still until the server has seen it.
    players["B"] = nil
    _ = try server.report { $0.net.connectionsClosed == 1 }
    try passTick()
    try quietly {
      for second in 4..<6 { try walk("A", second: second) }
    }
  }

  private func missSome() throws {
    remark("B comes back at 6 s with the token and the number of the newest event, and tells the two fixes.")
    try pass(untilGameMs: 6_060)
    players["B"] = try TestPlayer(port: server.port)
    lastIDs["B"] = 0
    try ask("B", .resume(TestPlayer.resume(tokens["B"] ?? "", afterEvent: 5)))
    var moves = WireMoves()
    moves.timeMs = move("B", second: 4).timeMs
    moves.afterMs = [0, 1_000]
    moves.latE7 = (4..<6).map { move("B", second: $0).latE7 }
    moves.lngE7 = (4..<6).map { move("B", second: $0).lngE7 }
    moves.accuracyM = [5, 5]
    try ask("B", .moves(moves))
    try passTick()
    try quietly { try walk("A", second: 6) }
    remark("A jump of B's receiver: 800 m in a second. It is set aside without a word.")
    try pass(untilGameMs: 6_500)
    var jump = move("B", second: 6)
    jump.latE7 += 72_000
    jump.timeMs = server.clock.now().milliseconds
    try say("B", .move(jump))
    try passTick()
    try quietly {
      for second in 7..<9 { try walk("A", "B", second: second) }
    }
    remark("… and so on.")
  }

  private func end() throws {
    try walk("A", "B", second: 9)
    remark("The end, at exactly 10 s. B has told all fixes, so the board stands at once.")
    remark(
      "The first result that counts brings the first badge, to each alone, a moment before the tick with the board."
    )
    try pass(untilGameMs: 9_900)
    try passTick()
    try passTick()
    try ask("A", .results(WireResultsRequest()))
    remark("Once more, or enough.")
    try pass(milliseconds: 5_000)
    try ask("A", .playAgain(WirePlayAgain()))
    try passTick()
    try pass(milliseconds: 1_500)
    try ask("B", .leaveRoom(WireLeaveRoom()))
    try passTick()
  }

  // Steps.

  private var tokens: [String: String] = [:]

  private func greet(_ name: String, _ nickname: String, _ secret: String, as id: String, _ secondHalf: String) throws {
    players[name] = try TestPlayer(port: server.port)
    let hello = TestPlayer.hello(nickname, secret: secret)
    try ask(name, .hello(hello)) { body in
      guard case .welcome(let welcome) = body else { return }
      self.tokens[name] = welcome.sessionToken
      self.show(welcome.playerID, as: id)
      self.show(welcome.sessionToken, as: id + secondHalf)
    }
  }

  private func learn(_ body: WireServerMessage.OneOf_Body) {
    guard case .room(let room) = body else { return }
    show(room.code, as: "7K3F9-QXA25")
    let code = room.code.filter { $0 != "-" }
    show(code, as: "7K3F9QXA25")
    show(code.lowercased(), as: "7k3f9qxa25")
    let swapped = String(code.dropLast(2) + code.suffix(2).reversed()).lowercased()
    show(swapped, as: "7k3f9qxa52")
  }

  /// Walks the players' ways up to this second of the game, and lets the tick of their fixes pass.
  private func walk(_ names: String..., second: Int) throws {
    try pass(untilGameMs: Int64(second) * 1_000 + Self.fixMs)
    for name in names { try say(name, .move(move(name, second: second))) }
    try passTick()
  }

  private func move(_ name: String, second: Int) -> WireMove {
    var move = TestPlayer.move(375_665_000 + Int32(second) * (speeds[name] ?? 0), lngs[name] ?? 0)
    move.timeMs = startMs + Int64(second) * 1_000 + Self.fixMs
    return move
  }

  private func remark(_ text: String) { noted.append("# \(text)") }

  private func show(_ real: String, as shown: String) { words.append((real, shown)) }

  private func quietly(_ body: () throws -> Void) throws {
    isQuiet = true
    try body()
    isQuiet = false
  }

  /// Sends a request and notes it with its answer.
  @discardableResult
  private func ask(
    _ name: String,
    _ body: WireClientMessage.OneOf_Body,
    prepare: (WireServerMessage.OneOf_Body) -> Void = { _ in }
  ) throws -> WireServerMessage.OneOf_Body {
    let player = try #require(players[name])
    let id = (lastIDs[name] ?? 0) + 1
    lastIDs[name] = id
    try player.send(body, id: id)
    let answer = try player.first { $0.hasReplyTo && $0.replyTo == id }
    let answerBody = try #require(answer.body)
    prepare(answerBody)
    note(name, body, id: id)
    note(name, answer)
    return answerBody
  }

  private func say(_ name: String, _ body: WireClientMessage.OneOf_Body) throws {
    try players[name]?.send(body)
    note(name, body, id: nil)
  }

  private func note(_ name: String, _ body: WireClientMessage.OneOf_Body, id: UInt32?) {
    var message = WireClientMessage()
    if let id { message.id = id }
    message.body = body
    var bytes: [UInt8] = []
    Subprotocol.json.append(message, to: &bytes)
    note("\(name) →", bytes)
  }

  private func note(_ name: String, _ message: WireServerMessage) {
    let gameID = message.tick.events.lazy.map(\.phase.gameID).first { !$0.isEmpty }
    if let gameID { show(String(gameID.prefix(32)), as: Shown.room) }
    var bytes: [UInt8] = []
    Subprotocol.json.append(message, to: &bytes)
    note("\(name) ←", bytes)
  }

  private func note(_ head: String, _ json: [UInt8]) {
    guard !isQuiet else { return }
    noted.append("\(head) \(String(decoding: json, as: UTF8.self))")
  }

  /// Lets time pass without a message.
  private func pass(milliseconds: Int64) throws {
    try exchangeTimes()
    precondition(milliseconds >= 0, "the steps follow each other")
    server.clock.advance(milliseconds: milliseconds)
    try exchangeTimes()
  }

  private func pass(untilGameMs gameMs: Int64) throws {
    try pass(milliseconds: startMs + gameMs - server.clock.now().milliseconds)
  }

  /// Lets the next tick of the room pass and notes all that comes.
  private func passTick() throws {
    try pass(milliseconds: 104)
  }

  /// Waits until the server has done everything, and notes what has come, A's first.
  private func exchangeTimes() throws {
    for name in ["A", "B"] {
      guard let player = players[name] else { continue }
      // The server answers earlier requests before this one.
      try player.send(.time(WireTimeRequest()), id: 1_000_000)
      _ = try player.reply(to: 1_000_000)
    }
    _ = try server.report { $0.isCommitted }
    _ = server.report()
    for name in ["A", "B"] {
      guard let player = players[name] else { continue }
      try player.send(.time(WireTimeRequest()), id: 1_000_001)
      _ = try player.reply(to: 1_000_001)
      while !player.inbox.isEmpty { note(name, try player.first { _ in true }) }
    }
  }
}
