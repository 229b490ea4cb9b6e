// The sentences of "Territory mode" in RULES.md on the game around the paths: the arena, order, time, cutting, points.
import Game
import Testing

@Suite("Territory mode: the game")
struct TerritoryGameTests {
  @Test("The arena is a square grid, cell 5 m by default (5 to 50), 400 × 400 cells by default and at most")
  func arena() throws {
    let configuration = try RoomConfiguration(mode: .territory(TerritorySettings()))
    let plan = try #require(configuration.arena)
    #expect(plan.cellM == 5 && plan.cells == 400 && plan.center == nil)
    #expect(configuration.duration == .seconds(900))
    for (cellM, cells, field) in [(4, 10, "cellM"), (51, 10, "cellM"), (10, 3, "cells"), (10, 401, "cells")] {
      let ranges = ["cellM": 5...50, "cells": 4...400]
      let range = try #require(ranges[field])
      #expect(throws: SettingOutOfRange(field: field, range: range)) {
        try ArenaPlan(cellM: cellM, cells: cells)
      }
    }
    for (cellM, cells) in [(5, 4), (50, 400)] {
      let side = Double(cells * cellM)
      for (x, y, isInside) in [
        (side - 0.1, side - 0.1, true), (0.1, 0.1, true), (side + 0.1, side / 2, false), (side / 2, -0.1, false),
      ] {
        var field = try TestField(cells: cells, cellM: cellM)
        #expect(field.step(0, x, y) == nil)
        #expect(field.takeNotifications(of: 0) == (isInside ? [.opened] : []), "\(x), \(y)")
      }
    }
  }

  @Test("The arena is centred on the place given at creation")
  func centerGiven() throws {
    let field = try TestField()
    #expect(field.test.room.arena?.center == TestField.bupyeong)
    for (latE7, lngE7, name) in [(850_000_001, 0, "latE7"), (0, 1_800_000_001, "lngE7")] as [(Int32, Int32, String)] {
      let center = Coordinate(latE7: latE7, lngE7: lngE7)
      let fault = #expect(throws: SettingOutOfRange.self) { try ArenaPlan(center: center) }
      #expect(fault?.field == name)
    }
  }

  @Test("Without a place the arena is centred on the host's first fix after the start")
  func centerOfHost() throws {
    var field = try TestField(isCenterGiven: false)
    #expect(field.test.room.arena?.center == nil)
    field.step(1, 20, 20)
    #expect(field.test.room.arena?.center == nil, "another player's fix")
    field.test.move(0, Fix(latE7: 0, lngE7: 0, accuracyM: 51))
    #expect(field.test.room.arena?.center == nil, "an ignored fix")
    #expect(field.changes.isEmpty)
    field.step(0, 40, 40)
    #expect(field.test.room.arena?.center == TestField.bupyeong)
    #expect(field.test.tick().arena?.center == TestField.bupyeong)
    field.step(0, 45, 45)
    #expect(field.test.room.arena?.center == TestField.bupyeong, "only the first fix counts")
    field.goAround(1, from: 22, 22, to: 58, 58)
    #expect(field.picture[3] == "..1111..")
  }

  @Test("Each game's arena is centred on its own host's first fix")
  func centerOfNextGame() throws {
    var field = try TestField(isCenterGiven: false)
    field.step(0, 40, 40)
    field.test.tick()
    field.test.apply(.lose(.seat(0)))
    field.test.wait(.seconds(10))
    field.test.tick()
    #expect(field.test.room.hostSeat == 1)
    field.test.apply(.comeBack(.seat(0)))
    field.test.wait(.seconds(7_200))
    field.test.apply(.playAgain(.seat(1)))
    field.test.apply(.startGame(.seat(1)))
    field.test.tick()
    #expect(field.test.room.arena?.center == nil)
    field.step(0, 40, 40)
    #expect(field.test.room.arena?.center == nil, "the former host's fix")
    field.step(1, 60, 40)
    #expect(field.test.room.arena?.center == Coordinate(latE7: 375_000_000, lngE7: field.fix(.init(60, 40)).lngE7))
    #expect(field.test.tick().arena == field.test.room.arena)
  }

  @Test(
    "An arena works at ±180° and at 85° as in Bupyeong",
    arguments: [
      (0, 1_800_000_000), (0, -1_800_000_000), (375_000_000, 1_799_999_000), (-850_000_000, 0),
      (849_990_000, -1_799_990_000),
    ] as [(Int32, Int32)]
  )
  func elsewhere(latE7: Int32, lngE7: Int32) throws {
    var pictures: [[String]] = []
    for center in [TestField.bupyeong, Coordinate(latE7: latE7, lngE7: lngE7)] {
      var field = try TestField(center: center)
      // The map ends at 85° north, so all of this lies in the arena's half that is nearer to the equator.
      let isSouth = center.latE7 < 0
      func y(_ y: Double) -> Double { isSouth ? y + 40 : y }
      field.goAround(0, from: 2, y(2), to: 28, y(38))
      field.walk(0, [(25, y(5)), (65, y(5)), (65, y(35)), (25, y(35))])
      field.goAround(1, from: 42, y(8), to: 78, y(32))
      #expect(field.test.points() == [0: 1_400, 1: 800], "\(center)")
      pictures.append(isSouth ? Array(field.picture[..<4]) : Array(field.picture[4...]))
    }
    #expect(pictures[0] == pictures[1])
  }

  @Test("After a capture the path is empty")
  func empty() throws {
    var field = try TestField()
    field.goAround(0, from: 22, 22, to: 58, 58)
    #expect(field.takeNotifications(of: 0) == [.opened, .closed(areaM2: 1_600)])
    #expect(field.test.room.path(of: 0).isEmpty)
    // Out again over the same way, and home.
    field.walk(0, [(25, 25), (75, 25), (75, 75), (5, 75), (5, 45)])
    #expect(field.takeNotifications(of: 0) == [.opened])
    field.walk(0, [(25, 45)])
    #expect(field.takeNotifications(of: 0) == [.closed(areaM2: 1_000)])
    #expect(field.test.room.path(of: 0).isEmpty)
  }

  @Test("Inputs apply in order of arrival")
  func order() throws {
    for first in 0...1 {
      var field = try TestField()
      for seat in [first, 1 - first] {
        field.walk(seat, [(12, 12), (58, 12), (58, 58), (12, 58), (12, 30)])
      }
      field.step(first, 12, 20)
      field.step(1 - first, 12, 20)
      #expect(field.test.points() == [UInt32(first): 0, UInt32(1 - first): 2_500], "the last player has all of it")
    }
  }

  @Test("Another player's capture does not change open paths")
  func others() throws {
    var field = try TestField()
    field.walk(0, [(12, 12), (58, 12), (58, 58), (12, 58), (12, 30)])
    field.goAround(1, from: 2, 2, to: 78, 78)
    #expect(field.takeNotifications(of: 0) == [.opened])
    #expect(field.test.room.path(of: 0).count > 10)
    field.step(0, 12, 20)
    #expect(field.takeNotifications(of: 0) == [.closed(areaM2: 2_500)])
    #expect(field.test.points() == [0: 2_500, 1: 3_900])
  }

  @Test("A path is dropped after 10 min")
  func tenMinutes() throws {
    for (waitS, isGivenUp) in [(599, false), (600, true)] {
      var field = try TestField()
      field.walk(0, [(12, 12), (22, 12)])
      field.test.wait(.seconds(waitS - 2))
      field.step(0, 32, 12)
      #expect(
        field.takeNotifications(of: 0) == (isGivenUp ? [.opened, .dropped(.tooLong), .opened] : [.opened]),
        "\(waitS) s"
      )
      #expect(field.test.room.path(of: 0).count == (isGivenUp ? 1 : 3))
    }
  }

  @Test("Option, off by default: an opponent who crosses an open path cuts it")
  func cutting() throws {
    #expect(!(try RoomConfiguration(mode: ModeSettings(.territory))).cutting)
    for cutting in [false, true] {
      var field = try TestField(cutting: cutting)
      field.walk(0, [(5, 35), (65, 35)])
      field.walk(1, [(35, 5), (35, 30)])
      #expect(field.takeNotifications(of: 0) == [.opened], "not yet")
      field.walk(1, [(35, 40)])
      #expect(field.takeNotifications(of: 0) == (cutting ? [.dropped(.cut)] : []))
      #expect(field.takeNotifications(of: 1) == [.opened], "the other's path goes on")
      field.walk(0, [(65, 55)])
      #expect(field.takeNotifications(of: 0) == (cutting ? [.opened] : []))
    }
  }

  @Test("An expired path is dropped, not cut")
  func cuttingTooLate() throws {
    var field = try TestField(cutting: true)
    field.walk(0, [(20, 20), (20, 60)])
    #expect(field.takeNotifications(of: 0) == [.opened])
    field.test.wait(.seconds(600))
    field.walk(1, [(5, 40), (40, 40)])
    #expect(field.takeNotifications(of: 0) == [.dropped(.tooLong)])
  }

  @Test("An opponent who enters or leaves the arena cuts the paths crossed inside")
  func cuttingFromOutside() throws {
    for (from, to) in [(-3.0, 8.0), (8.0, -3.0)] {
      var field = try TestField(cutting: true)
      field.walk(0, [(4, 20), (4, 60)])
      field.step(1, from, 40)
      field.step(1, to, 40)
      #expect(field.takeNotifications(of: 0) == [.opened, .dropped(.cut)])
    }
  }

  @Test("Nobody cuts their own path, and a refused jump cuts none")
  func notCutting() throws {
    var field = try TestField(cutting: true)
    field.walk(0, [(5, 35), (65, 35), (65, 40), (58, 40), (58, 30)])
    #expect(field.takeNotifications(of: 0) == [.opened, .tooSmallLoop(areaM2: 35)])
    field.step(1, 15, 5)
    #expect(field.step(1, 15, 75) == .setAside)
    #expect(field.takeNotifications(of: 0).isEmpty)
  }

  @Test("Points are the area held, m²")
  func points() throws {
    var field = try TestField(cells: 10, cellM: 7)
    field.goAround(1, from: 1, 1, to: 48, 27)
    #expect(field.test.points() == [1: 1_372], "28 cells of 49 m²")
    field.goAround(0, from: 1, 15, to: 27, 48)
    #expect(field.test.points() == [0: 980, 1: 980], "20 cells each")
  }

  @Test("The board is sorted by area; among equal areas the first to reach it is first")
  func board() throws {
    for first in 1...2 {
      var field = try TestField(players: 4)
      let other = 3 - first
      field.goAround(first, from: Double(first) * 20 + 2, 2, to: Double(first) * 20 + 18, 38)
      field.goAround(other, from: Double(other) * 20 + 2, 2, to: Double(other) * 20 + 18, 38)
      field.goAround(3, from: 2, 42, to: 78, 78)
      #expect(field.test.points() == [1: 800, 2: 800, 3: 3_200])
      field.test.wait(.seconds(7_200))
      field.test.tick()
      let board = field.test.room.board
      #expect(board.map(\.seat) == [3, first, other, 0])
      #expect(board.map(\.points) == [3_200, 800, 800, 0])
      #expect(board.map(\.won) == [true, false, false, false])
    }
  }

  @Test("A player who loses land has reached the smaller area only then")
  func boardAfterLoss() throws {
    var field = try TestField(players: 3)
    field.goAround(0, from: 2, 2, to: 38, 38)
    field.goAround(1, from: 42, 2, to: 78, 28)
    #expect(field.test.points() == [0: 1_600, 1: 1_200])
    field.goAround(2, from: 2, 32, to: 38, 78)
    #expect(field.test.points() == [0: 1_200, 1: 1_200, 2: 2_000])
    field.test.wait(.seconds(7_200))
    field.test.tick()
    #expect(field.test.room.board.map(\.seat) == [2, 1, 0])
  }

  @Test("Every capture is an event for all, with the newly taken area; land already owned is not in it")
  func events() throws {
    var field = try TestField()
    let last = field.test.room.lastEventNumber
    field.goAround(0, from: 2, 2, to: 38, 38)
    #expect(field.test.bodies(after: last) == [.captured(seat: 0, .area(m2: 1_600))])
    field.goAround(1, from: 2, 2, to: 38, 28)
    #expect(field.test.bodies(after: last).last == .captured(seat: 1, .area(m2: 1_200)))
    field.goAround(0, from: 42, 42, to: 68, 68)
    #expect(field.test.bodies(after: last).count == 3)
    _ = field.takeNotifications(of: 0)
    field.walk(0, [(42, 38), (72, 38), (72, 72), (38, 72), (38, 45)])
    #expect(field.takeNotifications(of: 0) == [.opened, .closed(areaM2: 0), .opened], "around own cells alone")
    #expect(field.test.bodies(after: last).count == 3)
  }
}
