// The messages of the two works; NIOPeer/ speaks the same.
//
// Values. An echoed message begins with its time, 8 bytes. A position is 24 bytes; the last 16 of them are the row that
// the server keeps. A tick is 8 bytes, its number and the low half of its time, then the changed rows. Times are
// microseconds of the monotonic clock at which a message was due, not sent, so that a late sender shows. All numbers
// are little-endian.
// late shows; all numbers are little-endian.
import Net

/// A member's newest row.
struct Row {
  var first: UInt64 = 0
  var second: UInt64 = 0
}

struct PositionMessage {
  var client: UInt32
  var sequence: UInt32
  var row: Row

  static let byteCount = MemoryLayout<Self>.size
  static let rowOffset = 8
}

struct TickHeader {
  var number: UInt32
  var dueMicroseconds: UInt32

  init(due: Timestamp) {
    number = UInt32(truncatingIfNeeded: due.microseconds / Self.periodMicroseconds)
    dueMicroseconds = UInt32(truncatingIfNeeded: due.microseconds)
  }

  static let byteCount = MemoryLayout<Self>.size
  /// Ten ticks a second.
  static let periodMicroseconds: Int64 = 100_000

  /// The first tick of a room after `now`. Rooms' ticks are spread over the period, in the same way on both servers.
  static func next(ofRoom number: Int, after now: Timestamp) -> Timestamp {
    let phase = Int64(number) * 61_803 % periodMicroseconds
    let period = (now.microseconds - phase) / periodMicroseconds + 1
    return Timestamp(microseconds: period * periodMicroseconds + phase)
  }
}
