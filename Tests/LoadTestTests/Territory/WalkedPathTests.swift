// The bots' own calculation of their paths: the three ways to close one, and cases too close to call.
import Testing
import madang_loadtest

@Suite struct WalkedPathTests {
  private typealias Place = (x: Double, y: Double)

  /// Walks from place to place in steps of 5 m. Returns the first effect other than an open path, and the number of
  /// open steps before it.
  private func walk(
    _ places: [Place],
    from home: Place? = nil,
    isHome: (Spot) -> Bool = { _ in false }
  ) -> (step: WalkedPath.Step, path: WalkedPath) {
    var spots = places.map { Spot(x: $0.x, y: $0.y) }
    var here = spots.removeFirst()
    var path = WalkedPath(at: here, from: home.map { Spot(x: $0.x, y: $0.y) }, cellAreaM2: 100)
    for end in spots {
      let parts = max(1, (here.metres(to: end) / 5).rounded())
      for part in 1...Int(parts) {
        let share = Double(part) / parts
        let next = Spot(x: here.x + (end.x - here.x) * share, y: here.y + (end.y - here.y) * share)
        let step = path.lengthen(to: next, isHome: isHome(next))
        if step != .open { return (step, path) }
      }
      here = end
    }
    return (.open, path)
  }

  @Test("A path that crosses itself closes with the part after the crossing")
  func crossing() {
    let (step, path) = walk([(0, 0), (60, 0), (60, 40), (22.5, 40), (22.5, -12.5)])
    guard case .crossed(let loop) = step else {
      Issue.record("\(step)")
      return
    }
    #expect(abs(loop.areaM2 - 37.5 * 40) < 1e-6)
    #expect(loop.contains(Spot(x: 40, y: 20)) && !loop.contains(Spot(x: 10, y: 1)))
    #expect(!path.isUnclear)
  }

  @Test("A path closes within 15 m of its start, after it was 30 m away, with a straight line to the start")
  func start() {
    let (step, path) = walk([(0, 0), (40, 0), (40, 40), (0, 40), (0, 5)])
    guard case .back(let loop) = step else {
      Issue.record("\(step)")
      return
    }
    #expect(abs(loop.areaM2 - 1_600) < 1e-6)
    // Exactly 15 m is a matter of millimetres.
    #expect(path.isUnclear)
    #expect(path.shown.last == Spot(x: 0, y: 15))
    #expect(walk([(0, 0), (25, 0), (25, 12), (3, 12)]).step == .open)
  }

  @Test("A loop that is too small is cut out, and the path continues from the crossing")
  func small() {
    let (step, path) = walk([(0, 0), (50, 0), (50, 7.5), (42.5, 7.5), (42.5, -12.5)])
    #expect(step == .open)
    #expect(path.points.contains { $0.metres(to: Spot(x: 42.5, y: 0)) < 1e-9 })
    #expect(!path.points.contains { $0.y > 0 })
  }

  @Test("A path that comes home is closed, whatever it encloses")
  func home() {
    let (step, path) = walk([(0, 0), (30, 0), (30, 30), (-30, 30)], from: (-5, 0)) { $0.x < -2 }
    #expect(step == .home)
    #expect(path.points.first == Spot(x: -5, y: 0) && path.shown.first == Spot(x: 0, y: 0))
  }

  @Test("Steps shorter than 2 m do not lengthen a path, except on the way home")
  func shortSteps() {
    var path = WalkedPath(at: Spot(x: 0, y: 0), from: nil, cellAreaM2: 100)
    for (x, isHome, expected, count) in [(1.9, false, .open, 1), (2.1, false, .open, 2), (3, true, .home, 3)]
      as [(Double, Bool, WalkedPath.Step, Int)]
    {
      let step = path.lengthen(to: Spot(x: x, y: 0), isHome: isHome)
      #expect(step == expected && path.points.count == count)
    }
  }

  @Test("A step certainly crosses a path, possibly, or not")
  func crossedByOthers() {
    let (_, path) = walk([(0, 0), (100, 0)])
    func crossed(_ x: Double, from low: Double, to high: Double) -> WalkedPath.Crossed {
      path.isCrossed(by: Segment(Spot(x: x, y: low), Spot(x: x, y: high)))
    }
    #expect(crossed(33, from: -3, to: 3) == .surely)
    #expect(crossed(33, from: 1, to: 7) == .not)
    // The newest steps may not be at the server yet, and a line that is only touched decides nothing.
    #expect(crossed(97, from: -3, to: 3) == .perhaps)
    #expect(crossed(33, from: -3, to: 0.001) == .perhaps)
  }
}
