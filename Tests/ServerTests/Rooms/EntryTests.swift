// Whom a room lets in, over real sockets: bars by kicks, rooms for accounts, and the host's consent.
import Game
import MadangProtocol
import Server
import Store
import TestSupport
import Testing

extension TestPlayer {
  /// The next player who asks this host.
  fileprivate func asked() throws -> WireJoinAsked {
    try first { if case .joinAsked = $0.body { true } else { false } }.joinAsked
  }

  /// Asks to come into a room whose host must consent; returns the number of the request.
  fileprivate func ask(_ code: String, id: UInt32 = 9_000) throws -> UInt32 {
    try send(.joinRoom(TestPlayer.join(code)), id: id)
    let waits = try first { if case .joinWaits = $0.body { true } else { false } }.joinWaits
    guard waits.code == code, (1...60_000).contains(waits.leftMs) else { throw TestFailure("\(waits)") }
    return id
  }

  /// A player of a new browser, with their identifier.
  fileprivate static func named(_ nickname: String, port: UInt16) throws -> (player: TestPlayer, id: PlayerID) {
    let player = try TestPlayer(port: port)
    return (player, try player.helloID(nickname))
  }

  fileprivate static func answer(_ player: PlayerID, admit: Bool) -> WireAnswerJoin {
    var answer = WireAnswerJoin()
    answer.playerID = player.description
    answer.admit = admit
    return answer
  }

  fileprivate func errorCode(of id: UInt32) throws -> WireErrorCode {
    guard case .error(let error) = try reply(to: id) else { throw TestFailure("no refusal") }
    return error.code
  }
}

extension WirePlace {
  fileprivate var isSeat: Bool { if case .seat = place { true } else { false } }
}

@Suite struct EntryTests {
  // Kicks.

  @Test(
    "A kicked player can't come back into that room by device, session or browser, over a crash too",
    arguments: TestStore.Kind.allCases
  )
  func kick(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    var server = try TestServer(store: kept.store)
    let mark = try server.newMark()
    let host = try server.player("나래")
    let code = try host.createRoom().code
    let player = try TestPlayer(port: server.port, cookie: mark)
    let welcome = try player.hello("가람", secret: "the secret of a page")
    _ = try player.joinRoom(code)
    #expect(server.perform(.kick(try #require(PlayerID(welcome.playerID)))).isDone)
    #expect(try player.awaitEnd() == CloseCode.removed.rawValue)
    var token = welcome.sessionToken
    for isCrashed in [false, true] {
      if isCrashed { server = try server.crash() }
      let cookie = "madang_browser_\(server.port)\(mark.drop { $0 != "=" })"
      let resumed = try TestPlayer(port: server.port)
      _ = try resumed.resume(token)
      #expect(try resumed.refusal(of: .joinRoom(TestPlayer.join(code))).code == .barred)
      let known = try TestPlayer(port: server.port)
      token = try known.hello("가람", secret: "the secret of a page").sessionToken
      // A new guest in the same browser, whose page has forgotten its secret.
      let new = try TestPlayer(port: server.port, cookie: cookie)
      _ = try new.hello("새 이름")
      for back in [known, new] {
        #expect(try back.refusal(of: .joinRoom(TestPlayer.join(code))).code == .barred)
      }
      _ = try new.createRoom()
      // What is not held: a browser without its cookies.
      let cleared = try server.player("새 브라우저")
      #expect(try cleared.joinRoom(code).you.isSeat)
    }
  }

  // Accounts.

  @Test("A room for accounts lets no guest in, nor makes one for a guest", arguments: Subprotocol.allCases)
  func accountsOnly(subprotocol: Subprotocol) throws {
    let server = try TestServer()
    let host = try server.player("나래", subprotocol)
    var create = WireCreateRoom()
    create.mode = .footprint
    create.accountsOnly = true
    #expect(try host.refusal(of: .createRoom(create)).code == .accountNeeded)
    try host.expectOk(.register(TestPlayer.register("narae@example.org", "correct horse", named: "나래")))
    let room = try host.createRoom { $0.accountsOnly = true }
    #expect(room.accountsOnly && !room.consent)
    let guest = try server.player("가람", subprotocol)
    #expect(try guest.refusal(of: .joinRoom(TestPlayer.join(room.code))).code == .accountNeeded)
    try guest.expectOk(.register(TestPlayer.register("garam@example.org", "correct horse", named: "가람")))
    #expect(try guest.joinRoom(room.code).accountsOnly)
    let back = try TestPlayer(port: server.port)
    _ = try back.login("garam@example.org", "correct horse")
    try back.expectOk(.leaveRoom(WireLeaveRoom()))
    #expect(try back.joinRoom(room.code).you.isSeat)
  }

  // The host's consent.

