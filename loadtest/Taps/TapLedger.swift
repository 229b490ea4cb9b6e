// One player's sent and acknowledged taps, and the consequence for the next answers: each batch counts exactly once.
//
// A value without connections: a batch is kept until it is answered, over any connection. The ledger keeps its data
// when the player loses theirs: it is an observer's knowledge.
import MadangProtocol

/// The final answer to a batch.
package enum TapOutcome: Hashable, Sendable {
  case counted(batch: UInt32, myCount: Int64, schoolCount: Int64)
  case abnormal
}

package struct TapLedger: Sendable, CustomStringConvertible {
  /// A batch that was sent and not answered.
  package struct Kept: Sendable {
    package let number: UInt32
    package let count: Int64
    /// The own count in the answer to a batch that counted before the server was away; the own count may have begun
    /// anew since. Nil for other batches.
    fileprivate(set) var myCountThen: Int64?

    package var isAbnormal: Bool { count > Limits.batchTaps.upperBound }
  }

  /// The chosen school; empty before the first choice.
  package private(set) var school = ""
  package private(set) var lastBatch: UInt32 = 0
  package private(set) var lastOutcome: TapOutcome?
  /// The taps counted since the last choice, or since the count began anew.
  package private(set) var myCount: Int64 = 0
  package private(set) var kept: Kept?
  /// The acknowledged taps by school.
  package private(set) var acknowledged: [String: Int64] = [:]
  package var acknowledgedCount: Int64 { acknowledged.values.reduce(0, +) }
  /// The least count that the school must have.
  private var schoolCountLeast: Int64 = 0

  package init() {}

  /// The ledger of a player who has tapped in another run, from the welcome.
  package init(school: String, lastBatch: UInt32, myCount: Int64) {
    self.school = school
    self.lastBatch = lastBatch
    self.myCount = myCount
  }

  package var description: String {
    let outcome = lastOutcome.map { "\($0)" } ?? "nothing"
    let open = kept.map { ", \($0.number) of \($0.count) open" } ?? ""
    return "for \(school) \(myCount) counted, last \(lastBatch): \(outcome)\(open)"
  }

  /// The next batch, to be sent until it is answered.
  package mutating func keep(_ count: Int64) -> Kept {
    precondition(kept == nil, "only one batch is kept at a time")
    let batch = Kept(number: lastBatch + 1, count: count)
    kept = batch
    return batch
  }

  /// Confirms the kept batch as counted; returns whether the counts are right. The taps count in any case: the sums at
  /// the end are compared with the server's.
  package mutating func confirm(batch: UInt32, myCount: Int64, schoolCount: Int64) -> Bool {
    guard let kept else { return false }
    self.kept = nil
    let isRight =
      batch == kept.number && myCount == kept.myCountThen ?? (self.myCount + kept.count)
      && schoolCount >= schoolCountLeast + kept.count
    lastBatch = kept.number
    lastOutcome = .counted(batch: batch, myCount: myCount, schoolCount: schoolCount)
    acknowledged[school, default: 0] += kept.count
    // An answer from before the server was away says nothing about now.
    if kept.myCountThen == nil {
      self.myCount += kept.count
      schoolCountLeast = max(schoolCountLeast, schoolCount)
    }
    return isRight
  }

  /// Drops the kept batch, whose number is used up.
  package mutating func dropKept() {
    guard let kept else { return }
    lastBatch = kept.number
    lastOutcome = .abnormal
    self.kept = nil
  }

  /// Whether these can be the current counts, as the answer to an earlier number.
  package func isNow(myCount: Int64, schoolCount: Int64) -> Bool {
    myCount == self.myCount && schoolCount >= schoolCountLeast
  }

  /// Notes a choice of school; the same as before changes nothing.
  package mutating func choose(_ school: String) {
    guard school != self.school else { return }
    self.school = school
    myCount = 0
    schoolCountLeast = 0
  }

  /// Whether a welcome may report this of the player. The kept batch may have counted by now, or not.
  package func allows(school: String, lastBatch: UInt32, myCount: Int64) -> Bool {
    guard school == self.school else { return false }
    let isKeptIn = kept?.myCountThen != nil
    if lastBatch == self.lastBatch { return myCount == self.myCount && !isKeptIn }
    guard let kept, lastBatch == kept.number else { return false }
    return myCount == self.myCount + (kept.isAbnormal || isKeptIn ? 0 : kept.count)
  }

  /// Goes on from a welcome after the player has lost all data. The kept batch is decided: if its number is used up
  /// it has counted, else it never will. Returns the batch if its number is used up.
  package mutating func goOn(school: String, lastBatch: UInt32, myCount: Int64) -> Kept? {
    let taken = kept.flatMap { $0.number == lastBatch ? $0 : nil }
    if let taken, !taken.isAbnormal {
      acknowledged[self.school, default: 0] += taken.count
      if taken.myCountThen == nil { schoolCountLeast += taken.count }
    }
    (kept, lastOutcome) = (nil, nil)
    choose(school)
    (self.lastBatch, self.myCount) = (lastBatch, myCount)
    return taken
  }

  /// Notes that the server was away, and that operators may have voided taps and closed the season. Schools may have
  /// less. An own count of 0 in a welcome has begun anew; returns whether it has. A batch that was taken before keeps
  /// its answer.
  package mutating func mayHaveBegunAnew(lastBatch: UInt32, myCount: Int64) -> Bool {
    schoolCountLeast = 0
    if let kept, lastBatch == kept.number, !kept.isAbnormal, kept.myCountThen == nil {
      self.myCount += kept.count
      self.kept?.myCountThen = self.myCount
    }
    guard myCount == 0, self.myCount > 0 else { return false }
    self.myCount = 0
    return true
  }
}
