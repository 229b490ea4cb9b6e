// The order of the best players in ticks and states: the board's order, told when it has changed.
import Game
import Testing

@Suite("Rooms: the order of players")
struct PlayerOrderTests {
  /// A fix of a seat at its own column, this many footprints to the north.
  private func step(_ test: inout TestRoom, _ seat: Int, _ number: Int) {
    #expect(test.move(seat, Yard.fix(northM: Double(number) * 6, eastM: Double(seat) * 20)) == nil)
  }

  @Test("Who reached equal points first is before the other, in ticks, states and on the board")
  func ties() throws {
    var test = try TestRoom(players: 3)
    test.start()
    #expect(test.tick().order.isEmpty)
    step(&test, 2, 0)
    test.wait(.seconds(1))
    step(&test, 0, 0)
    test.wait(.milliseconds(100))
    #expect(test.tick().order == [2, 0], "a player without points has no place")
    #expect(ToldOrder.seats(in: test.room) == [2, 0])
    test.wait(.seconds(1))
    step(&test, 0, 1)
    test.wait(.milliseconds(100))
    #expect(test.tick().order == [0, 2])
    test.wait(.seconds(1))
    step(&test, 2, 1)
    test.wait(.milliseconds(100))
    #expect(test.tick().order.isEmpty, "nothing has changed")
    test.wait(.seconds(60))
    test.tick()
    #expect(test.room.board.map(\.seat) == [0, 2, 1])
    #expect(ToldOrder.seats(in: test.room).isEmpty, "the board alone counts")
  }

  @Test("Who left comes behind all others, and has the place back on coming back; a hold that is over costs none")
  func leavers() throws {
    var test = try TestRoom(holdS: 10, players: 4)
    test.start()
    for seat in [0, 1, 2] { step(&test, seat, 0) }
    test.wait(.seconds(1))
    step(&test, 0, 1)
    test.tick()
    #expect(ToldOrder.seats(in: test.room) == [0, 1, 2])
    test.apply(.leave(.seat(0)))
    test.wait(.milliseconds(100))
    #expect(test.tick().order == [1, 2, 0])
    test.join(0)
    test.wait(.milliseconds(100))
    #expect(test.tick().order == [0, 1, 2])
    test.apply(.lose(.seat(0)))
    test.wait(.seconds(11))
    let tick = test.tick()
    #expect(tick.events.contains { $0.body == .left(.seat(0)) })
    #expect(ToldOrder.seats(in: test.room) == [0, 1, 2])
  }

  @Test("A merged tick has the newest order, and one without changes none")
  func merged() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.tick()
    let before = test.room.broadcastNumber
    step(&test, 1, 0)
    test.wait(.milliseconds(100))
    test.tick()
    let between = test.room.broadcastNumber
    test.apply(.chat(.seat(0), text: "안녕"))
    test.wait(.milliseconds(100))
    test.tick()
    var merged = Tick()
    #expect(test.room.mergeTicks(afterBroadcast: before, afterEvent: test.room.lastEventNumber, into: &merged))
    #expect(merged.order == [1])
    #expect(test.room.mergeTicks(afterBroadcast: between, afterEvent: test.room.lastEventNumber, into: &merged))
    #expect(merged.order.isEmpty)
  }

  @Test("An order names ten players; a large room tells another one after 2.5 s at the earliest")
  func bounds() throws {
    var test = try TestRoom(capacity: 50, players: 12)
    test.start()
    for seat in 0..<12 { step(&test, seat, 0) }
    test.wait(.milliseconds(100))
    #expect(test.tick().order == Array(0..<10))
    test.wait(.seconds(1))
    step(&test, 11, 1)
    test.wait(.milliseconds(100))
    #expect(test.tick().order.isEmpty)
    #expect(ToldOrder.seats(in: test.room) == Array(0..<10))
    test.wait(.seconds(2))
    step(&test, 11, 1)
    #expect(test.tick().order == [11] + Array(0..<9))
  }

  @Test("Practice opponents are in the order besides the ten best people, and take the place of none")
  func walkers() throws {
    let configuration = try RoomConfiguration(capacity: 20, tickHz: 10, fill: 8, fillStrength: .hard)
    var test = TestRoom(configuration, players: 12)
    test.start()
    for seat in 0..<12 { step(&test, seat, 0) }
    for second in 1...12 {
      test.wait(.seconds(1))
      // Two people behind the ten come before the others, one gain after another.
      if second == 4 { step(&test, 11, 1) }
      if second == 8 { step(&test, 10, 1) }
      test.tick()
      let order = ToldOrder.seats(in: test.room).map(Int.init)
      let people = order.filter { $0 < 12 }
      let expected = second < 4 ? Array(0..<10) : second < 8 ? [11] + Array(0..<9) : [11, 10] + Array(0..<8)
      #expect(people == expected, "after \(second) s")
      #expect(Set(order).count == order.count && order.count <= 20)
    }
    let opponents = ToldOrder.seats(in: test.room).filter { $0 >= 12 }
    #expect(opponents.count == 8 && opponents == Array(ToldOrder.seats(in: test.room).prefix(8)))
    #expect(opponents.allSatisfy { (test.points()[$0] ?? 0) > 2 })
  }
}
