// The newest fix of a player that an overloaded shard has fed a room with, by which it leaves others out.
//
// A value of an attendee, used on its shard's queue.
// Decisions: 154 (docs/decisions).
import Game

package struct FixSpacing: Sendable {
  /// Of two fixes that have come together, and whose times are nearer than this, an overloaded shard takes one.
  package static let millisecondsMin: UInt64 = 400

  /// When it came.
  private var cameAt = Instant(milliseconds: .min)
  /// The time that it names, or else when it came.
  private var time = Instant(milliseconds: .min)

  package init() {}

  /// Notes a fix which is for the room of an overloaded shard, and returns true; or false for one that is left out. Of
  /// phones that send a fix a second none is.
  package mutating func takes(_ fix: Fix, at now: Instant) -> Bool {
    let fixTime = fix.time ?? now
    // A phone can name any time, so the difference may wrap around.
    if cameAt == now, (fixTime.milliseconds &- time.milliseconds).magnitude < Self.millisecondsMin { return false }
    (cameAt, time) = (now, fixTime)
    return true
  }
}
