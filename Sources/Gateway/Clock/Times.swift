// Times between the shard's clock, the rules and the wire: one line of time in three units.
//
// Pure.
import Game
import MadangProtocol
import Net

extension Instant {
  /// The rules' time, rounded down to a millisecond.
  package init(_ time: Timestamp) {
    self.init(milliseconds: time.milliseconds)
  }
}

extension Timestamp {
  package init(_ instant: Instant) {
    self.init(milliseconds: instant.milliseconds)
  }
}

extension Duration {
  /// Milliseconds, rounded down; 0 to 2³² − 1.
  package var wireMilliseconds: UInt32 {
    UInt32(clamping: wholeMilliseconds)
  }
}

extension TokenRate {
  /// A rate of `count` tokens a minute: burst and sustained rate at once.
  package init(perMinute count: Int) {
    self.init(burst: Int64(count), tokenMs: 60_000 / Int64(count))
  }
}
