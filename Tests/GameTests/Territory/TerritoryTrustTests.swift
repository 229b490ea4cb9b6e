// Territory mode and fixes that are not believed or not there: suspicion, jumps, gaps, restarts.
import Game
import Testing

@Suite("Territory mode: trust and time")
struct TerritoryTrustTests {
  @Test("Three refusals in 60 s mark the player as suspect: an open path is dropped, and scoring stops")
  func suspicion() throws {
    var field = try TestField()
    field.walk(0, [(12, 12), (58, 12), (58, 58), (12, 58), (12, 30)])
    for count in 1...3 {
      #expect(field.takeNotifications(of: 0) == (count == 1 ? [.opened] : []))
      field.test.wait(.seconds(1))
      field.test.move(0, field.fix(.init(12, 30), mocked: true))
    }
    let verdict = Effect.verdict(.seat(0), .mocked, suspect: true)
    #expect(field.test.effects.outputs == [verdict, .path(.seat(0), .dropped(.disbelieved))])
    #expect(field.test.room.path(of: 0).isEmpty)
    #expect(field.step(0, 12, 20) == nil, "accepted as a position")
    #expect(field.takeNotifications(of: 0).isEmpty && field.test.points() == [0: 0])
  }

  @Test("A fix that is set aside neither lengthens nor opens a path")
  func refused() throws {
    var field = try TestField()
    field.walk(0, [(12, 12), (58, 12)])
    let count = field.test.room.path(of: 0).count
    #expect(field.step(0, 58, 78) == .setAside)
    #expect(field.test.room.path(of: 0).count == count)
    field.test.move(1, field.fix(.init(40, 40), mocked: true))
    #expect(field.test.room.path(of: 1).isEmpty)
  }

  @Test("Ten consistent fixes become the new anchor: the jump to it is in no path, and the next fix opens one")
  func anchor() throws {
    var field = try TestField()
    field.walk(0, [(12, 12), (58, 12)])
    _ = field.takeNotifications(of: 0)
    for _ in 0..<3 {
      field.test.wait(.milliseconds(300))
      field.test.move(0, field.fix(.init(5, 70), mocked: true))
    }
    #expect(field.test.room.isSuspect(seat: 0))
    var anchors = 0
    for second in 0..<11 where anchors == 0 {
      if field.step(0, 12 + Double(second), 70) == nil, !field.test.room.isSuspect(seat: 0) { anchors += 1 }
    }
    #expect(anchors == 1)
    #expect(field.takeNotifications(of: 0).isEmpty, "earlier fixes, and the anchor itself, are in no path")
    #expect(field.test.room.path(of: 0).isEmpty)
    field.step(0, 30, 70)
    #expect(field.takeNotifications(of: 0) == [.opened])
    #expect(field.test.room.path(of: 0).count == 1)
  }

  @Test("A jump that becomes the anchor without suspicion, after sparse fixes, drops the path too")
  func anchorWithoutSuspicion() throws {
    var field = try TestField(cells: 400, cellM: 50)
    field.walk(0, [(100, 100)])
    for count in 1...10 {
      #expect(field.takeNotifications(of: 0) == (count == 1 ? [.opened] : []))
      field.test.wait(.seconds(30))
      #expect(field.step(0, 15_000 + Double(count), 100) == (count == 10 ? nil : .setAside))
      #expect(!field.test.room.isSuspect(seat: 0))
    }
    #expect(field.takeNotifications(of: 0) == [.dropped(.disbelieved)])
    field.step(0, 15_020, 100)
    #expect(field.takeNotifications(of: 0) == [.opened])
  }

  @Test("A path is straight across a gap in fixes, however long")
  func gap() throws {
    var field = try TestField(cells: 40)
    field.walk(0, [(12, 12)])
    for (x, y) in [(388.0, 12.0), (388, 388), (12, 388), (12, 25)] {
      field.test.wait(.seconds(60))
      field.step(0, x, y)
    }
    #expect(field.takeNotifications(of: 0) == [.opened, .closed(areaM2: 144_400)])
  }

  @Test("A lost connection leaves the path open, and the returning player continues it")
  func lost() throws {
    var field = try TestField()
    field.walk(0, [(12, 12), (58, 12), (58, 58)])
    field.test.apply(.lose(.seat(0)))
    field.test.wait(.seconds(20))
    field.test.apply(.comeBack(.seat(0)))
    field.walk(0, [(12, 58), (12, 20)])
    #expect(field.takeNotifications(of: 0) == [.opened, .closed(areaM2: 2_500)])
  }

  @Test("A player who leaves loses the path, and the land stays")
  func left() throws {
    var field = try TestField(players: 3)
    field.goAround(0, from: 2, 2, to: 28, 28)
    field.walk(0, [(25, 35), (25, 65)])
    field.test.apply(.leave(.seat(0)))
    #expect(field.test.room.path(of: 0).isEmpty)
    field.goAround(1, from: 2, 22, to: 38, 58)
    #expect(field.test.points() == [0: 600, 1: 1_600])
    field.test.join(0)
    field.step(0, 25, 70)
    #expect(field.test.room.path(of: 0).count == 1)
    #expect(field.test.points() == [0: 600, 1: 1_600])
  }

  @Test("A path ages by its fixes' own times, also over a restart of the server")
  func restart() throws {
    for (walksOnS, isGivenUp) in [(97, false), (98, true)] {
      var field = try TestField()
      field.walk(0, [(12, 12), (22, 12)])
      field.test.wait(.seconds(500))
      field.test.apply(.restart(downtime: .seconds(400)))
      field.test.apply(.comeBack(.seat(0)))
      field.test.apply(.comeBack(.seat(1)))
      field.test.wait(.seconds(walksOnS))
      field.step(0, 32, 12)
      let expected: [PathChange] = isGivenUp ? [.opened, .dropped(.tooLong), .opened] : [.opened]
      #expect(field.takeNotifications(of: 0) == expected, "\(walksOnS) s")
    }
  }

  @Test("A new game begins with no land, no paths and a new board")
  func nextGame() throws {
    var field = try TestField()
    field.goAround(0, from: 2, 2, to: 28, 28)
    field.walk(0, [(25, 35), (25, 65)])
    field.test.wait(.seconds(7_200))
    field.test.apply(.playAgain(.seat(0)))
    #expect(field.test.points() == [0: 900], "visible until the next start")
    field.test.start()
    #expect(field.test.points().isEmpty)
    #expect(field.test.room.path(of: 0).isEmpty)
    #expect(field.picture.joined().allSatisfy { $0 == "." })
    _ = field.takeNotifications(of: 0)
    field.step(0, 25, 15)
    #expect(field.takeNotifications(of: 0) == [.opened])
  }
}
