// A rate. A value that all buckets of one kind are given.

/// A limit on average and at once. Its buckets don't keep it: thousands have the same one.
package struct TokenRate: Hashable, Sendable {
  /// The time in which one token fills.
  package let tokenMs: Int64
  /// The level of a full bucket.
  let fullMs: Int64

  /// The number of tokens that a bucket holds.
  package var burst: Int64 { fullMs / tokenMs }

  /// - Parameters:
  ///   - burst: The number of tokens that a bucket holds.
  ///   - tokenMs: The time in which one token fills.
  package init(burst: Int64, tokenMs: Int64) {
    self.tokenMs = tokenMs
    fullMs = burst * tokenMs
  }
}
