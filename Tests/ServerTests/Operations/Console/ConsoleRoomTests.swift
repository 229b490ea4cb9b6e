// One room that a console follows: it shows the view of the room's players, committed and in order.
import ClientModel
import Foundation
import Game
import MadangProtocol
import Net
import Store
import TestSupport
import Testing

@Suite struct ConsoleRoomTests {
  /// Follows a room and keeps a copy of it, as a page does.
  private final class Follower {
    let console: TestConsole
    private var copy: RoomCopy
    private(set) var members: [[String: Any]]
    private(set) var wholes = 1
    private(set) var shard: Int?
    /// The room as the operator sees it.
    var shown: ShownRoom { ShownRoom(copy) }
    private var authorsByEvent: [Int: String] = [:]

    /// The authors of all chats, in order.
    var authors: [String] { authorsByEvent.sorted { $0.key < $1.key }.map(\.value) }

    private func take(authorsOf update: [String: Any]) {
      for (event, player) in update["authors"] as? [String: String] ?? [:] { authorsByEvent[Int(event) ?? 0] = player }
    }

    init(_ operators: TestOperators, _ code: String) throws {
      console = try TestConsole(operators)
      let listed = try console.watch("rooms", "\"filter\":\"\(code)\"").rows("rows").first
      let id = try #require(listed?.text("id"))
      let room = try console.watch("room", "\"room\":\"\(id)\"")
      #expect(room.text("id") == id && room.int("shard") == listed?.int("shard"))
      let state = try room.wireRoom("state")
      #expect(state.code == code && !state.hasYou)
      copy = try RoomCopy(state)
      members = room.rows("members")
      shard = room.int("shard")
      take(authorsOf: room)
    }

    /// Lets time pass and applies received messages.
    func step() throws {
      try console.step()
      while let message = console.take({ $0["room"] != nil || $0["tick"] != nil }) {
        if let room = message["room"] as? [String: Any] {
          copy = try RoomCopy(try room.wireRoom("state"))
          members = room.rows("members")
          shard = room.int("shard")
          wholes += 1
          take(authorsOf: room)
        } else {
          take(authorsOf: message.object("tick"))
          try copy.take(try message.object("tick").wireTick("tick"), as: nil)
          if message.object("tick")["members"] != nil { members = message.object("tick").rows("members") }
        }
      }
    }

    func follow(until fits: (Follower) -> Bool) throws {
      for _ in 0..<20 where !fits(self) { try step() }
      #expect(fits(self))
    }
  }

  /// Brings a player's copy up to date with everything received.
  private func catchUp(_ copy: inout RoomCopy, _ player: TestPlayer) throws {
    try player.pump()
    while let tick = player.takeTick() { try copy.take(tick, as: nil) }
  }

