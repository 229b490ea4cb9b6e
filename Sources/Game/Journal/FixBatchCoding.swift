// A batch of kept fixes as a part of a journal's record: each fix as its difference from the one before, some six bytes
// for a walk with a fix a second.

extension FixBatch {
  func write(to record: inout RecordWriter, at time: Instant) {
    record.bytes.byte((hasMore ? 1 : 0) | (aliveSince == nil ? 0 : 2))
    if let aliveSince { record.bytes.signed(aliveSince.milliseconds &- time.milliseconds) }
    record.bytes.number(fixes.count)
    var last = Fix(latE7: 0, lngE7: 0, time: time)
    for fix in fixes {
      // A phone can name any time and place, so the differences may wrap around.
      record.bytes.signed(Int64(fix.latE7 &- last.latE7))
      record.bytes.signed(Int64(fix.lngE7 &- last.lngE7))
      record.bytes.number(fix.accuracyM.map { UInt64($0) + 1 } ?? 0)
      record.bytes.byte((fix.mocked ? 1 : 0) | (fix.time == nil ? 0 : 2))
      if let fixTime = fix.time {
        record.bytes.signed(fixTime.milliseconds &- (last.time ?? time).milliseconds)
      }
      last = fix
    }
  }

  init(from record: inout RecordReader, at time: Instant) throws(JournalFault) {
    let batchFlags = try record.bytes.byte()
    try record.require(batchFlags < 4, "flags of a batch")
    hasMore = batchFlags & 1 != 0
    if batchFlags & 2 != 0 {
      aliveSince = Instant(milliseconds: time.milliseconds &+ (try record.bytes.signed()))
    }
    fixes = []
    var last = Fix(latE7: 0, lngE7: 0, time: time)
    for _ in 0..<(try record.bytes.count(bytesEach: 4, max: Self.countMax, "number of fixes")) {
      let latE7 = last.latE7 &+ Int32(truncatingIfNeeded: try record.bytes.signed())
      let lngE7 = last.lngE7 &+ Int32(truncatingIfNeeded: try record.bytes.signed())
      let accuracy = try record.bytes.number(in: 0...UInt64(UInt32.max) + 1, "accuracy")
      let flags = try record.bytes.byte()
      try record.require(flags < 4, "flags of a fix")
      var fix = Fix(
        latE7: latE7,
        lngE7: lngE7,
        accuracyM: accuracy == 0 ? nil : UInt32(accuracy - 1),
        mocked: flags & 1 != 0
      )
      if flags & 2 != 0 {
        fix.time = Instant(milliseconds: (last.time ?? time).milliseconds &+ (try record.bytes.signed()))
      }
      fixes.append(fix)
      last = fix
    }
  }
}
