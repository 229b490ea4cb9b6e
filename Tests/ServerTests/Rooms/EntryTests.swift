// Whom a room lets in, over real sockets: bars by kicks, and rooms for accounts.
import Game
import MadangProtocol
import Server
import Store
import TestSupport
import Testing

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
    #expect(room.accountsOnly)
    let guest = try server.player("가람", subprotocol)
    #expect(try guest.refusal(of: .joinRoom(TestPlayer.join(room.code))).code == .accountNeeded)
    try guest.expectOk(.register(TestPlayer.register("garam@example.org", "correct horse", named: "가람")))
    #expect(try guest.joinRoom(room.code).accountsOnly)
    let back = try TestPlayer(port: server.port)
    _ = try back.login("garam@example.org", "correct horse")
    try back.expectOk(.leaveRoom(WireLeaveRoom()))
    #expect(try back.joinRoom(room.code).you.isSeat)
  }
}
