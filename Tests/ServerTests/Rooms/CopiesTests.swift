// A client's copy of the room, kept by ticks alone, compared with the state that the server sends.
import ClientModel
import MadangProtocol
import TestSupport
import Testing

@Suite struct CopiesTests {
  @Test("A copy knows without asking that nobody is the host, and which game is on", arguments: Subprotocol.allCases)
  func hostAndGame(_ encoding: Subprotocol) throws {
    let server = try TestServer(shards: 1)
    let host = try server.player("host")
    let guest = try server.player("guest")
    let watcher = try TestPlayer(port: server.port, subprotocol: encoding)
    let welcome = try watcher.hello("watcher")
    let code = try host.createRoom { $0.capacity = 2 }.code
    _ = try guest.joinRoom(code)
    try host.expectOk(.startGame(WireStartGame()))
    let first = try watcher.joinRoom(code)
    #expect(first.host == 0 && first.gameID.hasSuffix("-1"))
    var copy = try RoomCopy(first)
    try host.expectOk(.leaveRoom(WireLeaveRoom()))
    try server.passTick()
    try copy.take(watcher.tick(), as: welcome.playerID)
    try guest.expectOk(.leaveRoom(WireLeaveRoom()))
    try server.passTick()
    let tick = try watcher.tick()
    #expect(tick.events.map { $0.body?.name } == ["left", "host"])
    #expect(tick.events[1].host.place == nil)
    try copy.take(tick, as: welcome.playerID)

    // The lobby seats the watcher, who starts the next game with a newcomer.
    try server.pass(seconds: 61, watcher, host, guest)
    _ = try host.joinRoom(code)
    try watcher.expectOk(.startGame(WireStartGame()))
    try server.passTick()
    while copy.phase != .playing { try copy.take(watcher.tick(), as: welcome.playerID) }
    let back = try TestPlayer(port: server.port)
    let state = try back.resume(welcome.sessionToken).room
    #expect(state.host == 0 && state.gameID.hasSuffix("-2"))
    #expect(copy.difference(from: try RoomCopy(state)) == nil)
  }

  @Test("The number of an event that the room does not have yet is no gap")
  func eventAhead() throws {
    let server = try TestServer(shards: 1)
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("host").sessionToken
    let room = try player.createRoom()
    let back = try TestPlayer(port: server.port)
    let welcome = try back.resume(token, afterEvent: room.lastEvent + 1_000)
    #expect(welcome.events.isEmpty && !welcome.gap)
    #expect(welcome.room.lastEvent == room.lastEvent)
  }

  @Test("A welcome names the server, its protocol and the limits of a connection")
  func server() throws {
    let server = try TestServer(shards: 1)
    let player = try TestPlayer(port: server.port)
    let info = try player.hello("guest").server
    #expect(info.version == Release.version && info.protocol == 1)
    #expect(info.messageBytesMax == UInt32(Limits.messageBytesMax))
    #expect(info.longMessageBytesMax == UInt32(Limits.longMessageBytesMax))
    #expect(info.messagesPerSecond == UInt32(Limits.messagesPerSecond))
    #expect(info.messageBurst == UInt32(Limits.messageBurst))
    #expect(info.fixesPerSecond == UInt32(Limits.fixesPerSecond))
  }
}
