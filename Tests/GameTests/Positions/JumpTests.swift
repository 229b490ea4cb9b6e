// Jumps of a receiver: they are set aside until the next fixes tell what they were.
import Game
import Testing

@Suite("Positions: jumps")
struct JumpTests {
  @Test("A jump between good fixes is set aside without a word and has no other effect")
  func outlier() throws {
    var test = try PositionsTests.game()
    for second in 0...20 {
      let isBad = second == 10
      let verdict = test.move(0, Yard.fix(northM: isBad ? 900 : Double(second) * 6))
      #expect(verdict == (isBad ? .setAside : nil))
      #expect(test.effects.outputs.isEmpty)
      test.wait(.seconds(1))
    }
    #expect(test.points() == [0: 20])
    #expect(!test.room.isSuspect(seat: 0))
  }

  @Test("A jump that goes on for ten fixes over 10 s was real: a new anchor, without distance or points for the jump")
  func realJump() throws {
    var test = try PositionsTests.game()
    test.move(0, Yard.fix(northM: 5_000))
    for second in 1...11 {
      test.wait(.seconds(1))
      let verdict = test.move(0, Yard.fix(northM: Double(second) * 3))
      #expect(verdict == (second < 11 ? .setAside : nil), "second \(second)")
      #expect(test.effects.outputs.isEmpty)
      #expect(!test.room.isSuspect(seat: 0))
    }
    #expect(test.points() == [0: 1])
    for second in 12...13 {
      test.wait(.seconds(1))
      #expect(test.move(0, Yard.fix(northM: Double(second) * 3)) == nil)
    }
    #expect(test.points() == [0: 2], "the fix after the jump scores, the one 3 m further does not")
    test.wait(.seconds(7_200))
    test.tick()
    let distanceMm = try #require(test.room.board.first?.distanceMm)
    #expect((5_980...6_020).contains(distanceMm))
  }

  @Test("Ten fixes in less than 10 s are no anchor, nor are nine over more; ten kept ones are, when told at once")
  func anchorBounds() throws {
    for (count, intervalMs, isAnchor) in [(15, 700, false), (16, 700, true), (9, 2_000, false), (10, 2_000, true)] {
      for isLate in [false, true] {
        var test = try PositionsTests.game()
        test.move(0, Yard.fix(northM: 9_000))
        var time = test.now
        if isLate { test.wait(.seconds(60)) }
        var verdict: FixVerdict?
        for _ in 0..<count {
          time = time + .milliseconds(intervalMs)
          if !isLate { test.wait(.milliseconds(intervalMs)) }
          verdict = test.move(0, Yard.fix(time: time))
        }
        #expect(verdict == (isAnchor ? nil : .setAside), "\(count) fixes, \(intervalMs) ms apart, late: \(isLate)")
      }
    }
  }

  @Test("A speed beyond the limit is a finding for each 10 s of it: a passenger is suspect within 40 s")
  func keptUpSpeed() throws {
    for accuracyM in [5, 20, 50] as [UInt32] {
      var test = try PositionsTests.game()
      test.move(0, Yard.fix(accuracyM: accuracyM))
      var findings: [Int] = []
      for second in 1...60 {
        test.wait(.seconds(1))
        let verdict = test.move(0, Yard.fix(northM: Double(second) * 30, accuracyM: accuracyM))
        if verdict == .tooFast { findings.append(second) }
      }
      #expect(findings.count >= 3, "\(accuracyM) m: \(findings)")
      #expect(findings.prefix(3).allSatisfy { $0 <= 40 }, "\(accuracyM) m: \(findings)")
      #expect(findings[0] >= 10)
      #expect(test.room.isSuspect(seat: 0))
      #expect(test.points()[0].map { $0 <= 2 } ?? false)
    }
  }

  @Test("Rare or short jumps back and forth are a receiver's; far or steady ones are findings")
  func backAndForth() throws {
    for (everyS, jumpM, isSuspect) in [
      (2, 300.0, true), (12, 300, true), (30, 300, false), (12, 60, false), (3, 25, false),
    ] {
      var test = try PositionsTests.game()
      var wasSuspect = false
      for second in 0..<60 {
        let isAway = second % everyS == everyS - 1
        let verdict = test.move(0, Yard.fix(northM: isAway ? jumpM : 0))
        if !isAway { #expect(verdict == nil) }
        // Ten fixes at one place end a suspicion.
        if test.room.isSuspect(seat: 0) { wasSuspect = true }
        test.wait(.seconds(1))
      }
      #expect(wasSuspect == isSuspect, "\(jumpM) m every \(everyS) s")
    }
  }

  @Test("Jumps from which a player would score are findings: three anchors in a minute make a suspect")
  func anchorsOfAForger() throws {
    var test = try PositionsTests.game()
    var becameSuspectAtS: Int?
    for second in 0..<60 where becameSuspectAtS == nil {
      test.move(0, Yard.fix(northM: Double(second / 13) * 2_000 + Double(second % 13)))
      if test.room.isSuspect(seat: 0) { becameSuspectAtS = second }
      test.wait(.seconds(1))
    }
    #expect(becameSuspectAtS.map { $0 < 55 } ?? false)
    #expect(test.effects.outputs.contains(.verdict(.seat(0), .jumping, suspect: true)))
  }
}
