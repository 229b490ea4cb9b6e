// When a shard stops to be woken by each message and reads at fixed intervals instead.
//
// A value of one shard. Under load a wake-up for each message costs more than the message: one wake-up in an interval
// reads what many have sent meanwhile, and what is read early would only wait for the next tick. The load is what
// leaves with ticks, for that is what the reads compete with; a shard that only answers never coalesces, for each
// answer would be late by half an interval.
// Decisions: 004 (docs/decisions).

package struct ReadCoalescing {
  /// Counted for so long before the load is judged.
  private static let windowMicroseconds: Int64 = 100_000

  private let intervalMicroseconds: Int64
  private let deliveriesPerSecond: Int
  /// Reads wait for the end of an interval.
  package private(set) var isOn = false
  private var windowBegan: Timestamp
  private var deliveriesBefore = 0

  package init(_ limits: NetLimits, now: Timestamp) {
    intervalMicroseconds = limits.coalescingIntervalMicroseconds
    deliveriesPerSecond = limits.coalescingDeliveriesPerSecond
    windowBegan = now
  }

  /// Looks at the load now and then; `deliveries` is how many frames have left with ticks so far.
  package mutating func judge(deliveries: Int, at now: Timestamp) {
    let elapsed = now.microseconds(since: windowBegan)
    guard elapsed >= Self.windowMicroseconds else { return }
    let rate = Int64(deliveries - deliveriesBefore) * 1_000_000 / elapsed
    windowBegan = now
    deliveriesBefore = deliveries
    // Off at half of what turns it on, so that it does not flutter.
    isOn = rate >= Int64(isOn ? deliveriesPerSecond / 2 : deliveriesPerSecond)
  }

  /// When the shard reads next: at the edges of the timer wheel's slots if an interval is as long as those, so that
  /// ticks and reads share wake-ups.
  package func nextRead(after now: Timestamp) -> Timestamp {
    Timestamp(microseconds: (now.microseconds / intervalMicroseconds + 1) * intervalMicroseconds)
  }
}
