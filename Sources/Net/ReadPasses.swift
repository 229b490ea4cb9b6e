// The passes of an overloaded shard over its ready sockets.
//
// A value of one shard, used on its queue. A pass serves each ready socket once. Timers fire between two passes and
// never within one, so that a tick has the moves of all its room's players.
// Decisions: 103 (docs/decisions).

package struct ReadPasses: Sendable {
  /// The longest pass: timers are not held longer.
  private static let passMaxMicroseconds: Int64 = 200_000

  /// The number of the newest pass; a connection that has it was served by it.
  private(set) var number: UInt32 = 0
  package private(set) var isOn = false
  private var beganAt: Timestamp

  package init(now: Timestamp) {
    beganAt = now
  }

  package mutating func begin(at now: Timestamp) {
    isOn = true
    beganAt = now
    number &+= 1
  }

  /// Every socket that was ready has been served.
  package mutating func end() { isOn = false }

  /// Whether the pass has lasted too long.
  package func isOver(at now: Timestamp) -> Bool {
    now.microseconds(since: beganAt) >= Self.passMaxMicroseconds
  }
}
