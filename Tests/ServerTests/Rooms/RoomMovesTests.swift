// Lobbies that move from a full shard to another before their games: their players notice nothing.
import Game
import MadangProtocol
import Net
import Server
import Store
import StoreDoubles
import Synchronization
import TestSupport
import Testing

@Suite("The moves of lobbies") struct RoomMovesTests {
  /// A server with a room of two, whose shard is full, and another shard that has room.
  private final class Lobby {
    let server: TestServer
    let host: TestPlayer
    let guest: TestPlayer
    let code: String
    let full: Shard
    let free: Shard
    /// The moves that the operator was notified of.
    let moves: Moves

    final class Moves: Sendable {
      private let seen = Mutex<[(from: Int, to: Int)]>([])
      var all: [(from: Int, to: Int)] { seen.withLock { $0 } }

      func note(from: Int, to: Int) { seen.withLock { $0.append((from, to)) } }
    }

    init(store: any Store = MemoryStore(), subprotocol: Subprotocol = .json, consent: Bool = false) throws {
      let moves = Moves()
      self.moves = moves
      server = try TestServer(shards: 2, store: store) {
        $0.notifyOperator = { notification in
          if case .roomMoved(_, let from, let to) = notification { moves.note(from: from, to: to) }
        }
      }
      host = try server.player("나래", subprotocol)
      guest = try server.player("가람", subprotocol)
      code = try host.createRoom { $0.consent = consent }.code
      if consent {
        let id = try guest.ask(code, of: host)
        try host.admit(id)
        guard case .room = try guest.reply(to: TestPlayer.askID) else { throw TestFailure("no room") }
      } else {
        _ = try guest.joinRoom(code)
      }
      full = try server.shard(of: code)
      let index = full.index
      free = try #require(server.server.shards.first { $0.index != index })
      fill()
    }

    /// Gives the shards their loads, as if they were measured; they are known for two seconds.
    func fill(_ share: Double = 0.97, free freeShare: Double = 0.2) {
      server.load(full, share, isOverloaded: share > 0.95)
      server.load(free, freeShare, isOverloaded: freeShare > 0.95)
    }

    var home: Int { get throws { try server.shard(of: code).index } }

    /// A player with a connection on a shard.
    func player(_ name: String, on shard: Shard) throws -> TestPlayer {
      while true {
        let before = server.messages(on: shard)
        let player = try server.player(name)
        if server.messages(on: shard) > before { return player }
      }
    }
  }

  @Test(
    "A lobby moves when its game begins, and its players go on as if nothing had been",
    arguments: Subprotocol.allCases
  )
  func moves(subprotocol: Subprotocol) throws {
    let lobby = try Lobby(subprotocol: subprotocol)
    try lobby.guest.expectOk(.chat(TestPlayer.chat("before")))
    // All in one write: the answers keep their order over the move.
    let bodies: [WireClientMessage.OneOf_Body] = [
      .chat(TestPlayer.chat("first")), .startGame(WireStartGame()), .chat(TestPlayer.chat("behind")),
    ]
    var frames: [UInt8] = []
    for (index, body) in bodies.enumerated() { frames += lobby.host.frame(body, id: 70 + UInt32(index)) }
    try lobby.host.socket.send(frames)
    try lobby.host.expectOks(to: 70...72)
    #expect(try lobby.home == lobby.free.index)
    let moves = lobby.moves.all
    #expect(moves.count == 1 && moves.first?.from == lobby.full.index && moves.first?.to == lobby.free.index)
    for player in [lobby.guest, lobby.host] {
      try lobby.server.passTick()
      _ = try player.event { $0.phase.phase == .playing }
    }
    try lobby.guest.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    try lobby.guest.expectOk(.chat(TestPlayer.chat("after")))
    let back = try lobby.server.player("늦음")
    let state = try back.joinRoom(lobby.code)
    #expect(state.players.count == 3 && state.phase == .playing)
    #expect(state.chats.map(\.chat.text) == ["before", "first", "behind", "after"])
    #expect(lobby.server.report().rooms == 1)
  }

