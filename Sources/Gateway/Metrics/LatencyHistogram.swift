// A latency histogram: the lateness of ticks, the durations of commits.
//
// A value of fixed size; copies are added up. A duration is known to three significant digits. Durations above a minute
// count as a minute, but for the longest one.
// Decisions: 096 (docs/decisions).
import Histogram

package struct LatencyHistogram: Sendable {
  private static let trackedMaxMicroseconds: Int64 = 60_000_000

  private var histogram = Histogram<UInt64>(
    highestTrackableValue: UInt64(trackedMaxMicroseconds),
    numberOfSignificantValueDigits: .three
  )
  /// The longest duration; microseconds.
  package private(set) var maxMicroseconds: Int64 = 0

  package init() {}

  /// The number of recorded durations.
  package var count: Int { Int(histogram.totalCount) }

  /// Records a duration; a negative one counts as 0.
  package mutating func record(microseconds: Int64) {
    let duration = max(0, microseconds)
    histogram.record(UInt64(min(duration, Self.trackedMaxMicroseconds)))
    maxMicroseconds = max(maxMicroseconds, duration)
  }

  /// The duration that `share` (0 to 1) of them did not exceed; microseconds. 0 while none is recorded.
  package func quantileMicroseconds(_ share: Double) -> Int64 {
    guard count > 0 else { return 0 }
    return min(Int64(histogram.valueAtPercentile(share * 100)), maxMicroseconds)
  }

  /// The number of durations within each of these bounds.
  package func counts(upToMilliseconds bounds: [Int]) -> [Int] {
    bounds.map { Int(histogram.count(within: 0...UInt64($0) * 1_000)) }
  }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.histogram.add(right.histogram)
    sum.maxMicroseconds = max(left.maxMicroseconds, right.maxMicroseconds)
    return sum
  }
}
