// Erasure of a player's texts from a running room.
import Game
import Testing

@Suite("Rooms: erasing a player")
struct RoomErasureTests {
  @Test("The nickname is `…` wherever the room still shows it, and no other nickname changes")
  func nickname() throws {
    var test = try TestRoom(duration: .seconds(10), players: 3)
    test.start()
    test.apply(.leave(.seat(1)))
    test.wait(.seconds(10))
    test.tick()
    #expect(test.apply(.erase(TestRoom.player(0))) == .ok)
    #expect(test.apply(.erase(TestRoom.player(1))) == .ok)
    #expect(test.room.members.map(\.nickname) == ["…", "player 2"])
    #expect(test.room.board.map(\.nickname) == ["…", "player 2", "…"])
    var shown: [String] = []
    for body in test.bodies() {
      switch body {
      case .joined(let member): shown.append(member.nickname)
      case .phase(.ended(let board)): shown += board.map(\.nickname)
      default: break
      }
    }
    #expect(shown == ["…", "…", "player 2", "…", "player 2", "…"])
  }

  @Test("A running game ends with `…` on its board")
  func board() throws {
    var test = try TestRoom(duration: .seconds(10), players: 2)
    test.start()
    test.apply(.erase(TestRoom.player(1)))
    test.wait(.seconds(10))
    test.tick()
    #expect(test.room.board.map(\.nickname) == ["player 0", "…"])
  }

  @Test("The player's chats are `…` for joining and resuming players, even if the author has left; other chats stay")
  func chats() throws {
    var test = try TestRoom(players: 3)
    test.apply(.chat(.seat(0), text: "가"))
    test.apply(.chat(.seat(1), text: "나"))
    test.apply(.leave(.seat(1)))
    test.join(5)
    #expect(test.room.member(at: .seat(1))?.id == TestRoom.player(5))
    test.apply(.chat(.seat(1), text: "다"))
    let last = test.room.lastEventNumber
    #expect(test.apply(.erase(TestRoom.player(1))) == .ok)
    #expect(test.room.lastEventNumber == last)
    let texts: [Event.Body] = [
      .chat(.seat(0), author: TestRoom.player(0), text: "가"),
      .chat(.seat(1), author: TestRoom.player(1), text: "…"),
      .chat(.seat(1), author: TestRoom.player(5), text: "다"),
    ]
    #expect(test.room.chats.map(\.body) == texts)
    #expect(test.bodies().filter { if case .chat = $0 { true } else { false } } == texts)
  }

  @Test("The erasure of a player who was never in the room changes nothing")
  func stranger() throws {
    var test = try TestRoom(players: 2)
    let before = test.bodies()
    #expect(test.apply(.erase(TestRoom.player(9))) == .ok)
    #expect(test.bodies() == before)
  }
}
