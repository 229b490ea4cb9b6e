// The load of a shard: the share of time that it works instead of waiting, and whether it is over what it can do.
//
// A value of one shard, used on its queue. It is measured by the wall clock: a shard that wants the processor and
// doesn't get it is loaded as well. Driven shards don't wait, so theirs is 0.
// Decisions: 103 (docs/decisions).
import Synchronization

package struct ShardLoad: Sendable {
  private static let windowMicroseconds: Int64 = 100_000
  /// The part of the load so far that a window leaves: half of it is gone after 0.7 seconds.
  private static let keptByWindow = 0.9
  /// A shard that never waits any more is overloaded after three seconds.
  private static let overloadedMin = 0.95
  /// The load below which an overloaded shard has recovered. It is lower, so that it does not flutter.
  private static let recoveredMax = 0.8

  private var windowBegan: Timestamp
  /// The time spent waiting in this window.
  private var waitedMicroseconds: Int64 = 0
  private var waitBegan: Timestamp?
  /// The share of time in which the shard works, 0 to 1, over the last seconds.
  package private(set) var share = 0.0
  /// Whether there is more to do than the shard can do.
  package private(set) var isOverloaded = false

  package init(now: Timestamp) {
    windowBegan = now
  }

  /// A load for tests.
  package init(now: Timestamp, share: Double, isOverloaded: Bool) {
    windowBegan = now
    self.share = share
    self.isOverloaded = isOverloaded
  }

  /// The shard has nothing to do from now on, unless it has been waiting already.
  package mutating func waitBegins(at now: Timestamp) {
    waitBegan = waitBegan ?? now
  }

  /// A turn begins. True when a window has ended with it, and the load is new.
  package mutating func turnBegins(at now: Timestamp) -> Bool {
    if let waitBegan {
      waitedMicroseconds += now.microseconds(since: waitBegan)
      self.waitBegan = nil
    }
    let elapsed = now.microseconds(since: windowBegan)
    guard elapsed >= Self.windowMicroseconds else { return false }
    let worked = 1 - min(1, Double(waitedMicroseconds) / Double(elapsed))
    // A shard that has slept long has windows in which nothing happened. A machine that stood still within a turn has
    // not.
    for _ in 0..<(worked < 0.5 ? min(100, elapsed / Self.windowMicroseconds) : 1) {
      share = share * Self.keptByWindow + worked * (1 - Self.keptByWindow)
    }
    isOverloaded = share >= (isOverloaded ? Self.recoveredMax : Self.overloadedMin)
    windowBegan = now
    waitedMicroseconds = 0
    return true
  }
}

/// The newest load of a shard, for other threads and for its own services.
///
/// Any thread reads it; the shard writes it.
package final class PublishedLoad: Sendable {
  /// The time of the load, in milliseconds, above; a bit for being overloaded, and the share in thousandths.
  private let packed = Atomic<UInt64>(0)
  private static let overloadedBit: UInt64 = 1 << 15
  /// An older load counts as none: the shard sleeps.
  private static let validMilliseconds: Int64 = 2_000

  package struct Reading: Sendable, Equatable {
    /// 0 to 1.
    package let share: Double
    package let isOverloaded: Bool

    package init(share: Double, isOverloaded: Bool) {
      self.share = share
      self.isOverloaded = isOverloaded
    }
  }

  package init() {}

  package func publish(_ load: ShardLoad, at now: Timestamp) {
    let thousandths = UInt64((load.share * 1_000).rounded())
    let flag = load.isOverloaded ? Self.overloadedBit : 0
    packed.store(UInt64(now.milliseconds) << 16 | flag | thousandths, ordering: .relaxed)
  }

  /// Whether the shard was overloaded when it measured last. For the shard's own services: it works and so measures.
  package var isOverloaded: Bool { packed.load(ordering: .relaxed) & Self.overloadedBit != 0 }

  package func reading(at now: Timestamp) -> Reading {
    let value = packed.load(ordering: .relaxed)
    guard now.milliseconds - Int64(value >> 16) < Self.validMilliseconds else {
      return Reading(share: 0, isOverloaded: false)
    }
    return Reading(share: Double(value & 0x7FFF) / 1_000, isOverloaded: value & Self.overloadedBit != 0)
  }
}
