// The host of a room, and the times at which the part passes on.
import Game
import Testing

@Suite("Rooms: the host")
struct RoomHostTests {
  @Test("On leaving, the host role passes to the seated player who has been connected longest")
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

  @Test("The host role passes 10 s after a lost connection, and does not return")
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

  @Test("A host who reconnects within 10 s keeps the role")
  func hostBack() throws {
    var test = try TestRoom(players: 2)
    test.apply(.lose(.seat(0)))
    test.wait(.milliseconds(9_999))
    test.apply(.comeBack(.seat(0)))
    test.wait(.seconds(20))
    test.tick()
    #expect(test.room.hostSeat == 0)
  }

  @Test("If no player could take the host role, the first to connect takes it")
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

  @Test("A free host role passes to a held player if no one is connected; without a taken seat there is no host")
  func lastHost() throws {
    var test = try TestRoom(holdS: 30, players: 2)
    test.apply(.lose(.seat(1)))
    test.wait(.seconds(1))
    test.apply(.leave(.seat(0)))
    #expect(test.room.hostSeat == 1)
    test.wait(.seconds(29))
    test.tick()
    #expect(test.room.members.isEmpty)
    #expect(test.room.hostSeat == nil)
    #expect(test.bodies().suffix(4) == [.left(.seat(0)), .host(seat: 1), .left(.seat(1)), .host(seat: nil)])
    test.join(4)
    #expect(test.room.hostSeat == 0)
  }

  @Test("Spectators can't be host, but the first to get a seat becomes host")
  func spectatorHost() throws {
    var test = try TestRoom(capacity: 2, players: 2)
    test.start()
    test.join(5)
    test.apply(.leave(.seat(0)))
    let beforeLast = test.room.lastEventNumber
    test.apply(.leave(.seat(1)))
    #expect(test.room.hostSeat == nil)
    #expect(test.bodies(after: beforeLast) == [.left(.seat(1)), .host(seat: nil)])
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
