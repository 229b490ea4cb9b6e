// What a player knows of their own taps: the school, the counts as told, the batch that is kept until it is answered. A value
// of one player; it outlives connections and, like an app that keeps its batch on the disk, their client too.
import MadangProtocol
import Net

struct TapCopy {
  /// A batch as it was sent first; it is sent again as it is.
  struct Batch {
    let number: UInt32
    let count: Int64
    /// The server may have it.
    var wasSent = false

    /// What it adds to the counts if the server takes it.
    var countedTaps: Int64 { count > TapCopy.tapsMax ? 0 : count }
  }

  /// How the newest number that is used up was answered.
  enum Answer: Equatable {
    case tapped(WireTapped)
    case abnormal
  }

  /// By the protocol's own words, not the server's constant.
  static let tapsMax: Int64 = 229

  /// Empty before the first choice.
  private(set) var school = ""
  /// Chosen, and not known to be done: asked for until it is.
  private(set) var wanted: String?
  private(set) var myCount: Int64 = 0
  private(set) var lastBatch: UInt32 = 0
  private(set) var lastAnswer: Answer?
  private(set) var kept: Batch?
  /// What was acknowledged, by school.
  private(set) var counted: [String: Int64] = [:]
  /// When it asks again for what is not done.
  var actAt: Timestamp?

  /// A batch or a choice is not known to be done.
  var hasToAct: Bool { kept != nil || wanted != nil }

  /// What may be told as the own school: a choice may be done and not acknowledged.
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

  /// The choice is done.
  mutating func choose(_ choice: String) {
    if choice != school { myCount = 0 }
    school = choice
    wanted = nil
  }

  /// The batch that is kept has counted; false if it can't have.
  mutating func count(_ answer: WireTapped) -> Bool {
    guard let batch = kept, batch.number == answer.batch, batch.count <= Self.tapsMax,
      answer.myCount == myCount + batch.count
    else { return false }
    counted[school, default: 0] += batch.count
    myCount = answer.myCount
    finish(batch, .tapped(answer))
    return answer.schoolCount >= counted[school, default: 0]
  }

  /// The batch that is kept was dropped; false if it can't have been.
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

  /// Whether this may be what the server has of the player: all that was acknowledged, and the batch that is kept or the
  /// choice that is wanted in it or not.
  func fits(school other: String, lastBatch last: UInt32, myCount count: Int64) -> Bool {
    guard mayHave(other) else { return false }
    if other != school { return last == lastBatch && count == 0 }
    if last == lastBatch { return count == myCount }
    guard let kept, kept.wasSent, last == kept.number else { return false }
    return count == myCount + kept.countedTaps
  }
}
