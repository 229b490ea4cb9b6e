// The clock of a room, and its ticks by that clock. A value, owned by the room; it never reads a clock of the machine.

/// Milliseconds since the newest start of a game, before the first since the room was made.
struct RoomClock: Sendable {
  private let tickIntervalMs: Int64
  /// The zero of the clock.
  var zero: Instant
  /// The number and time of the newest tick of this game, empty or not.
  private(set) var lastTickNumber: UInt32 = 0
  private var lastTickMs: UInt32 = 0

  init(tickInterval: Duration, zero: Instant) {
    tickIntervalMs = tickInterval.wholeMilliseconds
    self.zero = zero
  }

  /// The time on the clock, which stops at the greatest number.
  func ms(at time: Instant) -> UInt32 {
    UInt32(clamping: time.milliseconds - zero.milliseconds)
  }

  /// Starts again from zero.
  mutating func start(at now: Instant) {
    zero = now
    lastTickNumber = 0
    lastTickMs = 0
  }

  /// The next tick boundary: a multiple of the tick interval on the clock, later than `time`.
  func nextTick(after time: Instant) -> Instant {
    let elapsedMs = max(0, time.milliseconds - zero.milliseconds)
    return Instant(milliseconds: zero.milliseconds + (elapsedMs / tickIntervalMs + 1) * tickIntervalMs)
  }

  /// Notes a tick at this time.
  mutating func tick(at now: Instant) {
    lastTickMs = ms(at: now)
    lastTickNumber = lastTickMs / UInt32(tickIntervalMs)
  }

  /// Gives a tick the number and time of the newest one.
  func stamp(_ tick: inout Tick) {
    tick.number = lastTickNumber
    tick.gameMs = lastTickMs
  }
}

// In a journal: the clock's zero is written earlier, in the state of the room.
extension RoomClock {
  func writeTicks(to state: inout RecordWriter) {
    state.bytes.number(lastTickNumber)
    state.bytes.number(lastTickMs)
  }

  mutating func readTicks(from state: inout RecordReader) throws(JournalFault) {
    lastTickNumber = try state.bytes.number(in: 0...UInt32.max, "number of a tick")
    lastTickMs = try state.bytes.number(in: 0...UInt32.max, "time of a tick")
  }
}
