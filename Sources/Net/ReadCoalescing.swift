// The decision of a shard to read at fixed intervals instead of waking up for each message.
//
// A value of one shard. Under load a wake-up for each message costs more than the message. One wake-up in an interval
// reads the messages of many senders, and a message read earlier would only wait for the next tick. The load is
// measured in frames that leave with ticks, since the reads compete with those. A shard that only answers never
// coalesces: each answer would be late by half an interval.
// Decisions: 004 (docs/decisions).

package struct ReadCoalescing {
  /// The time over which the load is measured before it is judged.
  private static let windowMicroseconds: Int64 = 100_000

  private let intervalMicroseconds: Int64
  private let deliveriesPerSecond: Int
  /// Whether reads wait for the end of an interval.
  package private(set) var isOn = false
  private var windowBegan: Timestamp
  private var deliveriesBefore = 0

  package init(_ limits: NetLimits, now: Timestamp) {
    intervalMicroseconds = limits.coalescingIntervalMicroseconds
    deliveriesPerSecond = limits.coalescingDeliveriesPerSecond
    windowBegan = now
  }

  /// Judges the load once in a window; `deliveries` is the number of frames that have left with ticks so far.
  package mutating func judge(deliveries: Int, at now: Timestamp) {
    let elapsed = now.microseconds(since: windowBegan)
    guard elapsed >= Self.windowMicroseconds else { return }
    let rate = Int64(deliveries - deliveriesBefore) * 1_000_000 / elapsed
    windowBegan = now
    deliveriesBefore = deliveries
    // Off at half of the rate that turns it on, so that it does not flutter.
    isOn = rate >= Int64(isOn ? deliveriesPerSecond / 2 : deliveriesPerSecond)
  }

  /// The time of the shard's next read. Intervals as long as the timer wheel's slots end at the slots' edges, so that
  /// ticks and reads share wake-ups.
  package func nextRead(after now: Timestamp) -> Timestamp {
    Timestamp(microseconds: (now.microseconds / intervalMicroseconds + 1) * intervalMicroseconds)
  }
}
