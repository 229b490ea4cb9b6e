// The host of a room, and the times at which the part passes on.
import Game
import Testing

@Suite("Rooms: the host")
struct RoomHostTests {
  @Test("The host's part passes at leave to the longest present connected player with a seat")
  func hostLeaves() throws {
    var test = try TestRoom(players: 4)
    test.apply(.leave(.seat(1)))
    test.join(8)
    test.apply(.lose(.seat(2)))
    let before = test.room.lastEventNumber
    test.apply(.leave(.seat(0)))
    #expect(test.room.hostSeat == 3)
    #expect(test.bodies(after: before) == [.left(.seat(0)), .host(seat: 3)])
    test.apply(.leave(.seat(3)))
    #expect(test.room.hostSeat == 1)
  }

  @Test("The host's part passes 10 s after a lost connection, and does not come back")
  func hostLost() throws {
    var test = try TestRoom(players: 2)
    test.wait(.seconds(5))
    test.apply(.lose(.seat(0)))
    #expect(test.room.nextDeadline == test.now + .seconds(10))
    test.wait(.milliseconds(9_999))
    test.tick()
    #expect(test.room.hostSeat == 0)
    test.wait(.seconds(3))
    test.tick()
    #expect(test.room.hostSeat == 1)
    #expect(test.effects.tick.events.map(\.body) == [.host(seat: 1)])
    #expect(test.effects.tick.events.map(\.atMs) == [15_000])
    test.apply(.comeBack(.seat(0)))
    #expect(test.room.hostSeat == 1)
  }

  @Test("A host who comes back within 10 s keeps the part")
  func hostBack() throws {
    var test = try TestRoom(players: 2)
    test.apply(.lose(.seat(0)))
    test.wait(.milliseconds(9_999))
    test.apply(.comeBack(.seat(0)))
    test.wait(.seconds(20))
    test.tick()
    #expect(test.room.hostSeat == 0)
  }

  @Test("Where nobody could take the host's part, the first who is connected takes it")
  func hostWaits() throws {
    var test = try TestRoom(players: 2)
    test.apply(.lose(.seat(1)))
    test.wait(.seconds(1))
    test.apply(.lose(.seat(0)))
    test.wait(.seconds(15))
    test.tick()
    #expect(test.room.hostSeat == 0)
    let before = test.room.lastEventNumber
    test.apply(.comeBack(.seat(1)))
    #expect(test.bodies(after: before) == [.back(.seat(1)), .host(seat: 1)])
  }

  @Test("A free part goes to who is held where nobody is connected, and there is no host without a seat taken")
  func lastHost() throws {
    var test = try TestRoom(players: 2)
    test.apply(.lose(.seat(1)))
    test.wait(.seconds(1))
    test.apply(.leave(.seat(0)))
    #expect(test.room.hostSeat == 1)
    test.wait(.seconds(29))
    test.tick()
    #expect(test.room.members.isEmpty)
    #expect(test.room.hostSeat == nil)
    #expect(test.bodies().suffix(3) == [.left(.seat(0)), .host(seat: 1), .left(.seat(1))])
    test.join(4)
    #expect(test.room.hostSeat == 0)
  }

  @Test("Spectators don't host, but who gets the first seat does")
  func spectatorHost() throws {
    var test = try TestRoom(capacity: 2, players: 2)
    test.start()
    test.join(5)
    test.apply(.leave(.seat(0)))
    test.apply(.leave(.seat(1)))
    #expect(test.room.hostSeat == nil)
    test.wait(.seconds(60))
    let before = test.room.lastEventNumber
    test.tick()
    #expect(
      test.bodies(after: before) == [
        .phase(.lobby), .left(.spectator(0)), .joined(TestRoom.member(5, .seat(0))), .host(seat: 0),
      ]
    )
  }
}
