// What one player has sent and been told of their taps, and what must follow from it: each batch counts exactly once.
//
// A value that knows nothing of connections: a batch is kept as it is until it is answered, over whichever.
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

    package var isAbnormal: Bool { count > Limits.batchTaps.upperBound }
  }

  /// Empty before the first choice.
  package private(set) var school = ""
  package private(set) var lastBatch: UInt32 = 0
  package private(set) var lastOutcome: TapOutcome?
  /// What was counted since the last choice.
  package private(set) var myCount: Int64 = 0
  package private(set) var kept: Kept?
  /// What was answered with having counted, by school.
  package private(set) var acknowledged: [String: Int64] = [:]
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
      batch == kept.number && myCount == self.myCount + kept.count && schoolCount >= schoolCountLeast + kept.count
    lastBatch = kept.number
    lastOutcome = .counted(batch: batch, myCount: myCount, schoolCount: schoolCount)
    self.myCount += kept.count
    schoolCountLeast = max(schoolCountLeast, schoolCount)
    acknowledged[school, default: 0] += kept.count
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
    if lastBatch == self.lastBatch { return myCount == self.myCount }
    guard let kept, lastBatch == kept.number else { return false }
    return myCount == self.myCount + (kept.isAbnormal ? 0 : kept.count)
  }
}
