// Territory mode: a path that has come around to its start, and was never far enough away from it to close, tells its
// player so, once for each time around.
import Game
import Testing

@Suite("Territory mode: loops that never were 30 m away")
struct LoopReasonTests {
  /// The areas of the loops that a player has been told of, and nothing else after the opening of their path.
  private func loops(_ field: inout TestField) -> [UInt32] {
    let told = field.takeNotifications(of: 0).filter { $0 != .opened }
    return told.compactMap { change in
      guard case .neverAwayLoop(let areaM2) = change else {
        Issue.record("\(told)")
        return nil
      }
      return areaM2
    }
  }

  @Test("A square of 20 m that is walked around beside its beginning is told once, and is not taken")
  func square() throws {
    var field = try TestField()
    field.walk(0, [(12, 12), (32, 12), (32, 32), (12, 32), (12, 20)])
    #expect(loops(&field).isEmpty, "it is within 15 m of its start, and not back on the map")
    field.walk(0, [(12, 16), (12, 12.5)])
    let told = loops(&field)
    #expect(told.count == 1 && told.allSatisfy { (380...400).contains($0) }, "\(told)")
    // Steps about the start, of 2 m and more.
    for second in 0..<30 { field.step(0, 11 - Double(second % 2) * 2.5, 12.2 + Double(second % 3)) }
    #expect(!field.takeNotifications(of: 0).contains { if case .neverAwayLoop = $0 { true } else { false } })
    #expect(field.test.points() == [0: 0])
  }

  @Test("A second loop from the same start is told again")
  func secondLoop() throws {
    var field = try TestField()
    field.walk(0, [(40, 40), (55, 40), (55, 55), (41, 55), (41, 42)])
    #expect(loops(&field).count == 1)
    field.walk(0, [(38, 41), (25, 41), (25, 28), (38, 28), (38, 38.5)])
    #expect(loops(&field).count == 1)
  }

  @Test("The loop must have been 10 m away from its start: a receiver at rest comes around to nothing")
  func extent() throws {
    for (sideM, isTold) in [(6.9, false), (7.3, true)] {
      var field = try TestField()
      field.walk(0, [(12, 12), (12 + sideM, 12), (12 + sideM, 12 + sideM), (12, 12 + sideM), (12, 12.3)])
      let told = field.takeNotifications(of: 0).dropFirst()
      #expect(told.count == (isTold ? 1 : 0), "\(sideM) m a side: \(told)")
      if case .tooSmallLoop(let areaM2)? = told.first { #expect((45...54).contains(areaM2)) }
    }
  }

  @Test("A way there and back beside it is no loop, for it goes around less than 20 m²")
  func thereAndBack() throws {
    var field = try TestField()
    field.walk(0, [(12, 12), (30, 12), (30, 12.9), (12, 12.9)])
    #expect(field.takeNotifications(of: 0) == [.opened])
  }

  @Test("A path that was 30 m away closes within 15 m of its start, and is told of nothing")
  func away() throws {
    var field = try TestField()
    field.walk(0, [(12, 12), (34, 12), (34, 34), (12, 34), (12, 26.5)])
    #expect(field.takeNotifications(of: 0).contains { if case .closed = $0 { true } else { false } })
  }
}