  @Test("Players who ask the host go along with the lobby, and are let in where it is")
  func consent() throws {
    let lobby = try Lobby(consent: true)
    let first = try lobby.player("하나", on: lobby.free)
    let second = try lobby.player("둘", on: lobby.full)
    let ids = try [first, second].map { try $0.ask(lobby.code, of: lobby.host) }
    try lobby.host.expectOk(.startGame(WireStartGame()))
    #expect(try lobby.home == lobby.free.index)
    // They wait anew, and the host is told of them anew.
    for player in [first, second] { _ = try player.first { if case .joinWaits = $0.body { true } else { false } } }
    let told = try ids.map { _ in
      try lobby.host.first { if case .joinAsked = $0.body { true } else { false } }.joinAsked
    }
    #expect(told.map(\.playerID).sorted() == ids.sorted() && told.allSatisfy { !$0.over })
    for id in ids { try lobby.host.admit(id) }
    for player in [first, second] {
      guard case .room(let room) = try player.reply(to: TestPlayer.askID) else { throw TestFailure("no room") }
      #expect(room.code == lobby.code && room.phase == .playing)
      try player.expectOk(.chat(TestPlayer.chat("there")))
    }
  }

  @Test("A room moves again when its next game begins, with its past games")
  func again() throws {
    let lobby = try Lobby()
    try lobby.host.expectOk(.startGame(WireStartGame()))
    #expect(try lobby.home == lobby.free.index)
    try lobby.server.pass(seconds: 70, lobby.host, lobby.guest)
    try lobby.host.expectOk(.playAgain(WirePlayAgain()))
    // The other way round.
    lobby.server.load(lobby.free, 0.9)
    lobby.server.load(lobby.full, 0.1)
    try lobby.guest.expectOk(.startGame(WireStartGame()))
    #expect(try lobby.home == lobby.full.index)
    try lobby.server.pass(seconds: 70, lobby.host, lobby.guest)
    guard case .roomGames(let games) = try lobby.host.request(.roomGames(WireRoomGamesRequest())) else {
      throw TestFailure("no games")
    }
    #expect(games.games.count == 2)
    #expect(lobby.moves.all.count == 2)
  }

  @Test(
    "A lobby stays where the other shard is little better, or full as well, or its own has room",
    arguments: [(0.97, 0.75), (0.97, 0.97), (0.7, 0.1), (0.85, 0.6)]
  )
  func stays(own: Double, other: Double) throws {
    let lobby = try Lobby()
    lobby.fill(own, free: other)
    try lobby.host.expectOk(.startGame(WireStartGame()))
    #expect(try lobby.home == lobby.full.index)
  }

  @Test("A start that the rules refuse moves nothing")
  func refused() throws {
    let lobby = try Lobby()
    try lobby.guest.expectOk(.leaveRoom(WireLeaveRoom()))
    #expect(try lobby.host.refusal(of: .startGame(WireStartGame())).code == .tooFewPlayers)
    #expect(try lobby.home == lobby.full.index)
  }

  @Test("A room waits for its commits; who comes meanwhile comes along, and requests wait in their order")
  func waits() throws {
    let store = StubbornStore()
    let lobby = try Lobby(store: store)
    let late = try lobby.player("늦음", on: lobby.free)
    store.hold()
    try lobby.host.send(.chat(TestPlayer.chat("held")), id: 80)
    try lobby.host.send(.startGame(WireStartGame()), id: 81)
    try lobby.host.send(.chat(TestPlayer.chat("behind")), id: 82)
    try lobby.guest.send(.chat(TestPlayer.chat("of the guest")), id: 83)
    try late.send(.joinRoom(TestPlayer.join(lobby.code)), id: 84)
    _ = try lobby.server.report { _ in store.heldCount > 0 }
    #expect(try lobby.home == lobby.full.index)
    store.release()
    try lobby.host.expectOks(to: 80...82)
    guard case .ok = try lobby.guest.reply(to: 83) else { throw TestFailure("the guest's chat was refused") }
    guard case .room = try late.reply(to: 84) else { throw TestFailure("not in") }
    #expect(try lobby.home == lobby.free.index)
    try late.expectOk(.chat(TestPlayer.chat("there")))
    for player in [lobby.host, lobby.guest, late] {
      try lobby.server.passTick()
      _ = try player.event { $0.chat.text == "there" }
    }
  }

