// The pure parts of `taps`: its arguments, the window of allowed taps, the ledger of batches, and the sums.
import ArgumentParser
import Testing
import madang_loadtest

@Suite struct TapsTests {
  @Test("Arguments within their bounds are accepted")
  func goodArguments() throws {
    let taps = try Taps.parse([
      "--players", "10000", "--bots", "honest", "fast", "resender", "dropper", "crasher", "mover", "changer",
      "--rate", "0.5",
      "--watch", "5000", "--top", "100", "--schools", "12011", "--seconds", "60", "--shards", "2", "--survive",
    ])
    #expect(taps.players == 10_000 && taps.watch == 5_000 && taps.top == 100)
    #expect(taps.bots == TapperKind.allCases)
    #expect(taps.rate == 0.5 && taps.schools == 12_011 && taps.seconds == 60)
  }

  @Test(
    "Arguments out of their bounds are refused",
    arguments: [
      ["--players", "0"], ["--watch", "-1"], ["--rate", "0"], ["--rate", "4.1"], ["--top", "0"], ["--top", "101"],
      ["--schools", "0"], ["--seconds", "0"], ["--first", "-1"], ["--step", "0"], ["--shards", "0"],
      ["--bots", "walker"], ["--connects-per-second", "0"], ["--operated"],
    ]
  )
  func badArguments(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try Taps.parse(arguments) }
  }

  @Test("A name and numbers stand for the same players in each run, and another name for others")
  func identities() {
    let all = PlayerIdentities(name: "country")
    let everyTenth = PlayerIdentities(name: "country", first: 20, step: 10)
    #expect(everyTenth.deviceSecret(of: 3) == all.deviceSecret(of: 50))
    #expect(Set((0..<100).map(all.deviceSecret)).count == 100)
    #expect(PlayerIdentities(name: "town").deviceSecret(of: 50) != all.deviceSecret(of: 50))
  }

  // The window. Times are microseconds; batches that are answered after 10 ms.

  private func makeWindow(_ batches: (sent: Int64, count: Int64)...) -> TapWindow {
    var window = TapWindow()
    for batch in batches { window.counted(batch.count, sent: batch.sent, answered: batch.sent + 10_000) }
    return window
  }

  @Test("The window has room for the rest of 229 in five seconds, counted from the answers")
  func room() {
    #expect(TapWindow().room(at: 0) == 229)
    let window = makeWindow((0, 100), (1_000_000, 29))
    #expect(window.room(at: 1_000_000) == 100)
    #expect(window.room(at: 5_010_000) == 100)
    #expect(window.room(at: 5_040_000) == 200)
    #expect(window.room(at: 6_040_000) == 229)
    #expect(makeWindow((0, 229)).room(at: 4_000_000) == 0)
  }

  @Test("After earlier taps the window is unknown for five seconds, and the bot does not tap")
  func fullWindow() {
    var window = TapWindow()
    window.mayBeFull(at: 1_000_000)
    #expect(window.room(at: 1_000_000) == 0 && window.room(at: 6_000_000) == 0)
    #expect(window.room(at: 6_040_000) == 229)
    #expect(window.verdict(on: 1, sent: 1_500_000, answered: 1_510_000) == .either)
  }

  @Test("No sixth batch fits within a second")
  func batches() {
    let window = makeWindow((0, 1), (100_000, 1), (200_000, 1), (300_000, 1), (400_000, 1))
    #expect(window.room(at: 500_000) == 0)
    #expect(window.room(at: 1_005_000) == 0)
    #expect(window.room(at: 1_040_000) == 224)
    #expect(window.verdict(on: 1, sent: 500_000, answered: 510_000) == .isLimited)
    #expect(window.verdict(on: 1, sent: 990_000, answered: 1_015_000) == .either)
    #expect(window.verdict(on: 1, sent: 1_040_000, answered: 1_050_000) == .counts)
  }

  @Test("The verdict is certain only if the exact moment does not matter")
  func verdicts() {
    let window = makeWindow((0, 200))
    #expect(window.verdict(on: 29, sent: 1_000_000, answered: 1_010_000) == .counts)
    #expect(window.verdict(on: 30, sent: 1_000_000, answered: 1_010_000) == .isLimited)
    #expect(window.verdict(on: 30, sent: 4_900_000, answered: 5_100_000) == .either)
    #expect(window.verdict(on: 30, sent: 5_040_000, answered: 5_050_000) == .counts)
  }

  @Test("After a possible restart of the server the verdict does not depend on the earlier window")
  func forgotten() {
    var window = makeWindow((0, 229))
    window.mayHaveBegunAnew(at: 500_000)
    #expect(window.verdict(on: 1, sent: 1_000_000, answered: 1_010_000) == .either)
    window.counted(229, sent: 1_000_000, answered: 1_010_000)
    #expect(window.verdict(on: 1, sent: 1_100_000, answered: 1_110_000) == .isLimited)
    #expect(window.room(at: 1_100_000) == 0)
  }

  // The ledger.

  @Test("Batches are numbered consecutively, and count for the school at their time")
  func ledger() {
    var ledger = TapLedger()
    ledger.choose("A")
    #expect(ledger.keep(5).number == 1)
    let isRight = ledger.confirm(batch: 1, myCount: 5, schoolCount: 105)
    #expect(isRight && ledger.kept == nil)
    #expect(ledger.lastOutcome == .counted(batch: 1, myCount: 5, schoolCount: 105))
    ledger.choose("A")
    #expect(ledger.myCount == 5)
    ledger.choose("B")
    #expect(ledger.myCount == 0 && ledger.lastBatch == 1)
    #expect(ledger.keep(7).number == 2)
    let isRightToo = ledger.confirm(batch: 2, myCount: 7, schoolCount: 7)
    #expect(isRightToo && ledger.acknowledged == ["A": 5, "B": 7])
  }

  @Test(
    "A batch counted twice, not at all, for another, or in a total that has fallen, is detected",
    arguments: [(2, 20, 120), (2, 10, 120), (1, 15, 120), (3, 15, 120), (2, 15, 109), (2, 5, 110)]
  )
  func wrongAnswers(batch: UInt32, myCount: Int64, schoolCount: Int64) {
    var ledger = TapLedger()
    ledger.choose("A")
    _ = ledger.keep(10)
    let isRight = ledger.confirm(batch: 1, myCount: 10, schoolCount: 105)
    _ = ledger.keep(5)
    let isWrong = !ledger.confirm(batch: batch, myCount: myCount, schoolCount: schoolCount)
    #expect(isRight && isWrong)
    // It is acknowledged all the same.
    #expect(ledger.acknowledged == ["A": 15] && ledger.myCount == 15)
  }

  @Test("An abnormal batch uses up its number, and counts nothing")
  func abnormal() {
    var ledger = TapLedger()
    ledger.choose("A")
    #expect(ledger.keep(230).isAbnormal)
    ledger.dropKept()
    #expect(ledger.lastBatch == 1 && ledger.lastOutcome == .abnormal && ledger.acknowledged.isEmpty)
    #expect(!ledger.keep(229).isAbnormal)
  }

  @Test("A welcome may report the kept batch, as counted or not, and nothing else")
  func welcome() {
    var ledger = TapLedger()
    ledger.choose("A")
    #expect(ledger.allows(school: "A", lastBatch: 0, myCount: 0))
    _ = ledger.keep(10)
    #expect(ledger.allows(school: "A", lastBatch: 0, myCount: 0))
    #expect(ledger.allows(school: "A", lastBatch: 1, myCount: 10))
    #expect(!ledger.allows(school: "A", lastBatch: 1, myCount: 0))
    #expect(!ledger.allows(school: "A", lastBatch: 0, myCount: 10))
    #expect(!ledger.allows(school: "A", lastBatch: 2, myCount: 10))
    #expect(!ledger.allows(school: "B", lastBatch: 1, myCount: 10))
    _ = ledger.confirm(batch: 1, myCount: 10, schoolCount: 10)
    #expect(ledger.allows(school: "A", lastBatch: 1, myCount: 10))
    #expect(!ledger.allows(school: "A", lastBatch: 0, myCount: 0))
    _ = ledger.keep(300)
    #expect(ledger.allows(school: "A", lastBatch: 2, myCount: 10))
    #expect(!ledger.allows(school: "A", lastBatch: 2, myCount: 310))
  }

  /// A ledger with 10 counted taps, of a school with 100, and 5 more kept.
  private func makeKeeping() -> TapLedger {
    var ledger = TapLedger()
    ledger.choose("A")
    _ = ledger.keep(10)
    _ = ledger.confirm(batch: 1, myCount: 10, schoolCount: 100)
    _ = ledger.keep(5)
    return ledger
  }

  @Test("After a server's absence the player's count continues or restarts, with the kept batch or without it")
  func countMayRestart() {
    for (lastBatch, myCount, hasRestarted) in [(1, 10, false), (1, 0, true), (2, 15, false), (2, 0, true)] {
      var ledger = makeKeeping()
      let isAnew = ledger.mayHaveBegunAnew(lastBatch: UInt32(lastBatch), myCount: Int64(myCount))
      #expect(isAnew == hasRestarted)
      #expect(ledger.allows(school: "A", lastBatch: UInt32(lastBatch), myCount: Int64(myCount)))
    }
    for (lastBatch, myCount) in [(1, 5), (1, 15), (2, 10), (2, 5), (2, 20), (3, 0), (0, 0)] {
      var ledger = makeKeeping()
      _ = ledger.mayHaveBegunAnew(lastBatch: UInt32(lastBatch), myCount: Int64(myCount))
      #expect(!ledger.allows(school: "A", lastBatch: UInt32(lastBatch), myCount: Int64(myCount)))
    }
  }

  @Test("A kept batch that counted before the player's count restarted has its old answer, and counts no more")
  func oldAnswer() {
    var ledger = makeKeeping()
    _ = ledger.mayHaveBegunAnew(lastBatch: 2, myCount: 0)
    // Lost again before the answer, with and without the server.
    #expect(ledger.allows(school: "A", lastBatch: 2, myCount: 0))
    #expect(!ledger.allows(school: "A", lastBatch: 1, myCount: 0))
    let isAnewAgain = ledger.mayHaveBegunAnew(lastBatch: 2, myCount: 0)
    #expect(!isAnewAgain)
    var other = ledger
    let isRight = ledger.confirm(batch: 2, myCount: 15, schoolCount: 105)
    let isWrong = !other.confirm(batch: 2, myCount: 5, schoolCount: 105)
    #expect(isRight && isWrong)
    #expect(ledger.acknowledged == ["A": 15] && ledger.myCount == 0)
    // The school may have fallen; from now on it grows.
    #expect(ledger.isNow(myCount: 0, schoolCount: 0))
    _ = ledger.keep(7)
    let isNextRight = ledger.confirm(batch: 3, myCount: 7, schoolCount: 20)
    #expect(isNextRight && !ledger.isNow(myCount: 7, schoolCount: 19))
  }

  @Test("A kept batch that had not counted continues the restarted count")
  func countsAfterRestart() {
    var ledger = makeKeeping()
    _ = ledger.mayHaveBegunAnew(lastBatch: 1, myCount: 0)
    var other = ledger
    let isRight = ledger.confirm(batch: 2, myCount: 5, schoolCount: 5)
    let isWrong = !other.confirm(batch: 2, myCount: 15, schoolCount: 105)
    #expect(isRight && isWrong && ledger.myCount == 5)
  }

  @Test("A bot that has lost its state continues from a welcome, and an unanswered batch counts once or never")
  func continuedFromWelcome() {
    var counted = makeKeeping()
    let taken = counted.goOn(school: "A", lastBatch: 2, myCount: 15)
    #expect(taken?.number == 2 && taken?.count == 5 && counted.kept == nil)
    #expect(counted.acknowledged == ["A": 15] && counted.myCount == 15 && counted.lastOutcome == nil)
    // The school has what it had, and the batch.
    #expect(counted.isNow(myCount: 15, schoolCount: 105) && !counted.isNow(myCount: 15, schoolCount: 104))
    #expect(counted.keep(7).number == 3)
    let isRight = counted.confirm(batch: 3, myCount: 22, schoolCount: 112)
    #expect(isRight && counted.acknowledged == ["A": 22])

    var lost = makeKeeping()
    let untaken = lost.goOn(school: "A", lastBatch: 1, myCount: 10)
    #expect(untaken == nil && lost.kept == nil)
    #expect(lost.acknowledged == ["A": 10] && lost.keep(7).number == 2)
    var late = lost
    let isRightToo = lost.confirm(batch: 2, myCount: 17, schoolCount: 107)
    #expect(isRightToo && lost.acknowledged == ["A": 17])
    // It counts after all, and the next has its answer.
    let isWrong = !late.confirm(batch: 2, myCount: 15, schoolCount: 105)
    #expect(isWrong)
  }

  @Test("A lost batch that counted before the player's count restarted is added to the acknowledged taps")
  func continuedAfterRestart() {
    var ledger = makeKeeping()
    _ = ledger.mayHaveBegunAnew(lastBatch: 2, myCount: 0)
    let taken = ledger.goOn(school: "A", lastBatch: 2, myCount: 0)
    #expect(taken?.number == 2 && ledger.acknowledged == ["A": 15] && ledger.myCount == 0)
    #expect(ledger.isNow(myCount: 0, schoolCount: 0))
  }

  @Test("A lost abnormal batch has used up its number, and counted nothing")
  func continuedAfterAbnormal() {
    var ledger = TapLedger()
    ledger.choose("A")
    _ = ledger.keep(230)
    let taken = ledger.goOn(school: "A", lastBatch: 1, myCount: 0)
    #expect(taken?.isAbnormal == true && ledger.acknowledged.isEmpty && ledger.keep(1).number == 2)
  }

  // The sums.

  @Test("The sums agree if each school has grown by the acknowledged taps of all bots")
  func conservation() {
    var sums = Conservation()
    sums.note(before: 100, of: "A")
    sums.note(before: 0, of: "B")
    sums.note(acknowledged: 7, of: "A")
    var others = Conservation()
    others.note(before: 100, of: "A")
    others.note(acknowledged: 3, of: "A")
    others.note(after: 110, of: "A")
    sums.add(others)
    #expect(sums.unaudited == ["B"])
    #expect(sums.verdicts().map { $0.complaint == nil } == [true, false])
    sums.note(after: 0, of: "B")
    #expect(sums.verdicts().allSatisfy { $0.complaint == nil })
    #expect(sums.acknowledgedCount == 10)
  }

  @Test("If operators change counts, schools may have less, but all bots get the same total of each")
  func operated() {
    var sums = Conservation()
    sums.note(before: 0, of: "A")
    sums.note(acknowledged: 7, of: "A")
    #expect(sums.verdicts(isOperated: true).allSatisfy { $0.complaint != nil })
    sums.note(after: 3, of: "A")
    #expect(sums.verdicts(isOperated: true).allSatisfy { $0.complaint == nil })
    sums.note(after: 4, of: "A")
    #expect(sums.verdicts(isOperated: true).allSatisfy { $0.complaint != nil })
  }

  @Test("A missing tap, an extra tap, two totals of one school, and an unknown school are detected")
  func leaks() {
    func complaints(_ fill: (inout Conservation) -> Void) -> Int {
      var sums = Conservation()
      sums.note(before: 100, of: "A")
      sums.note(acknowledged: 10, of: "A")
      fill(&sums)
      return sums.verdicts().count { $0.complaint != nil }
    }
    #expect(complaints { $0.note(after: 110, of: "A") } == 0)
    #expect(complaints { $0.note(after: 111, of: "A") } == 1)
    #expect(complaints { $0.note(after: 109, of: "A") } == 1)
    #expect(
      complaints {
        $0.note(after: 109, of: "A")
        $0.note(after: 110, of: "A")
      } == 1
    )
    #expect(
      complaints {
        $0.note(after: 110, of: "A")
        $0.note(acknowledged: 1, of: "B")
      } == 1
    )
  }
}
