// Runs around lands: their beginnings, their captures, and the player's notifications.
import Game
import Testing

@Suite("Land mode: runs")
struct LandRunTests {
  private static let land = LandID(1)

  @Test("A run begins at the first fix within 10 m of a vertex")
  func beginning() throws {
    for (northM, isNear) in [(-9.99, true), (-10.01, false)] {
      var test = try TestLands.game([try TestLands.square()])
      // Beside a corner, since the distance is to a vertex and not to a side.
      let notices = test.walk(0, [(northM, 0)])
      #expect(notices == [isNear ? RunProgress(.running, land: 0) : RunProgress(.tooFar)])
      #expect(test.room.run(of: 0, at: test.now)?.state == (isNear ? .running : nil))
    }
    // 10 m from the side, and further from its vertices, which are 6.67 m apart.
    var test = try TestLands.game([try TestLands.square()])
    #expect(test.walk(0, [(-9.99, 3.33)]) == [RunProgress(.tooFar)])
  }

  @Test("A player who is too far from every land is notified once, until a run begins")
  func tooFar() throws {
    var test = try TestLands.game([try TestLands.square()])
    #expect(test.walk(0, [(-30, 0), (-25, 0), (-20, 0)]) == [RunProgress(.tooFar)])
    #expect(test.apply(.giveUpRun(.seat(0))) == .refused(.noRun))
    #expect(test.walk(0, [(-12, 0), (-8, 0)]).map(\.state) == [.running])
    #expect(test.apply(.giveUpRun(.seat(0))) == .ok)
    #expect(test.walk(0, [(-16, 0), (-20, 0)]) == [RunProgress(.tooFar)])
  }

  @Test("The run's time is from its first fix to the capturing fix, by their own times")
  func time() throws {
    let land = try TestLands.square()
    var test = try TestLands.game([land])
    test.walk(0, [(-40, 0), (-30, 0), (-20, 0), (-10.5, 0)])
    var notices: [RunProgress] = []
    for (step, vertex) in land.vertices.enumerated() where test.captures.isEmpty {
      // From the second fix on they arrive 1.5 s late.
      let time = test.now - .milliseconds(step == 0 ? 0 : 1_500)
      test.move(0, Fix(latE7: vertex.latE7, lngE7: vertex.lngE7, accuracyM: 5, time: time))
      notices += test.runProgress.map(\.progress)
      test.wait(.milliseconds(step == 0 ? 3_000 : 1_010))
    }
    // The 23rd vertex captures; between the first and the second fix 1.5 s pass on the phone.
    #expect(notices.last == RunProgress(.captured, land: 0, visited: 23, time: .milliseconds(1_500 + 21 * 1_010)))
    #expect(test.captures.map(\.time) == [.milliseconds(22_710)])
  }

  @Test("A player further than 10 m from every vertex is warned, and notified on coming back")
  func warning() throws {
    var test = try TestLands.game([try TestLands.square()])
    test.walk(0, [(0, 0), (0, 6.67)])
    test.wait(.seconds(3))
    let notices = test.walk(0, [(-9.9, 6.67), (-10.1, 6.67), (-15, 6.67), (-9.9, 6.67)])
    #expect(notices.map(\.state) == [.warned, .running])
    #expect(notices.map(\.visited) == [2, 2])
    #expect(notices.map(\.time) == [.seconds(6), .seconds(8)])
    test.walk(0, [(-11, 6.67)])
    #expect(test.room.run(of: 0, at: test.now)?.state == .warned)
    // The notification is for one player only.
    #expect(test.effects.outputs.count == 1)
    #expect(test.room.run(of: 1, at: test.now) == nil)
    let events = test.bodies()
    #expect(!events.contains { if case .captured = $0 { true } else { false } })
  }

  @Test("A land is captured when more than 95 of 100 vertices are visited, rounded down")
  func visitsMin() throws {
    let corner = TestLands.coordinate(northM: 0, eastM: 0)
    for (count, least) in [(3, 3), (19, 19), (20, 20), (21, 20), (24, 23), (100, 96), (144, 137), (10_000, 9_501)] {
      let vertices = ContiguousArray(repeating: corner, count: count)
      #expect(Land(id: Self.land, name: "", vertices: vertices).visitsMin == least)
    }
    let land = try TestLands.square()
    var test = try TestLands.game([land])
    let notices = test.walk(0, land.vertices.prefix(22))
    #expect(notices.last == RunProgress(.running, land: 0, visited: 22, time: .seconds(21)))
    #expect(test.captures.isEmpty)
    #expect(test.walk(0, land.vertices[22...22]).map(\.state) == [.captured])
    #expect(test.captures.map(\.land) == [Self.land])
    #expect(test.captures.map(\.seat) == [0])
    #expect(test.points() == [0: 1])
  }

  @Test("A run may begin anywhere on the ring and go either way")
  func anywhere() throws {
    let land = try TestLands.square()
    let ring = Array(land.vertices) + Array(land.vertices)
    for way in [Array(ring[9..<33]), ring[9..<33].reversed()] {
      var test = try TestLands.game([land])
      #expect(test.walk(0, way).last?.state == .captured)
      #expect(test.captures.map(\.time) == [.seconds(22)])
    }
  }

