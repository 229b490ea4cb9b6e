// What the tally says to a batch of taps. Plain values; what goes over the wire is made of them elsewhere. None may leave the
// server before the record that it follows from is durable, and that record may be an earlier batch's.

/// The answer to a batch that counted, and, as the totals of the moment, to one that is long past.
package struct TapAnswer: Hashable, Sendable {
  package let batch: UInt32
  /// What the player has counted since the last choice of a school, in this season.
  package let myCount: Int64
  package let schoolCount: Int64

  package init(batch: UInt32, myCount: Int64, schoolCount: Int64) {
    self.batch = batch
    self.myCount = myCount
    self.schoolCount = schoolCount
  }
}

/// What becomes of a batch. Only `counted` and `abnormal` change anything.
///
/// The checks have an order, and the first that fails is the answer: a school chosen; a number that is not used yet; that
/// school open; a number that can come now; a count of 1 or more; a count of at most `TapRules.tapsMax`; the rates. So what
/// has counted is answered again though its school was closed since.
package enum TapDecision: Hashable, Sendable {
  case counted(TapAnswer)
  /// The number is that of the newest batch, which counted: its answer once more, whatever the count is now.
  case again(TapAnswer)
  /// The number is that of the newest batch, which was abnormal.
  case againAbnormal
  /// The number is an earlier one: the totals as they are, nothing counted.
  case past(TapAnswer)
  /// The number is none that can come now.
  case gap(expected: UInt32)
  /// More than a batch may have: dropped, and its number used up. `becameSuspect` is said once for a player.
  case abnormal(becameSuspect: Bool)
  /// Too many taps in the last seconds, or too many batches: the number is not used. After so long the same batch fits, if
  /// no other comes before it.
  case tooFast(retryAfterMs: Int64)
  case noSchool
  case schoolClosed
  /// A count below 1; the number is not used.
  case outOfRange
}

/// What becomes of a choice of a school.
package enum SchoolChoice: Hashable, Sendable {
  case chosen
  /// It is the player's school already; nothing changes.
  case same
  case closed
}
