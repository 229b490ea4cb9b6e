// A latency histogram: delays of ticks, durations of commits.
//
// A value; copies are added up. Fixed memory: a count for each tenth of a millisecond up to a second.

package struct Durations: Sendable {
  private static let resolutionMicroseconds: Int64 = 100
  private static let bucketCount = 10_000

  private var counts = [Int](repeating: 0, count: bucketCount + 1)
  /// The number of recorded durations.
  package private(set) var count = 0
  /// The longest duration; microseconds.
  package private(set) var maxMicroseconds: Int64 = 0

  package init() {}

  package mutating func record(microseconds: Int64) {
    let late = max(0, microseconds)
    counts[Int(min(late / Self.resolutionMicroseconds, Int64(Self.bucketCount)))] += 1
    count += 1
    maxMicroseconds = max(maxMicroseconds, late)
  }

  /// The duration that `share` (0 to 1) of them did not exceed; microseconds, rounded up to a tenth of a millisecond.
  package func quantileMicroseconds(_ share: Double) -> Int64 {
    guard count > 0 else { return 0 }
    var remaining = Int((Double(count) * share).rounded(.up))
    for (bucket, ticks) in counts.enumerated() {
      remaining -= ticks
      if remaining <= 0 { return min(Int64(bucket + 1) * Self.resolutionMicroseconds, maxMicroseconds) }
    }
    return maxMicroseconds
  }

  /// The number of durations within each of these bounds, which rise.
  package func counts(upToMilliseconds bounds: [Int]) -> [Int] {
    var total = 0
    var first = 0
    return bounds.map { bound in
      let end = min(bound * 1_000 / Int(Self.resolutionMicroseconds), Self.bucketCount)
      total += counts[first..<max(first, end)].reduce(0, +)
      first = max(first, end)
      return total
    }
  }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    for (bucket, ticks) in right.counts.enumerated() { sum.counts[bucket] += ticks }
    sum.count += right.count
    sum.maxMicroseconds = max(left.maxMicroseconds, right.maxMicroseconds)
    return sum
  }
}