  @Test("A capture is not faster than the ring's length at the greatest speed: it waits for that time")
  func lapMin() throws {
    let land = try TestLands.square()
    // 160 m at 12.5 m/s are 12.8 s, and this lap takes 11.5 s: with an accuracy of 20 m a fix is not too fast.
    var test = try TestLands.game([land])
    var notices: [RunProgress] = []
    for vertex in land.vertices {
      test.move(0, Fix(latE7: vertex.latE7, lngE7: vertex.lngE7, accuracyM: 20))
      notices += test.runProgress.map(\.progress)
      test.wait(.milliseconds(500))
    }
    #expect(notices.last == RunProgress(.running, land: 0, visited: 24, time: .milliseconds(11_500)))
    #expect(test.captures.isEmpty)
    #expect(!test.room.isSuspect(seat: 0))
    let mm = land.lengthMm
    let lapMs = (mm * 1_000 + 12_499) / 12_500
    test.wait(.milliseconds(lapMs - 12_000 - 1))
    #expect(test.walk(0, [(1, 0)], waiting: .milliseconds(1)).isEmpty)
    #expect(test.walk(0, [(2, 0)]) == [RunProgress(.captured, land: 0, visited: 24, time: .milliseconds(lapMs))])
  }

  @Test("The room's greatest speed determines the shortest lap")
  func lapMinOfRoom() throws {
    let land = try TestLands.square()
    var test = try TestLands.game([land], speedMaxMmPerS: 7_000)
    // 23 steps of 1 s are 23 s; 160 m at 7 m/s are 22.9 s.
    #expect(test.walk(0, land.vertices).last == RunProgress(.captured, land: 0, visited: 24, time: .seconds(23)))
  }

  @Test("One run at a time: the nearest land's, even if the way passes others")
  func oneRun() throws {
    // Their rings are 6 m apart, along 40 m.
    let lands = [try TestLands.square(1), try TestLands.square(2, northM: 46)]
    var test = try TestLands.game(lands)
    let notices = test.walk(0, [(44, 0), (43, 10), (43, 20), (43, 30), (43, 40)])
    #expect(notices.allSatisfy { $0.land == 1 && $0.state == .running })
    #expect(notices.last?.visited == 7)
    #expect(test.walk(0, lands[1].vertices[7...]).suffix(2).map(\.state) == [.captured, .tooFar])
    #expect(test.captures.map(\.land) == [lands[1].id])
    // Nothing of the other land is visited yet.
    #expect(test.walk(0, [(40, 0), (40, 6.67)]).map(\.visited) == [0, 2])
  }

  @Test("Of two lands at the same distance the first one begins")
  func firstOfTwo() throws {
    let lands = [try TestLands.square(1), try TestLands.square(2)]
    var test = try TestLands.game(lands)
    #expect(test.walk(0, [(0, 0)]) == [RunProgress(.running, land: 0)])
  }

  @Test("The notices of a run come in order: too far, running, warned, running, captured, and too far from any other")
  func order() throws {
    let land = try TestLands.square()
    var test = try TestLands.game([land, try TestLands.square(2, eastM: 500)])
    var notices = test.walk(0, [(-20, 0), (-10.5, 0)])
    notices += test.walk(0, land.vertices.prefix(5))
    test.wait(.seconds(2))
    notices += test.walk(0, [(-12, 26)])
    test.wait(.seconds(2))
    notices += test.walk(0, land.vertices[4...])
    notices += test.walk(0, [(0, 0)])
    var states: [RunState] = []
    for progress in notices where progress.state != states.last { states.append(progress.state) }
    #expect(states == [.tooFar, .running, .warned, .running, .captured, .tooFar])
    #expect(notices.map(\.visited).dropLast() == notices.map(\.visited).dropLast().sorted()[...])
    #expect(test.room.run(of: 0, at: test.now) == nil)
  }

  @Test("Giving up ends the run and erases its visits; the next fix near a vertex begins another run")
  func givingUp() throws {
    let land = try TestLands.square()
    var test = try TestLands.game([land])
    test.walk(0, land.vertices.prefix(10))
    #expect(test.apply(.giveUpRun(.seat(0))) == .ok)
    #expect(test.runProgress.map(\.progress) == [RunProgress(.givenUp, land: 0, visited: 10, time: .seconds(10))])
    #expect(test.runProgress.map(\.seat) == [0])
    #expect(test.room.run(of: 0, at: test.now) == nil)
    #expect(test.apply(.giveUpRun(.seat(0))) == .refused(.noRun))
    let notices = test.walk(0, land.vertices[10...])
    #expect(notices.first == RunProgress(.running, land: 0))
    #expect(notices.last?.visited == 14)
    #expect(test.walk(0, land.vertices).last?.state == .captured)
  }

  @Test("Only a player with a run in a game can give up")
  func givingUpNothing() throws {
    let configuration = try RoomConfiguration(
      mode: .land(LandSettings(lands: [try TestLands.square()])),
      capacity: 2
    )
    var test = TestRoom(configuration, players: 2)
    #expect(test.apply(.giveUpRun(.seat(0))) == .refused(.noRun))
    test.start()
    test.join(5)
    #expect(test.apply(.giveUpRun(.spectator(0))) == .refused(.seatNeeded))
    test.walk(0, [(0, 0)])
    test.apply(.lose(.seat(0)))
    #expect(test.apply(.giveUpRun(.seat(0))) == .refused(.notInRoom))
    test.apply(.comeBack(.seat(0)))
    test.wait(.seconds(7_200))
    #expect(test.apply(.giveUpRun(.seat(0))) == .refused(.noRun))
    var other = try TestRoom(players: 2)
    other.start()
    other.move(0, Yard.fix())
    #expect(other.apply(.giveUpRun(.seat(0))) == .refused(.noRun))
  }
}
