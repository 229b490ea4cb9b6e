// A client's copy of a territory room's cells, and the ground that a path encloses on it.
import Testing
import madang_loadtest

@Suite struct GroundCopyTests {
  @Test("Runs replace holders, also across the ends of rows, and cells are counted by holder")
  func runs() {
    var ground = GroundCopy(side: 4, cellM: 10)
    var changes: [[Int?]] = []
    let isRead = ground.apply(starts: [1, 6], counts: [4, 2], seats: [0, 199]) { changes.append([$0, $1, $2]) }
    #expect(isRead)
    #expect((0..<16).map(ground.holder) == [nil, 0, 0, 0, 0, nil, 199, 199] + Array(repeating: nil, count: 8))
    let isReadToo = ground.apply(starts: [3], counts: [4], seats: [7]) { changes.append([$0, $1, $2]) }
    #expect(isReadToo)
    #expect(ground.counts[0] == 2 && ground.counts[7] == 4 && ground.counts[199] == 1)
    #expect(
      changes == [
        [1, nil, 0], [2, nil, 0], [3, nil, 0], [4, nil, 0], [6, nil, 199], [7, nil, 199],
        [3, 0, 7], [4, 0, 7], [5, nil, 7], [6, 199, 7],
      ]
    )
    var isQuiet = true
    _ = ground.apply(starts: [3], counts: [1], seats: [7]) { _, _, _ in isQuiet = false }
    #expect(isQuiet)
  }

  @Test(
    "Runs that the protocol does not define change nothing",
    arguments: [
      ([0], [1], []), ([0], [], [0]), ([0], [0], [0]), ([15], [2], [0]), ([16], [1], [0]), ([5, 4], [1, 1], [0, 0]),
      ([0, 1], [2, 1], [0, 0]), ([0], [1], [200]), ([4_294_967_295], [4_294_967_295], [0]),
    ] as [([UInt32], [UInt32], [UInt32])]
  )
  func badRuns(starts: [UInt32], counts: [UInt32], seats: [UInt32]) {
    var ground = GroundCopy(side: 4, cellM: 10)
    let isRead = ground.apply(starts: starts, counts: counts, seats: seats)
    #expect(!isRead)
    #expect(ground == GroundCopy(side: 4, cellM: 10))
  }

  @Test("A cell includes its southern and its western edge, and the arena nothing beyond its own", arguments: [4, 5])
  func cells(side: Int) {
    let ground = GroundCopy(side: side, cellM: 10)
    for cell in 0..<side * side {
      let middle = ground.middle(of: cell)
      #expect(ground.cell(at: middle) == cell)
      #expect(ground.cell(at: Spot(x: middle.x - 5, y: middle.y - 5)) == cell)
      #expect(ground.cell(at: Spot(x: middle.x + 4.999, y: middle.y + 4.999)) == cell)
    }
    let half = Double(side) * 5
    #expect(ground.cell(at: Spot(x: half, y: 0)) == nil)
    #expect(ground.cell(at: Spot(x: 0, y: -half - 0.001)) == nil)
  }

  /// An arena of 12 × 12 cells whose rows 4 and 5 belong to a seat, from column 3 to 8.
  private var field: GroundCopy {
    var ground = GroundCopy(side: 12, cellM: 10)
    _ = ground.apply(starts: [51, 63], counts: [6, 6], seats: [2, 2])
    return ground
  }

  private func spots(_ places: [(Double, Double)]) -> [Spot] { places.map { Spot(x: $0.0, y: $0.1) } }

  @Test("A path home encloses cells without a way out past it and own ground, but not cells that it only touches")
  func enclosure() {
    // Out of the strip to the north, three cells on, and back: columns 4 to 7, rows 6 to 8.
    let path = spots([(-15, -5), (-15, 25), (15, 25), (15, -5)])
    let enclosure = Enclosure(path: path, by: 2, on: field)
    #expect(enclosure.certain == [77, 78, 89, 90])
    #expect(enclosure.doubtful.isEmpty)
    // Nobody's ground or another's, it is enclosed all the same.
    var held = field
    _ = held.apply(starts: [77], counts: [1], seats: [9])
    #expect(Enclosure(path: path, by: 2, on: held).certain == [77, 78, 89, 90])
    #expect(Enclosure(path: path, by: 9, on: held).certain.isEmpty)
  }

  @Test("A path that does not reach home encloses nothing, nor does one beside own ground")
  func noEnclosure() {
    #expect(Enclosure(path: spots([(-15, -5), (-15, 25), (15, 25), (15, 13)]), by: 2, on: field).certain.isEmpty)
    let beside = Enclosure(path: spots([(-15, -5), (-15, 5), (15, 5), (15, -5)]), by: 2, on: field)
    #expect(beside.certain.isEmpty && beside.doubtful.isEmpty)
  }

  @Test("Cells that a path touches on three sides of own ground are possibly enclosed, as a millimetre decides")
  func doubt() {
    // Along the border of rows 6 and 7, a millimetre north of it.
    let path = spots([(-15, -5), (-15, 10.001), (15, 10.001), (15, -5)])
    let enclosure = Enclosure(path: path, by: 2, on: field)
    #expect(enclosure.certain.isEmpty)
    #expect(enclosure.doubtful.isSuperset(of: [77, 78]))
  }
}
