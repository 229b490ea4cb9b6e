// The sentences of "Territory mode" in RULES.md on paths: how they open, close and take cells, tested by fixes.
import Game
import Testing

@Suite("Territory mode: paths")
struct TerritoryRulesTests {
  @Test("A fix outside ends the path")
  func outside() throws {
    var field = try TestField()
    field.walk(0, [(15, 15), (5, 15), (-1, 15)])
    #expect(field.takeNotifications(of: 0) == [.opened, .dropped(.outsideArena)])
    field.walk(0, [(-5, 15), (5, 15)])
    #expect(field.takeNotifications(of: 0) == [.opened], "no path outside, and a new one inside")
    // Out across the path: a fix that is not there closes nothing.
    field.walk(0, [(5, 45), (12, 48), (12, 32), (-1, 32)])
    #expect(field.takeNotifications(of: 0) == [.dropped(.outsideArena)])
    #expect(field.picture.joined().allSatisfy { $0 == "." })
  }

  @Test("A path opens outside own land")
  func opens() throws {
    var field = try TestField()
    field.step(0, 12, 12)
    #expect(field.takeNotifications(of: 0) == [.opened], "a player without land is outside of it")
    field.goAround(0, from: 12, 12, to: 58, 58)
    #expect(field.takeNotifications(of: 0) == [.closed(areaM2: 2_500)])
    field.walk(0, [(22, 22), (48, 48), (22, 35)])
    #expect(field.takeNotifications(of: 0).isEmpty, "no path on own land")
    field.walk(0, [(22, 55), (22, 65)])
    #expect(field.takeNotifications(of: 0) == [.opened])
  }

