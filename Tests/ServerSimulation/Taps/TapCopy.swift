// A player's knowledge of their own taps: the school, the received counts, the batch that is kept until it is answered.
// A value of one player. It outlives connections and, like an app's batch on the disk, their client too.
import MadangProtocol
import Net

struct TapCopy {
  /// A batch as it was first sent; it is sent again unchanged.
  struct Batch {
    let number: UInt32
    let count: Int64
    /// Whether it was sent, so that the server may have it.
    var wasSent = false

    /// The taps that it adds to the counts if the server accepts it.
    var countedTaps: Int64 { count > TapCopy.tapsMax ? 0 : count }
  }

  /// The answer to the newest number that was used up.
  enum Answer: Equatable {
    case tapped(WireTapped)
    case abnormal
  }

  /// The protocol's own bound, not the server's constant.
  static let tapsMax: Int64 = 229

  /// The chosen school; empty before the first choice.
  private(set) var school = ""
  /// The choice that is not confirmed yet; asked for until it is.
  private(set) var wanted: String?
  private(set) var myCount: Int64 = 0
  private(set) var lastBatch: UInt32 = 0
  private(set) var lastAnswer: Answer?
  private(set) var kept: Batch?
  /// The acknowledged taps by school.
  private(set) var counted: [String: Int64] = [:]
  /// The time of the next repetition of unfinished requests.
  var actAt: Timestamp?

  /// Whether a batch or a choice is not confirmed.
  var hasToAct: Bool { kept != nil || wanted != nil }

  /// Whether a message may name this as the player's school: a choice may be done and not acknowledged.
  func mayHave(_ other: String) -> Bool { other == school || other == wanted }

  mutating func keep(_ count: Int64) {
    kept = Batch(number: lastBatch + 1, count: count)
  }

  mutating func noteSent() {
    kept?.wasSent = true
  }

  mutating func want(_ school: String?) {
    wanted = school
  }

  // Answers.

  /// The choice is confirmed.
  mutating func choose(_ choice: String) {
    if choice != school { myCount = 0 }
    school = choice
    wanted = nil
  }

  /// The kept batch has counted; false if it can't have.
  mutating func count(_ answer: WireTapped) -> Bool {
    guard let batch = kept, batch.number == answer.batch, batch.count <= Self.tapsMax,
      answer.myCount == myCount + batch.count
    else { return false }
    counted[school, default: 0] += batch.count
    myCount = answer.myCount
    finish(batch, .tapped(answer))
    return answer.schoolCount >= counted[school, default: 0]
  }

  /// The kept batch was dropped; false if it can't have been.
  mutating func drop() -> Bool {
    guard let batch = kept, batch.count > Self.tapsMax else { return false }
    finish(batch, .abnormal)
    return true
  }

  private mutating func finish(_ batch: Batch, _ answer: Answer) {
    lastBatch = batch.number
    lastAnswer = answer
    kept = nil
  }

  // A welcome, and a recovery.

  /// Whether this may be the server's state of the player: everything acknowledged, with or without the kept batch or
  /// the wanted choice.
  func fits(school other: String, lastBatch last: UInt32, myCount count: Int64) -> Bool {
    guard mayHave(other) else { return false }
    if other != school { return last == lastBatch && count == 0 }
    if last == lastBatch { return count == myCount }
    guard let kept, kept.wasSent, last == kept.number else { return false }
    return count == myCount + kept.countedTaps
  }
}
