// The tally's decision on a batch of taps. Plain values; the messages of the wire are made elsewhere. None may leave
// the server before the record behind it is durable, which may be an earlier batch's record.

/// The answer to a batch that counted; for an old batch, with the current totals.
package struct TapAnswer: Hashable, Sendable {
  package let batch: UInt32
  /// The player's count since the last choice of a school, in this season.
  package let myCount: Int64
  package let schoolCount: Int64

  package init(batch: UInt32, myCount: Int64, schoolCount: Int64) {
    self.batch = batch
    self.myCount = myCount
    self.schoolCount = schoolCount
  }
}

/// The decision on a batch. Only `counted` and `abnormal` change anything.
///
/// The first failed check is the answer, in this order: a school is chosen; the number is unused; that school is open;
/// the number is the next; the count is at least 1; the count is at most `TapRules.tapsMax`; the rates hold. So a batch
/// that has counted gets its answer again even if its school was closed since.
package enum TapDecision: Hashable, Sendable {
  case counted(TapAnswer)
  /// The number is that of the newest batch, which counted: repeats its answer, whatever the count is now.
  case again(TapAnswer)
  /// The number is that of the newest batch, which was abnormal.
  case againAbnormal
  /// The number is an earlier one: the current totals, and nothing is counted.
  case past(TapAnswer)
  /// The number is not the next one.
  case gap(expected: UInt32)
  /// More taps than a batch may have: the batch is dropped, and its number is used up. `becameSuspect` is true once for
  /// a player.
  case abnormal(becameSuspect: Bool)
  /// Too many taps in the last seconds, or too many batches: the number is not used. The same batch fits after this
  /// time, if no other comes before it.
  case tooFast(retryAfterMs: Int64)
  case noSchool
  case schoolClosed
  /// A count below 1; the number is not used.
  case outOfRange
}

/// The result of a choice of a school.
package enum SchoolChoice: Hashable, Sendable {
  case chosen
  /// It is the player's school already; nothing changes.
  case same
  case closed
}
