// Chat over real sockets.
import MadangProtocol
import TestSupport
import Testing

@Suite struct ChatTests {
  @Test("A chat reaches all members of the room once, with one number, in both encodings")
  func chat() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let guest = try server.player("guest", .proto)
    let room = try host.createRoom()
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.chat(TestPlayer.chat("안녕 👋 \"q\"")))
    try server.passTick()
    let events = try [host, guest].map { player in try player.event { $0.body.isChat } }
    #expect(events[0] == events[1])
    #expect(events[0].chat.text == "안녕 👋 \"q\"")
    #expect(events[0].chat.seat == 0)
  }

  @Test("Empty, blank, over-long and control texts are refused; after five in a second a player must wait")
  func refusals() throws {
    let server = try TestServer()
    let host = try server.player("host")
    _ = try host.createRoom()
    for text in ["", " \u{3000}\t", String(repeating: "가", count: 101), "bell\u{7}", "two\u{2028}lines"] {
      #expect(try host.refusal(of: .chat(TestPlayer.chat(text))).code == .outOfRange)
    }
    try host.expectOk(.chat(TestPlayer.chat(String(repeating: "가", count: 100))))
    for number in 1..<5 { try host.expectOk(.chat(TestPlayer.chat("\(number)"))) }
    let error = try host.refusal(of: .chat(TestPlayer.chat("6")))
    #expect(error.code == .rateLimited)
    #expect(error.retryAfterMs == 1_000)
    server.clock.advance(seconds: 1)
    try host.expectOk(.chat(TestPlayer.chat("6")))
  }

  @Test("Leaving and joining again does not reset the chat rate")
  func rejoining() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let guest = try server.player("guest")
    let room = try host.createRoom()
    for _ in 0..<2 {
      _ = try guest.joinRoom(room.code)
      try guest.expectOk(.leaveRoom(WireLeaveRoom()))
    }
    _ = try guest.joinRoom(room.code)
    for number in 0..<5 { try guest.expectOk(.chat(TestPlayer.chat("\(number)"))) }
    try guest.expectOk(.leaveRoom(WireLeaveRoom()))
    _ = try guest.joinRoom(room.code)
    #expect(try guest.refusal(of: .chat(TestPlayer.chat("6"))).code == .rateLimited)
  }

  @Test("A read cursor moves forward and is sent with the tick; late joiners get chats and cursors")
  func cursorsAndHistory() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let room = try host.createRoom()
    try host.expectOk(.chat(TestPlayer.chat("one")))
    try server.passTick()
    let chat = try host.event { $0.body.isChat }
    var read = WireReadChat()
    read.upTo = chat.number
    try host.expectOk(.readChat(read))
    try server.passTick()
    #expect(try host.tick().cursors.map(\.upTo) == [chat.number])
    read.upTo = chat.number + 1_000
    #expect(try host.refusal(of: .readChat(read)).code == .outOfRange)
    let guest = try server.player("guest")
    let seen = try guest.joinRoom(room.code)
    #expect(seen.chats.map(\.chat.text) == ["one"])
    #expect(seen.players.map(\.readUpTo) == [chat.number, 0])
  }
}
