// How late a player's fixes came: results tell it, and rankings look at it. A value beside each seat.

/// The lateness of a player's accepted fixes in one game.
struct Punctuality: Hashable, Sendable {
  private var acceptedCount: Int64 = 0
  /// Those that were more than 30 s late.
  private var lateCount: Int64 = 0
  /// The late ones that were taken while a connection answered.
  private var withheldCount: Int64 = 0

  var isAsMade: Bool { acceptedCount == 0 }

  /// The share of late fixes, in per cent; rounded up, so that 0 means none.
  var latePercent: UInt8 { percent(lateCount) }
  /// The share of withheld fixes, in per cent; rounded up.
  var withheldPercent: UInt8 { percent(withheldCount) }

  private func percent(_ count: Int64) -> UInt8 { UInt8(Self.percent(count, of: acceptedCount)) }

  /// A part of a count in per cent, 0 to 100, rounded up; 0 of nothing.
  static func percent(_ part: Int64, of count: Int64) -> Int {
    count == 0 ? 0 : Int((part * 100 + count - 1) / count)
  }

  /// Notes an accepted fix that has reached the server at `now`.
  mutating func note(_ sample: PositionSample, at now: Instant) {
    acceptedCount += 1
    if Self.isLate(sample.time, at: now) { lateCount += 1 }
  }

  /// Notes that the newest fix was withheld.
  mutating func noteWithheld() {
    withheldCount += 1
  }

  /// Whether a fix of this time is late at `now`.
  static func isLate(_ time: Instant, at now: Instant) -> Bool {
    now.milliseconds - time.milliseconds > PositionRules.lateMs
  }
}

// In a journal.
extension Punctuality {
  func write(to state: inout RecordWriter) {
    state.bytes.number(acceptedCount)
    state.bytes.number(lateCount)
    state.bytes.number(withheldCount)
  }

  init(from state: inout RecordReader) throws(JournalFault) {
    acceptedCount = try state.tally("number of fixes")
    lateCount = try state.bytes.number(in: 0...acceptedCount, "number of late fixes")
    withheldCount = try state.bytes.number(in: 0...lateCount, "number of withheld fixes")
  }
}
