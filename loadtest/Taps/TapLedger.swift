// What one player has sent and been told of their taps, and what must follow from it: each batch counts exactly once.
//
// A value that knows nothing of connections: a batch is kept as it is until it is answered, over whichever. Where a player loses
// what they knew, it does not: it is what somebody would know who sees it all.
import MadangProtocol

/// What a batch was answered with, once and for all.
package enum TapOutcome: Hashable, Sendable {
  case counted(batch: UInt32, myCount: Int64, schoolCount: Int64)
  case abnormal
}

package struct TapLedger: Sendable, CustomStringConvertible {
  /// A batch that was sent and not answered.
  package struct Kept: Sendable {
    package let number: UInt32
    package let count: Int64
    /// It is known to have counted before the server was away: what its answer tells as the own count, which may have begun
    /// anew since.
    fileprivate(set) var myCountThen: Int64?

    package var isAbnormal: Bool { count > Limits.batchTaps.upperBound }
  }

  /// Empty before the first choice.
  package private(set) var school = ""
  package private(set) var lastBatch: UInt32 = 0
  package private(set) var lastOutcome: TapOutcome?
  /// What was counted since the last choice, or since it began anew.
  package private(set) var myCount: Int64 = 0
  package private(set) var kept: Kept?
  /// What was told to have counted, by school.
  package private(set) var acknowledged: [String: Int64] = [:]
  package var acknowledgedCount: Int64 { acknowledged.values.reduce(0, +) }
  /// What the school has at least.
  private var schoolCountLeast: Int64 = 0

  package init() {}

  /// Of a player who has tapped in another run: what they were welcomed with.
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
    precondition(kept == nil, "one batch at a time")
    let batch = Kept(number: lastBatch + 1, count: count)
    kept = batch
    return batch
  }

  /// The batch that is kept has counted; whether with the counts that it must have. They count in any case, for the sums at
  /// the end are held against what the server says.
  package mutating func settle(batch: UInt32, myCount: Int64, schoolCount: Int64) -> Bool {
    guard let kept else { return false }
    self.kept = nil
    let isRight =
      batch == kept.number && myCount == kept.myCountThen ?? (self.myCount + kept.count)
      && schoolCount >= schoolCountLeast + kept.count
    lastBatch = kept.number
    lastOutcome = .counted(batch: batch, myCount: myCount, schoolCount: schoolCount)
    acknowledged[school, default: 0] += kept.count
    // An answer of then tells nothing of now.
    if kept.myCountThen == nil {
      self.myCount += kept.count
      schoolCountLeast = max(schoolCountLeast, schoolCount)
    }
    return isRight
  }

  /// The batch that is kept was dropped, its number used up.
  package mutating func settleAbnormal() {
    guard let kept else { return }
    lastBatch = kept.number
    lastOutcome = .abnormal
    self.kept = nil
  }

  /// Whether these can be the counts of now, which answer an earlier number.
  package func isNow(myCount: Int64, schoolCount: Int64) -> Bool {
    myCount == self.myCount && schoolCount >= schoolCountLeast
  }

  /// A school was chosen; the same as before changes nothing.
  package mutating func choose(_ school: String) {
    guard school != self.school else { return }
    self.school = school
    myCount = 0
    schoolCountLeast = 0
  }

  /// Whether this is what a welcome may tell of the player: a batch that is kept may have counted by now, or not.
  package func allows(school: String, lastBatch: UInt32, myCount: Int64) -> Bool {
    guard school == self.school else { return false }
    let isKeptIn = kept?.myCountThen != nil
    if lastBatch == self.lastBatch { return myCount == self.myCount && !isKeptIn }
    guard let kept, lastBatch == kept.number else { return false }
    return myCount == self.myCount + (kept.isAbnormal || isKeptIn ? 0 : kept.count)
  }

  /// The player has lost all that they knew, and goes on from what a welcome tells. That settles a batch that is kept: with its
  /// number used up it has counted, else it never will. The batch, if its number is used up.
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

  /// The server was away, and operators may have voided taps and closed the season: schools may have less, and where a
  /// welcome tells of an own count of 0, it has begun anew; whether it has. A batch that was taken before keeps its answer.
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