  @Test("A room whose commits take too long begins its game where it is")
  func givesUp() throws {
    let store = StubbornStore()
    let lobby = try Lobby(store: store)
    let before = lobby.server.messages(on: lobby.full)
    store.hold()
    try lobby.host.send(.chat(TestPlayer.chat("held")), id: 80)
    try lobby.host.send(.startGame(WireStartGame()), id: 81)
    _ = try lobby.server.report { _ in store.heldCount > 0 }
    lobby.server.await(messages: before + 2, on: lobby.full)
    for _ in 0..<3 {
      lobby.server.clock.advance(milliseconds: 500)
      _ = lobby.server.report()
    }
    store.release()
    guard case .ok = try lobby.host.reply(to: 81) else { throw TestFailure("not started") }
    #expect(try lobby.home == lobby.full.index)
    #expect(lobby.moves.all.isEmpty)
    try lobby.guest.expectOk(.chat(TestPlayer.chat("on")))
  }

  @Test("Players who are lost while their room waits are held in it, and come back to its other shard")
  func lost() throws {
    let store = StubbornStore()
    let lobby = try Lobby(store: store)
    let other = try TestPlayer(port: lobby.server.port)
    let token = try other.hello("하나").sessionToken
    _ = try other.joinRoom(lobby.code)
    store.hold()
    try lobby.host.send(.chat(TestPlayer.chat("held")), id: 80)
    try lobby.host.send(.startGame(WireStartGame()), id: 81)
    _ = try lobby.server.report { _ in store.heldCount > 0 }
    other.socket.reset()
    // A newer connection asks while the room is held.
    let newer = try TestPlayer(port: lobby.server.port)
    try newer.send(.resume(TestPlayer.resume(token)), id: 1)
    store.release()
    guard case .ok = try lobby.host.reply(to: 81) else { throw TestFailure("not started") }
    guard case .welcome(let welcome) = try newer.reply(to: 1) else { throw TestFailure("no welcome") }
    #expect(welcome.room.code == lobby.code && welcome.room.players.count == 3)
    #expect(try lobby.home == lobby.free.index)
    try newer.expectOk(.chat(TestPlayer.chat("back")))
    try lobby.server.passTick()
    _ = try lobby.guest.event { $0.chat.text == "back" }
  }

  @Test("A crash while a room waits finds it once, with all that was answered")
  func crash() throws {
    let store = StubbornStore()
    let lobby = try Lobby(store: store)
    let token = try TestPlayer(port: lobby.server.port).hello("하나").sessionToken
    let third = try TestPlayer(port: lobby.server.port)
    _ = try third.resume(token)
    _ = try third.joinRoom(lobby.code)
    try third.expectOk(.chat(TestPlayer.chat("answered")))
    store.hold()
    try lobby.host.send(.chat(TestPlayer.chat("lost")), id: 80)
    try lobby.host.send(.startGame(WireStartGame()), id: 81)
    _ = try lobby.server.report { _ in store.heldCount > 0 }
    store.forget()
    let again = try lobby.server.crash()
    #expect(again.report().rooms == 1)
    let back = try TestPlayer(port: again.port)
    let room = try back.resume(token).room
    #expect(room.code == lobby.code && room.players.count == 3 && room.phase == .lobby)
    #expect(room.chats.map(\.chat.text) == ["answered"])
  }

