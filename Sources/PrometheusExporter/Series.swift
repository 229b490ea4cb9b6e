// The series themselves: counters, gauges and histograms on atomics.
//
// Any thread may update one at any time; nobody waits. A scrape may read values from slightly different moments.
import CoreMetrics
import Synchronization

protocol Series: AnyObject, Sendable {
  func append(to text: inout ExpositionText, _ name: String, _ labels: Labels)
}

/// A floating-point number that many threads add to.
final class AtomicDouble: Sendable {
  private let bits = Atomic<UInt64>(0)

  var value: Double {
    get { Double(bitPattern: bits.load(ordering: .relaxed)) }
    set { bits.store(newValue.bitPattern, ordering: .relaxed) }
  }

  func add(_ amount: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let new = (Double(bitPattern: old) + amount).bitPattern
      let (isDone, found) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
      if isDone { return }
      old = found
    }
  }
}

final class CounterSeries: Series, CounterHandler {
  private let count = Atomic<Int64>(0)

  /// Counts only positive amounts: a counter never goes down.
  func increment(by amount: Int64) {
    if amount > 0 { count.wrappingAdd(amount, ordering: .relaxed) }
  }

  func reset() { count.store(0, ordering: .relaxed) }

  func append(to text: inout ExpositionText, _ name: String, _ labels: Labels) {
    text.append(name, labels.text, count.load(ordering: .relaxed))
  }
}

final class FloatingPointCounterSeries: Series, FloatingPointCounterHandler {
  private let sum = AtomicDouble()

  func increment(by amount: Double) {
    if amount > 0, amount.isFinite { sum.add(amount) }
  }

  func reset() { sum.value = 0 }

  func append(to text: inout ExpositionText, _ name: String, _ labels: Labels) {
    text.append(name, labels.text, sum.value)
  }
}

final class GaugeSeries: Series, MeterHandler, RecorderHandler {
  private let current = AtomicDouble()

  func set(_ value: Int64) { current.value = Double(value) }
  func set(_ value: Double) { current.value = value }
  func record(_ value: Int64) { set(value) }
  func record(_ value: Double) { set(value) }
  func increment(by amount: Double) { current.add(amount) }
  func decrement(by amount: Double) { current.add(-amount) }

  func append(to text: inout ExpositionText, _ name: String, _ labels: Labels) {
    text.append(name, labels.text, current.value)
  }
}

final class HistogramSeries: Series, RecorderHandler, TimerHandler {
  private final class Bucket: Sendable {
    let count = Atomic<Int64>(0)
  }

  private let bounds: [Double]
  /// The counts by bound; the last one counts the values over all bounds.
  private let buckets: [Bucket]
  private let sum = AtomicDouble()

  init(bounds: [Double]) {
    precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds are in ascending order")
    self.bounds = bounds
    buckets = (0...bounds.count).map { _ in Bucket() }
  }

  func record(_ value: Int64) { record(Double(value)) }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

  /// Records any value but NaN.
  func record(_ value: Double) {
    guard !value.isNaN else { return }
    var index = 0
    while index < bounds.count, value > bounds[index] { index += 1 }
    buckets[index].count.wrappingAdd(1, ordering: .relaxed)
    sum.add(value)
  }

  func append(to text: inout ExpositionText, _ name: String, _ labels: Labels) {
    let prefix = labels.text.isEmpty ? "" : labels.text + ","
    var count: Int64 = 0
    for (index, bucket) in buckets.enumerated() {
      count += bucket.count.load(ordering: .relaxed)
      let bound = index < bounds.count ? bounds[index] : .infinity
      text.append("\(name)_bucket", "\(prefix)le=\"\(ExpositionText.number(bound))\"", count)
    }
    text.append("\(name)_sum", labels.text, sum.value)
    text.append("\(name)_count", labels.text, count)
  }
}