  @Test("A room is followed from the lobby through a game to its board, as its players see it", arguments: [1, 3])
  func follows(shards: Int) throws {
    let operators = try TestOperators(shards: shards)
    let host = try operators.game.player("host", .proto)
    let guest = try operators.game.player("guest")
    let room = try host.createRoom { $0.durationS = 20 }
    var seen = try RoomCopy(try guest.joinRoom(room.code))
    let follower = try Follower(operators, room.code)
    #expect(follower.shown.members == ["seat 0": "host", "seat 1": "guest"])
    try guest.expectOk(.chat(TestPlayer.chat("안녕")))
    try follower.follow { $0.shown.chats == ["안녕"] }
    #expect(follower.wholes == 1)
    try host.expectOk(.startGame(WireStartGame()))
    try follower.follow { $0.shown.phase == .playing }
    #expect(follower.wholes == 2, "a game's start sends the whole state")
    for second in 0..<8 {
      try host.expectOk(.move(TestPlayer.move(375_665_000 + Int32(second) * 300, 1_269_780_000)))
      try guest.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000 - Int32(second) * 300)))
      try follower.step()
      try catchUp(&seen, guest)
    }
    try follower.follow {
      $0.shown.rows[0]?.latE7 == 375_665_000 + 2_100 && $0.shown.rows[1]?.lngE7 == 1_269_780_000 - 2_100
    }
    try catchUp(&seen, guest)
    #expect(follower.shown == ShownRoom(seen))
    #expect(follower.wholes == 2)
    // One player leaves, and the game ends.
    try host.expectOk(.leaveRoom(WireLeaveRoom()))
    try follower.follow { $0.shown.phase == .ended && $0.members.count == 1 }
    try catchUp(&seen, guest)
    #expect(follower.shown == ShownRoom(seen))
    #expect(!follower.shown.board.isEmpty)
  }

  @Test("A room that moves to another shard is followed there, and its move is counted")
  func moves() throws {
    let operators = try TestOperators()
    let host = try operators.game.player("host")
    let guest = try operators.game.player("guest")
    let room = try host.createRoom()
    var seen = try RoomCopy(try guest.joinRoom(room.code))
    let follower = try Follower(operators, room.code)
    let full = try operators.game.shard(of: room.code).index
    #expect(follower.shard == full)
    let before = try operators.metrics()
    for shard in operators.game.server.shards { operators.game.load(shard, shard.index == full ? 0.9 : 0.1) }
    try host.expectOk(.startGame(WireStartGame()))
    try follower.follow { $0.shown.phase == .playing && $0.shard == 1 - full }
    try guest.expectOk(.chat(TestPlayer.chat("여기")))
    try follower.follow { $0.shown.chats == ["여기"] }
    try catchUp(&seen, guest)
    #expect(follower.shown == ShownRoom(seen))
    let after = try operators.metrics()
    #expect(try after.rise(of: "madang_rooms_moved_total", since: before) == 1)
    #expect(try after.rise(of: "madang_room_moves_failed_total", since: before) == 0)
    #expect(try after.rise(of: "madang_shard_rooms{shard=\"\(full)\"}", since: before) == -1)
    #expect(try after.rise(of: "madang_shard_rooms{shard=\"\(1 - full)\"}", since: before) == 1)
  }

  @Test("Ground is followed, and a new watch shows the same as the ticks did")
  func ground() throws {
    let operators = try TestOperators()
    let player = try operators.game.player("walker")
    let room = try player.createRoom { room in
      room.mode = .territory
      room.capacity = 2
    }
    let guest = try operators.game.player("guest")
    _ = try guest.joinRoom(room.code)
    try player.expectOk(.startGame(WireStartGame()))
    let follower = try Follower(operators, room.code)
    // Around a square of 40 m.
    let corners: [(Int32, Int32)] = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]
    for (from, to) in zip(corners, corners.dropFirst()) {
      for step in 0..<5 {
        let lat = from.0 * 5 + (to.0 - from.0) * Int32(step)
        let lng = from.1 * 5 + (to.1 - from.1) * Int32(step)
        try player.expectOk(.move(TestPlayer.move(375_665_000 + lat * 720, 1_269_780_000 + lng * 900)))
        try follower.step()
        operators.game.clock.advance(milliseconds: 500)
      }
    }
    try player.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    try follower.follow { !$0.shown.cells.isEmpty }
    // The last event is committed, sent with a tick, and followed.
    _ = try operators.game.report { $0.isCommitted }
    for _ in 0..<2 { try follower.step() }
    #expect(try Follower(operators, room.code).shown == follower.shown)
    withExtendedLifetime(guest) {}
  }

  @Test("Members are shown with addresses, round trips and holds")
  func members() throws {
    let operators = try TestOperators()
    let host = try operators.game.player("host")
    let room = try host.createRoom()
    let guest = try operators.game.player("guest")
    _ = try guest.joinRoom(room.code)
    let follower = try Follower(operators, room.code)
    #expect(follower.members.map { $0.text("nickname") } == ["host", "guest"])
    #expect(follower.members.map { $0.int("seat") } == [0, 1])
    let first = try #require(follower.members.first)
    #expect(first.text("address") == "127.0.0.1" && first.int("roundTripMs") != nil && first.int("unsentBytes") == 0)
    #expect(first["held"] as? Bool == false && first["suspect"] as? Bool == false && first["muted"] as? Bool == false)
    guest.socket.reset()
    try follower.follow { $0.members.last?["held"] as? Bool == true }
    #expect(follower.members.last?["address"] == nil)
    #expect(follower.shown.members["seat 1"] == "guest held")
    withExtendedLifetime(host) {}
  }

  @Test("A room that ends is reported as gone, and so is an unknown one")
  func gone() throws {
    let operators = try TestOperators()
    let host = try operators.game.player("host")
    let room = try host.createRoom()
    let follower = try Follower(operators, room.code)
    try host.expectOk(.leaveRoom(WireLeaveRoom()))
    operators.game.clock.advance(seconds: 61)
    let gone = try follower.console.received("roomGone") { _ in true }
    #expect(gone.text("id")?.count == 32)
    let never = String(repeating: "f", count: 32)
    try follower.console.send("{\"watch\":\"room\",\"room\":\"\(never)\"}")
    #expect(try follower.console.received("roomGone").text("id") == never)
  }

  @Test("Nothing of a room is sent before it is committed")
  func committedOnly() throws {
    let store = StubbornStore()
    let operators = try TestOperators(shards: 1, store: store)
    let host = try operators.game.player("host")
    let room = try host.createRoom()
    let follower = try Follower(operators, room.code)
    store.hold()
    try host.send(.chat(TestPlayer.chat("not yet")))
    for _ in 0..<4 { try follower.step() }
    #expect(follower.shown.chats.isEmpty)
    // Watched anew, the state waits for the commit too.
    try follower.console.send("{\"watch\":\"rooms\"}")
    let id = try #require(try follower.console.received("rooms").rows("rows").first?.text("id"))
    try follower.console.send("{\"watch\":\"room\",\"room\":\"\(id)\"}")
    for _ in 0..<4 { try follower.console.step() }
    #expect(!follower.console.inbox.contains { $0["room"] != nil })
    store.release()
    let state = try follower.console.received("room").wireRoom("state")
    #expect(state.chats.map(\.chat.text) == ["not yet"])
  }

  @Test("Chats keep their authors, also when another has the seat later")
  func authors() throws {
    let operators = try TestOperators(shards: 1)
    let host = try operators.game.player("host")
    let room = try host.createRoom()
    let first = try TestPlayer(port: operators.game.port)
    let author = try first.helloID("first")
    _ = try first.joinRoom(room.code)
    let follower = try Follower(operators, room.code)
    try first.expectOk(.chat(TestPlayer.chat("mine")))
    try first.expectOk(.leaveRoom(WireLeaveRoom()))
    let second = try TestPlayer(port: operators.game.port)
    let other = try second.helloID("second")
    #expect(try second.joinRoom(room.code).you.seat == 1)
    try second.expectOk(.chat(TestPlayer.chat("not mine")))
    try follower.follow { $0.shown.chats == ["mine", "not mine"] }
    #expect(follower.authors == [author.description, other.description])
    // Also for a console that opens the room afterwards.
    let late = try Follower(operators, room.code)
    #expect(late.authors == [author.description, other.description])
  }
}
