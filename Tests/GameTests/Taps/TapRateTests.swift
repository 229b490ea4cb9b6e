// The rates of taps: the window of five seconds and the batches of one, to the millisecond.
import Game
import Testing

@Suite("School taps: rates")
struct TapRateTests {
  private var test = TestTally()

  /// A tally whose player 1 has chosen school 0.
  init() throws {
    #expect(try test.choose(0) == .chosen)
  }

  @Test("Honest taps over 229 in the last 5 s must wait; the number is not used and the player is not marked")
  func sums() throws {
    var test = test
    #expect(test.tap(1, 100) == .counted(1, mine: 100, school: 100))
    #expect(test.tap(2, 100, afterMs: 1_000) == .counted(2, mine: 200, school: 200))
    #expect(test.tap(3, 29, afterMs: 1_000) == .counted(3, mine: 229, school: 229))
    #expect(test.tap(4, 1, afterMs: 1_000) == .tooFast(retryAfterMs: 2_000))
    #expect(test.tap(4, 100) == .tooFast(retryAfterMs: 2_000))
    // For more taps than the first leaves room for, the second must be out too, and then the third.
    #expect(test.tap(4, 101) == .tooFast(retryAfterMs: 3_000))
    #expect(test.tap(4, 229) == .tooFast(retryAfterMs: 4_000))
    #expect(try test.standing().lastBatch == 3)
    #expect(try test.standing().abnormalCount == 0)
    #expect(test.tap(4, 100, afterMs: 1_999) == .tooFast(retryAfterMs: 1))
    #expect(test.tap(4, 101, afterMs: 1) == .tooFast(retryAfterMs: 1_000))
    #expect(test.tap(4, 100) == .counted(4, mine: 329, school: 329))
    #expect(test.tap(5, 1) == .tooFast(retryAfterMs: 1_000))
  }

  @Test("A batch that counted exactly 5 s ago is out of the window")
  func halfOpen() {
    var test = test
    #expect(test.tap(1, 229) == .counted(1, mine: 229, school: 229))
    #expect(test.tap(2, 1, afterMs: 4_999) == .tooFast(retryAfterMs: 1))
    #expect(test.tap(2, 229, afterMs: 1) == .counted(2, mine: 458, school: 458))
  }

  @Test("At most 5 batches count in any second")
  func batches() {
    var test = test
    for batch in 1...5 as ClosedRange<UInt32> {
      #expect(test.tap(batch, 1, afterMs: 100) == .counted(batch, mine: Int64(batch), school: Int64(batch)))
    }
    #expect(test.tap(6, 1, afterMs: 599) == .tooFast(retryAfterMs: 1))
    #expect(test.tap(6, 1, afterMs: 1) == .counted(6, mine: 6, school: 6))
    #expect(test.tap(7, 1) == .tooFast(retryAfterMs: 100))
    // The longer of the two waits applies.
    #expect(test.tap(7, 229) == .tooFast(retryAfterMs: 5_000))
  }

  @Test("A player who sends 5 batches a second for a minute is never limited, and has 25 batches in the window")
  func steady() {
    var test = test
    for batch in 1...300 as ClosedRange<UInt32> {
      let decision = test.tap(batch, 9, afterMs: 200)
      #expect(decision == .counted(batch, mine: 9 * Int64(batch), school: 9 * Int64(batch)))
    }
    #expect(test.tap(301, 13, afterMs: 199) == .tooFast(retryAfterMs: 1))
    #expect(test.tap(301, 14) == .tooFast(retryAfterMs: 201))
    #expect(test.tap(301, 13, afterMs: 1) == .counted(301, mine: 2_713, school: 2_713))
  }

  @Test("Abnormal batches are in no window, and are never limited")
  func abnormalsAside() {
    var test = test
    for batch in 1...30 as ClosedRange<UInt32> {
      #expect(test.tap(batch, 500) == .abnormal(becameSuspect: batch == 3))
    }
    #expect(test.tap(31, 229) == .counted(31, mine: 229, school: 229))
  }

  @Test("Each player has an own window, which survives a change of school and of season")
  func ownWindows() throws {
    var test = test
    #expect(try test.choose(0, by: 2) == .chosen)
    #expect(test.tap(1, 229) == .counted(1, mine: 229, school: 229))
    #expect(test.tap(1, 229, by: 2) == .counted(1, mine: 229, school: 458))
    #expect(try test.choose(1) == .chosen)
    _ = test.tally.closeSeason(at: test.now)
    #expect(test.void() == 229)
    #expect(test.tap(2, 1, afterMs: 1_000) == .tooFast(retryAfterMs: 4_000))
  }

  @Test("A time that runs backwards counts as the latest time")
  func timeGoesForward() {
    var test = test
    #expect(test.tap(1, 229) == .counted(1, mine: 229, school: 229))
    #expect(test.tap(2, 1, afterMs: -60_000) == .tooFast(retryAfterMs: 5_000))
    #expect(test.tap(2, 1, afterMs: 64_999) == .tooFast(retryAfterMs: 1))
    #expect(test.tap(2, 1, afterMs: 1) == .counted(2, mine: 230, school: 230))
  }

  // The times kept in windows wrap around after 16,777,216 ms.
  @Test(
    "After an absence of any length the window is empty",
    arguments: [5_000, 16_777_215, 16_777_216, 16_777_217, 4_294_967_296] as [Int64]
  )
  func away(pauseMs: Int64) {
    var test = test
    #expect(test.tap(1, 229) == .counted(1, mine: 229, school: 229))
    #expect(test.tap(2, 229, afterMs: pauseMs) == .counted(2, mine: 458, school: 458))
    #expect(test.tap(3, 1) == .tooFast(retryAfterMs: 5_000))
  }

  @Test("A returning player whose window was reused has an empty one")
  func takenOver() throws {
    var test = test
    for player in 2...40 {
      #expect(try test.choose(0, by: player) == .chosen)
    }
    var batches = [UInt32](repeating: 0, count: 41)
    for pauseMs in [5_000, 7_000, 60_000] as [Int64] {
      for player in 1...40 {
        batches[player] += 1
        test.nowMs += player == 1 ? pauseMs : player % 3 == 0 ? 900 : 0
        let decision = test.tap(batches[player], 229, by: player)
        guard case .counted = decision else {
          Issue.record("\(player) after \(pauseMs): \(decision)")
          return
        }
        guard case .tooFast(5_000) = test.tap(batches[player] + 1, 1, by: player) else {
          Issue.record("\(player) after \(pauseMs) has an empty window")
          return
        }
      }
    }
  }
}