  @Test("The host lets a player in who asks; until then they are in no room", arguments: [1, 3], Subprotocol.allCases)
  func admit(shards: Int, subprotocol: Subprotocol) throws {
    let server = try TestServer(shards: shards)
    let host = try server.player("나래", subprotocol)
    let room = try host.createRoom { $0.consent = true }
    #expect(room.consent && room.you.isSeat)
    let guest = try TestPlayer(port: server.port, subprotocol: subprotocol)
    let id = try guest.helloID("가람")
    let request = try guest.ask(room.code)
    let asked = try host.asked()
    #expect(asked.playerID == id.description && asked.nickname == "가람" && !asked.registered && !asked.over)
    #expect((1...60_000).contains(asked.leftMs))
    #expect(try guest.refusal(of: .startGame(WireStartGame())).code == .notInRoom)
    #expect(try guest.refusal(of: .answerJoin(TestPlayer.answer(id, admit: true))).code == .notInRoom)
    let other = TestPlayer.answer(PlayerID(7), admit: true)
    #expect(try host.refusal(of: .answerJoin(other)).code == .playerNotFound)
    try host.expectOk(.answerJoin(TestPlayer.answer(id, admit: true)))
    guard case .room(let entered) = try guest.reply(to: request) else { throw TestFailure("no room") }
    #expect(entered.you.isSeat && entered.players.count == 2)
    #expect(try guest.refusal(of: .answerJoin(TestPlayer.answer(id, admit: true))).code == .hostOnly)
    // Who is held comes back without asking.
    guest.socket.reset()
    _ = try server.report { $0.connections == 1 }
  }