  @Test("A join that is on its way to the shard that a room has just left follows it")
  func follows() throws {
    let lobby = try Lobby()
    let late = try lobby.player("늦음", on: lobby.free)
    // The start is ready to be read behind the second pause, and the join in the mailbox behind that turn.
    let first = ShardPause(lobby.full)
    let second = ShardPause(afterMailboxOf: lobby.full)
    try lobby.host.send(.startGame(WireStartGame()), id: 90)
    first.end()
    second.awaitStart()
    let before = lobby.server.messages(on: lobby.free)
    try late.send(.joinRoom(TestPlayer.join(lobby.code)), id: 91)
    lobby.server.await(messages: before + 1, on: lobby.free)
    second.end()
    guard case .ok = try lobby.host.reply(to: 90) else { throw TestFailure("not started") }
    guard case .room(let room) = try late.reply(to: 91) else { throw TestFailure("not in") }
    #expect(room.code == lobby.code && room.phase == .playing)
    #expect(try lobby.home == lobby.free.index)
  }

  @Test("Operators close, announce in and take players out of a room that waits or has moved")
  func operators() throws {
    let store = StubbornStore()
    let lobby = try Lobby(store: store)
    let id = try lobby.server.roomID(lobby.code)
    try lobby.host.expectOk(.startGame(WireStartGame()))
    #expect(try lobby.home == lobby.free.index)
    #expect(lobby.server.perform(.announce("hello", in: id)).isDone)
    #expect(try lobby.guest.announcement().text == "hello")
    #expect(lobby.server.perform(.closeRoom(id)).isDone)
    try lobby.guest.awaitRoomClosed()
    try lobby.host.awaitRoomClosed()
    // Another one, closed while it waits.
    let code = try lobby.host.createRoom().code
    _ = try lobby.guest.joinRoom(code)
    let full = try lobby.server.shard(of: code)
    for shard in lobby.server.server.shards { lobby.server.load(shard, shard.index == full.index ? 0.9 : 0.1) }
    let next = try lobby.server.roomID(code)
    store.hold()
    try lobby.guest.send(.chat(TestPlayer.chat("held")), id: 60)
    _ = try lobby.server.report { _ in store.heldCount > 0 }
    try lobby.host.send(.startGame(WireStartGame()), id: 61)
    let closing = lobby.server.begin(.closeRoom(next))
    _ = lobby.server.report()
    store.release()
    #expect(closing.take().isDone)
    let answer = try lobby.host.reply(to: 61)
    if case .error(let error) = answer { #expect(error.code == .notInRoom) } else { #expect(answer == .ok(WireOk())) }
    try lobby.guest.awaitRoomClosed()
  }

  @Test("Rooms don't move while others are looked through for deleted players, and a survey waits for moves")
  func erasures() {
    let erasures = RoomErasures()
    #expect(erasures.beginMove())
    #expect(!erasures.add(PlayerID(1)) {}, "the move's end begins the survey")
    #expect(!erasures.beginMove())
    #expect(!erasures.add(PlayerID(2)) {})
    #expect(erasures.endMove())
    #expect(erasures.beginSurvey() == [PlayerID(1), PlayerID(2)])
    #expect(!erasures.beginMove())
    #expect(erasures.endSurvey().completions.count == 2)
    #expect(erasures.beginSurvey().isEmpty)
    #expect(erasures.beginMove())
    #expect(!erasures.endMove())
  }
}

extension TestPlayer {
  /// The number of the request to come into a room whose host must consent.
  fileprivate static let askID: UInt32 = 9_000

  /// Asks to come into a room; returns the player's identifier, as the host is told.
  fileprivate func ask(_ code: String, of host: TestPlayer) throws -> String {
    try send(.joinRoom(TestPlayer.join(code)), id: Self.askID)
    _ = try first { if case .joinWaits = $0.body { true } else { false } }
    return try host.first { if case .joinAsked = $0.body { true } else { false } }.joinAsked.playerID
  }

  fileprivate func admit(_ player: String) throws {
    var answer = WireAnswerJoin()
    answer.playerID = player
    answer.admit = true
    try expectOk(.answerJoin(answer))
  }

  /// Waits for the answers to these requests, which must come in this order and be `ok`.
  fileprivate func expectOks(to ids: ClosedRange<UInt32>) throws {
    for id in ids {
      let answer = try first { $0.hasReplyTo }
      guard answer.replyTo == id, case .ok? = answer.body else { throw TestFailure("\(answer) for \(id)") }
    }
  }
}