  @Test("It closes (a) at its first self-crossing: the part after the crossing")
  func selfCrossing() throws {
    var field = try TestField()
    field.walk(0, [(5, 32), (68, 32), (68, 67), (32, 67), (32, 40)])
    #expect(field.takeNotifications(of: 0) == [.opened])
    field.walk(0, [(32, 25)])
    #expect(field.takeNotifications(of: 0) == [.closed(areaM2: 1_600), .opened])
    #expect(
      field.picture == [
        "........",
        "...0000.",
        "...0000.",
        "...0000.",
        "...0000.",
        "........",
        "........",
        "........",
      ]
    )
  }

  @Test("It closes (a) also if it only touches itself, or passes through one of its own corners")
  func touching() throws {
    for lastY in [12.0, 2] {
      var field = try TestField()
      let way: [(Double, Double)] = [
        (5, 12), (15, 12), (25, 12), (33, 12), (42, 12), (52, 12), (62, 14), (68, 22), (68, 32), (68, 42), (58, 48),
        (48, 48), (42, 42), (42, 32), (42, 24), (42, 17),
      ]
      for (x, y) in way { field.step(0, x, y) }
      #expect(field.takeNotifications(of: 0) == [.opened])
      field.step(0, 42, lastY)
      #expect(TestField.hasClosed(field.takeNotifications(of: 0)), "\(lastY)")
      #expect(field.picture[4] == "....000.")
    }
  }

  @Test("Of two crossings by one step the first counts")
  func firstOfTwo() throws {
    var field = try TestField()
    // Two turns of a spiral inwards, and a step out across both.
    field.walk(
      0,
      [(40, 78), (5, 78), (5, 12), (75, 12), (75, 60), (15, 60), (15, 22), (58, 22), (58, 48), (42, 48), (42, 26)]
    )
    #expect(field.takeNotifications(of: 0) == [.opened])
    field.step(0, 42, 10)
    #expect(field.takeNotifications(of: 0) == [.closed(areaM2: 600), .opened])
    #expect(field.picture[3...5] == ["....00..", "....00..", "....00.."])
  }

  @Test("It closes (b) within 15 m of its start after it was 30 m away: with a straight segment to the start")
  func backAtStart() throws {
    var field = try TestField()
    field.walk(0, [(12, 12), (68, 12), (68, 68), (12, 68), (12, 29), (14.1, 26.95)])
    #expect(field.takeNotifications(of: 0) == [.opened], "15.1 m from the start")
    field.step(0, 12, 26.9)
    #expect(field.takeNotifications(of: 0) == [.closed(areaM2: 3_600)], "14.9 m from it")
    #expect(
      field.picture == [
        "........",
        ".000000.",
        ".000000.",
        ".000000.",
        ".000000.",
        ".000000.",
        ".000000.",
        "........",
      ]
    )
  }

  @Test("It closes (b) with the area that the straight segment to the start encloses")
  func segment() throws {
    var field = try TestField(cells: 12, cellM: 5)
    field.walk(0, [(11, 11), (49, 11), (49, 49), (11, 49), (11, 29)])
    #expect(field.takeNotifications(of: 0) == [.opened])
    field.step(0, 21, 21.5)
    #expect(TestField.hasClosed(field.takeNotifications(of: 0)))
    // The area between (11, 29), (21, 21.5) and (11, 11) stays out.
    #expect(field.picture[5...9] == ["..00000000..", "...0000000..", "....000000..", "...0000000..", "..00000000.."])
  }

  @Test("It does not close (b) before it was 30 m away")
  func notAway() throws {
    for (reach, isClosed) in [(29.9, false), (30.1, true)] {
      var field = try TestField()
      field.walk(0, [(20, 20), (20 + reach * 0.8, 20 + reach * 0.6), (20 + reach * 0.3, 20 + reach * 0.9), (20, 33)])
      #expect(TestField.hasClosed(field.takeNotifications(of: 0)) == isClosed, "\(reach) m")
    }
  }

  @Test("It closes (c) on return to own land: with own cells")
  func home() throws {
    var field = try TestField()
    field.goAround(0, from: 2, 2, to: 28, 78)
    #expect(field.picture[0] == "000.....")
    _ = field.takeNotifications(of: 0)
    field.walk(0, [(15, 15), (25, 15), (55, 15), (55, 65), (35, 65)])
    #expect(field.takeNotifications(of: 0) == [.opened])
    field.walk(0, [(25, 65)])
    #expect(field.takeNotifications(of: 0) == [.closed(areaM2: 800)])
    #expect(
      field.picture == [
        "000.....",
        "000.....",
        "00000...",
        "00000...",
        "00000...",
        "00000...",
        "000.....",
        "000.....",
      ]
    )
  }

  @Test("The step out of own land belongs to the path")
  func wayOut() throws {
    var field = try TestField()
    field.goAround(0, from: 2, 2, to: 28, 78)
    field.walk(0, [(28, 15)])
    // Over the first cell outside in one step.
    field.step(0, 44, 15)
    field.walk(0, [(55, 15), (55, 55), (25, 55)])
    #expect(field.picture[2...6] == ["000.....", "00000...", "00000...", "00000...", "000....."])
  }

  @Test("It closes (c) around a bay of own land when it only crosses the mouth")
  func bay() throws {
    var field = try TestField()
    field.walk(0, [(2, 2), (78, 2), (78, 28), (28, 28), (28, 52), (78, 52), (78, 78), (2, 78), (2, 8)])
    #expect(field.picture[3...4] == ["000.....", "000....."])
    _ = field.takeNotifications(of: 0)
    field.walk(0, [(15, 68), (65, 68), (65, 25), (65, 15)])
    #expect(field.takeNotifications(of: 0) == [.opened, .closed(areaM2: 600)])
    #expect(field.picture[3...4] == ["000000..", "000000.."])
  }

  @Test("The area must be at least max(100 m², one cell)")
  func area() throws {
    let loops: [(cellM: Int, sideM: Double, isTaken: Bool)] = [
      (10, 9.8, false), (10, 10.2, true), (5, 9.8, false), (5, 10.2, true), (20, 19.8, false), (20, 20.2, true),
    ]
    for (cellM, sideM, isTaken) in loops {
      var field = try TestField(cells: 160 / cellM, cellM: cellM)
      field.walk(0, [(2, 16), (40, 16), (40 + sideM, 16), (40 + sideM, 16 + sideM), (40, 16 + sideM)])
      #expect(field.takeNotifications(of: 0) == [.opened])
      field.walk(0, [(40, 12)])
      #expect(
        TestField.hasClosed(field.takeNotifications(of: 0)) == isTaken,
        "\(sideM) m a side on cells of \(cellM) m"
      )
    }
  }

  @Test("A loop that is too small is cut out, and the path continues")
  func smallLoop() throws {
    var field = try TestField()
    field.walk(0, [(12, 12), (38, 12)])
    for (x, y) in [(43.0, 12.0), (43, 17), (38, 17), (38, 9)] { field.step(0, x, y) }
    // 25 m², but for the millimetres of the fixes.
    let told = field.takeNotifications(of: 0)
    #expect(told.count == 2 && told[0] == .opened)
    #expect(told[1] == .tooSmallLoop(areaM2: 24) || told[1] == .tooSmallLoop(areaM2: 25))
    field.walk(0, [(68, 9), (68, 68), (12, 68), (12, 25)])
    #expect(field.takeNotifications(of: 0) == [.closed(areaM2: 3_600)])
    #expect(field.picture[6] == ".000000.")
  }

  @Test("A player who walks back along the path shortens it, and closes nothing")
  func wayBack() throws {
    var field = try TestField()
    field.walk(0, [(15, 15), (65, 15), (65, 65), (65, 15), (15, 15)])
    #expect(field.takeNotifications(of: 0) == [.opened])
    #expect(field.test.room.path(of: 0).count < 4)
  }

  @Test("A step of less than 2 m closes a path that it crosses, or whose start it comes near to")
  func shortStep() throws {
    var field = try TestField()
    field.walk(0, [(12, 12), (58, 12), (58, 48), (28, 48), (28, 13.5)])
    #expect(field.takeNotifications(of: 0) == [.opened])
    field.step(0, 28, 11.8)
    #expect(TestField.hasClosed(field.takeNotifications(of: 0)), "a crossing")

    field = try TestField()
    field.walk(0, [(12, 12), (58, 12), (58, 48), (12, 48), (12, 27.9)])
    #expect(field.takeNotifications(of: 0) == [.opened])
    field.step(0, 12, 26.8)
    #expect(TestField.hasClosed(field.takeNotifications(of: 0)), "the start")
  }

  @Test("A path that closes around nothing tells whether the ground was the player's, or no cell's middle was inside")
  func nothing() throws {
    var field = try TestField()
    field.walk(0, [(2, 14), (72, 14), (72, 11.5), (2, 11.5), (2, 13)])
    #expect(field.takeNotifications(of: 0).contains(.closed(areaM2: 0, isEmpty: true)))
  }

  @Test("Coming back to the start around too little is told once")
  func backAroundLittle() throws {
    var field = try TestField()
    field.walk(0, [(2, 14), (38, 14), (38, 12.5)])
    #expect(field.takeNotifications(of: 0) == [.opened])
    field.walk(0, [(16, 12.5), (8, 12.5), (3, 12.5)])
    let told = field.takeNotifications(of: 0)
    #expect(told.count == 1)
    if case .tooSmallLoop(let areaM2)? = told.first { #expect(areaM2 < 100) } else { Issue.record("\(told)") }
  }

  @Test("A receiver at rest draws no path: steps under 2 m do not lengthen it")
  func rest() throws {
    var field = try TestField()
    for second in 0..<60 { field.step(0, 15 + Double(second % 3) * 0.6, 15 + Double(second % 5) * 0.3) }
    #expect(field.test.room.path(of: 0).count == 1)
    field.step(0, 17.1, 15)
    #expect(field.test.room.path(of: 0).count == 2)
  }

  @Test("A return to own land with less than the minimum area drops the path as too small, and takes nothing")
  func smallHome() throws {
    for (cellM, isTaken) in [(5, false), (10, true)] {
      var field = try TestField(cells: 16, cellM: cellM)
      let side = Double(cellM)
      field.goAround(0, from: 0.2 * side, 0.2 * side, to: 7.8 * side, 7.8 * side)
      _ = field.takeNotifications(of: 0)
      // Around one cell beside own land.
      let around = [(7.5, 2.5), (9.5, 2.5), (9.5, 4.5), (7.5, 4.5)]
      field.walk(0, around.map { ($0.0 * side, $0.1 * side) })
      #expect(field.takeNotifications(of: 0) == [.opened, isTaken ? .closed(areaM2: 100) : .dropped(.tooSmall)])
      #expect(field.picture[12] == (isTaken ? "000000000......." : "00000000........"))
    }
  }

  @Test("Taken from any holder: in (a) and (b) every cell whose centre is inside (even-odd)")
  func taken() throws {
    var field = try TestField()
    field.goAround(1, from: 2, 2, to: 58, 58)
    #expect(field.test.points() == [1: 3_600])
    field.goAround(0, from: 36, 36, to: 78, 78)
    #expect(
      field.picture == [
        "....0000",
        "....0000",
        "11110000",
        "11110000",
        "111111..",
        "111111..",
        "111111..",
        "111111..",
      ]
    )
    #expect(field.test.points() == [0: 1_600, 1: 3_200])
  }

  @Test("Taken by even-odd: an area that the path encloses twice is outside")
  func evenOdd() throws {
    var field = try TestField(cells: 16, cellM: 5)
    // The segment to the start, (33, 35), crosses the way down at x = 41, and shuts in the bend before it twice.
    field.walk(0, [(33, 35), (33, 46), (41, 46), (41, 5), (5, 5), (5, 75), (75, 75), (75, 35)])
    #expect(field.takeNotifications(of: 0) == [.opened])
    field.walk(0, [(47, 35)])
    #expect(TestField.hasClosed(field.takeNotifications(of: 0)))
    let (north, bend, south) = (".00000000000000.", ".000000.0000000.", ".0000000........")
    let around = String(repeating: ".", count: 16)
    #expect(
      field.picture == [around, north, north, north, north, north, north, bend, bend]
        + [south, south, south, south, south, south, around]
    )
  }

  @Test(
    "Taken in (c): every cell without a 4-connected way out past the path and own cells, from any holder"
  )
  func takenAtHome() throws {
    var field = try TestField()
    field.goAround(1, from: 42, 22, to: 58, 58)
    field.goAround(0, from: 2, 2, to: 28, 78)
    field.walk(0, [(25, 15), (65, 15), (65, 65), (25, 65)])
    #expect(
      field.picture == [
        "000.....",
        "000.....",
        "000000..",
        "000000..",
        "000000..",
        "000000..",
        "000.....",
        "000.....",
      ]
    )
    #expect(field.test.points() == [0: 3_600, 1: 0])
  }

  @Test("A way out passes through the sides of cells: there is none between two own cells that meet at a corner")
  func corners() throws {
    var field = try TestField()
    field.goAround(0, from: 2, 2, to: 28, 28)
    field.goAround(0, from: 32, 32, to: 58, 58)
    field.walk(0, [(25, 5), (55, 5), (55, 35)])
    #expect(
      field.picture == [
        "........",
        "........",
        "...000..",
        "...000..",
        "...000..",
        "00000...",
        "00000...",
        "000.....",
      ]
    )
  }

  @Test("Cells that the path merely crosses are not taken")
  func crossed() throws {
    var field = try TestField()
    field.goAround(0, from: 2, 2, to: 28, 78)
    field.walk(0, [(25, 35), (55, 35), (55, 45), (25, 45)])
    #expect(field.takeNotifications(of: 0).last == .dropped(.tooSmall), "two rows of cells, and none between them")
    #expect(field.picture[3...4] == ["000.....", "000....."])
  }

  @Test("Crossed cells enclosed by other crossed cells have no way out either")
  func crossedWithin() throws {
    var field = try TestField()
    field.goAround(0, from: 2, 2, to: 28, 78)
    // Along three adjacent rows; a crossed cell of the middle one has only crossed and own cells around it.
    field.walk(0, [(25, 25), (58, 25), (58, 35), (38, 35), (38, 45), (25, 45)])
    #expect(field.takeNotifications(of: 0).last == .closed(areaM2: 100))
    #expect(field.picture[3...5] == ["000.....", "0000....", "000....."])
  }
}