  @Test("A refused player can't ask again, and the bar outlives a crash", arguments: TestStore.Kind.allCases)
  func refuse(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    var server = try TestServer(store: kept.store)
    let host = try TestPlayer(port: server.port)
    let hostToken = try host.hello("나래").sessionToken
    let code = try host.createRoom { $0.consent = true }.code
    let guest = try TestPlayer(port: server.port)
    let welcome = try guest.hello("가람")
    let request = try guest.ask(code)
    _ = try host.asked()
    try host.expectOk(.answerJoin(TestPlayer.answer(try #require(PlayerID(welcome.playerID)), admit: false)))
    #expect(try guest.errorCode(of: request) == .barred)
    #expect(try guest.refusal(of: .joinRoom(TestPlayer.join(code))).code == .barred)
    server = try server.crash()
    _ = try TestPlayer(port: server.port).resume(hostToken)
    let back = try TestPlayer(port: server.port)
    _ = try back.resume(welcome.sessionToken)
    #expect(try back.refusal(of: .joinRoom(TestPlayer.join(code))).code == .barred)
  }

  @Test("A player whom the host does not answer is refused after a minute, and may ask again")
  func silence() throws {
    let server = try TestServer(shards: 1)
    let host = try server.player("나래")
    let code = try host.createRoom { $0.consent = true }.code
    let guest = try TestPlayer(port: server.port)
    let id = try guest.helloID("가람")
    let request = try guest.ask(code)
    _ = try host.asked()
    try server.pass(seconds: 61, host, guest)
    #expect(try guest.errorCode(of: request) == .rateLimited)
    let over = try host.asked()
    #expect(over.over && over.playerID == id.description)
    #expect(try host.refusal(of: .answerJoin(TestPlayer.answer(id, admit: true))).code == .playerNotFound)
    _ = try guest.ask(code, id: 9_001)
    #expect(try !host.asked().over)
  }

  @Test("Who leaves, goes elsewhere or is gone asks no more, and the host is told")
  func withdrawn() throws {
    let server = try TestServer(shards: 2)
    let host = try server.player("나래")
    let code = try host.createRoom { $0.consent = true }.code
    for way in 0..<3 {
      let guest = try server.player("가람 \(way)")
      let request = try guest.ask(code)
      #expect(try !host.asked().over)
      switch way {
      case 0: try guest.expectOk(.leaveRoom(WireLeaveRoom()))
      case 1: _ = try guest.createRoom()
      default: guest.socket.reset()
      }
      if way < 2 { #expect(try guest.errorCode(of: request) == .notInRoom) }
      #expect(try host.asked().over)
    }
    let solo = try server.player("혼자")
    var create = WireCreateRoom()
    create.mode = .footprint
    create.solo = true
    create.consent = true
    #expect(try solo.refusal(of: .createRoom(create)).code == .outOfRange)
  }

  @Test("Who may not come in any more when the host lets them in is refused, and the host learns why")
  func changedMeanwhile() throws {
    let server = try TestServer(shards: 1)
    let mark = try server.newMark()
    let host = try server.player("나래")
    let code = try host.createRoom {
      $0.consent = true
      $0.capacity = 2
    }.code
    // One of the browser is let in, and kicked while another of it asks.
    let sibling = try TestPlayer(port: server.port, cookie: mark)
    let siblingID = try sibling.helloID("가람")
    let first = try sibling.ask(code)
    try host.expectOk(.answerJoin(TestPlayer.answer(siblingID, admit: true)))
    guard case .room = try sibling.reply(to: first) else { throw TestFailure("no room") }
    let cookie = "madang_browser_\(server.port)\(mark.drop { $0 != "=" })"
    let asker = try TestPlayer(port: server.port, cookie: cookie)
    let askerID = try asker.helloID("다온")
    let second = try asker.ask(code)
    #expect(server.perform(.kick(siblingID)).isDone)
    #expect(try host.refusal(of: .answerJoin(TestPlayer.answer(askerID, admit: true))).code == .barred)
    #expect(try asker.errorCode(of: second) == .barred)
    // Two ask for the last seat.
    let players = try (0..<2).map { try TestPlayer.named("p\($0)", port: server.port) }
    for (player, _) in players { _ = try player.ask(code) }
    try host.expectOk(.answerJoin(TestPlayer.answer(players[0].id, admit: true)))
    guard case .room = try players[0].player.reply(to: 9_000) else { throw TestFailure("no room") }
    #expect(try host.refusal(of: .answerJoin(TestPlayer.answer(players[1].id, admit: true))).code == .roomFull)
    #expect(try players[1].player.errorCode(of: 9_000) == .roomFull)
    // The connection goes on.
    _ = try players[1].player.createRoom()
  }

  @Test("Where everybody has left, the first who asks comes in, and the others ask them")
  func everybodyLeft() throws {
    let server = try TestServer(shards: 1)
    let host = try server.player("나래")
    let code = try host.createRoom { $0.consent = true }.code
    let (first, _) = try TestPlayer.named("가람", port: server.port)
    let (second, secondID) = try TestPlayer.named("다온", port: server.port)
    for player in [first, second] { _ = try player.ask(code) }
    try host.expectOk(.leaveRoom(WireLeaveRoom()))
    try server.pass(seconds: 1, host, first, second)
    guard case .room(let room) = try first.reply(to: 9_000) else { throw TestFailure("no room") }
    #expect(room.you.isSeat && room.players.count == 1)
    #expect(try first.asked().playerID == secondID.description)
    try first.expectOk(.answerJoin(TestPlayer.answer(secondID, admit: true)))
    guard case .room = try second.reply(to: 9_000) else { throw TestFailure("no room") }
  }

  @Test("A bar also ends the held place of another player of that browser, and leaves a connected one alone")
  func heldSibling() throws {
    let server = try TestServer(shards: 1)
    let mark = try server.newMark()
    let host = try server.player("나래")
    let code = try host.createRoom { $0.capacity = 4 }.code
    let barred = try TestPlayer(port: server.port, cookie: mark)
    let barredID = try barred.helloID("가람")
    _ = try barred.joinRoom(code)
    let cookie = "madang_browser_\(server.port)\(mark.drop { $0 != "=" })"
    let held = try TestPlayer(port: server.port, cookie: cookie)
    let token = try held.hello("다온").sessionToken
    _ = try held.joinRoom(code)
    held.socket.reset()
    let connected = try TestPlayer(port: server.port, cookie: cookie)
    _ = try connected.hello("하나")
    _ = try connected.joinRoom(code)
    #expect(server.perform(.kick(barredID)).isDone)
    try connected.expectOk(.chat(TestPlayer.chat("on")))
    let back = try TestPlayer(port: server.port, cookie: cookie)
    #expect(try !back.resume(token).hasRoom)
    #expect(try back.refusal(of: .joinRoom(TestPlayer.join(code))).code == .barred)
    // The place is free again.
    let other = try server.player("새 사람")
    #expect(try other.joinRoom(code).players.count == 3)
  }

  @Test("A new host, and one who comes back, is told of all who ask; only so many may")
  func newHost() throws {
    let server = try TestServer(shards: 1)
    let host = try server.player("나래")
    let code = try host.createRoom {
      $0.consent = true
      $0.capacity = 20
    }.code
    let second = try TestPlayer(port: server.port)
    let secondWelcome = try second.hello("다온")
    let request = try second.ask(code)
    _ = try host.asked()
    try host.expectOk(.answerJoin(TestPlayer.answer(try #require(PlayerID(secondWelcome.playerID)), admit: true)))
    guard case .room = try second.reply(to: request) else { throw TestFailure("no room") }
    let guests = try (0..<9).map { try server.player("p\($0)") }
    for guest in guests.dropLast() { _ = try guest.ask(code) }
    let names = try (0..<8).map { _ in try host.asked().nickname }
    #expect(names == (0..<8).map { "p\($0)" })
    #expect(try guests[8].refusal(of: .joinRoom(TestPlayer.join(code))).code == .rateLimited)
    try host.expectOk(.leaveRoom(WireLeaveRoom()))
    #expect(try (0..<8).map { _ in try second.asked().nickname } == names)
    // The list of the host before has ended.
    #expect(try (0..<8).allSatisfy { _ in try host.asked().over })
    second.socket.reset()
    _ = try server.report { $0.connections == 10 }
    let back = try TestPlayer(port: server.port)
    #expect(try back.resume(secondWelcome.sessionToken).hasRoom)
    #expect(try (0..<8).map { _ in try back.asked().nickname } == names)
    // The room's end is theirs too.
    #expect(server.perform(.closeRoom(try server.roomID(code))).isDone)
    for guest in guests.dropLast() { #expect(try guest.errorCode(of: 9_000) == .roomNotFound) }
  }
}
