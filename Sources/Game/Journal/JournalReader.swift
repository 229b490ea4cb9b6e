// Reads a room's journal back, record by record. A value; a copy continues from the original's position. The bytes may
// be damaged: invalid ones are a `JournalFault`, and nothing can be read after a fault.

/// Reads a journal of consecutive chunks.
package struct JournalReader: Sendable {
  /// The version of the rules in the newest record of a state; 0 before the first.
  package private(set) var rulesVersion: UInt32 = 0
  /// The number that the next chunk must have; nil where any is allowed.
  package private(set) var nextChunk: UInt64?
  /// Whether a chunk could not be opened: all records before the fault are then complete.
  private(set) var isBrokenOff = false
  /// The time of the newest record.
  private var newest = Instant(milliseconds: 0)
  private var journal: ByteReader
  private var record = RecordReader()

  /// Reads from the chunk with the number `nextChunk`, or from any.
  package init(_ bytes: [UInt8], nextChunk: UInt64? = nil) {
    self.nextChunk = nextChunk
    journal = ByteReader(bytes)
  }

  /// The position of the next record, or of its chunk.
  var position: Int { record.bytes.isAtEnd ? journal.position : record.bytes.position }

  /// The next record; nil at the journal's end.
  package mutating func next() throws(JournalFault) -> JournalRecord? {
    var base = newest
    while record.bytes.isAtEnd {
      guard !journal.isAtEnd else { return nil }
      try openChunk()
      base = Instant(milliseconds: 0)
    }
    let kind = try record.bytes.byte()
    let time = base + .milliseconds(try record.tally("time"))
    guard time >= newest, time.milliseconds <= RecordReader.greatest else {
      throw record.fault(.impossible("time of a record"))
    }
    newest = time
    switch kind {
    case RecordKind.created:
      try readRulesVersion()
      let configuration = try RoomConfiguration(from: &record)
      return .created(configuration, seed: try record.bytes.number(), at: time)
    case RecordKind.snapshot:
      try readRulesVersion()
      return .snapshot(try Room(from: &record, at: time))
    case RecordKind.beginning:
      try readRulesVersion()
      record.isBeginning = true
      defer { record.isBeginning = false }
      return .beginning(try Room(from: &record, at: time))
    default:
      return .input(try Input(kind, from: &record, at: time), at: time)
    }
  }

  private mutating func openChunk() throws(JournalFault) {
    isBrokenOff = true
    let start = journal.position
    let chunk = try JournalChunk(from: &journal)
    guard chunk.number == nextChunk ?? chunk.number else { throw JournalFault(.gap, at: start) }
    try record.open(chunk)
    nextChunk = chunk.number + 1
    isBrokenOff = false
  }

  private mutating func readRulesVersion() throws(JournalFault) {
    rulesVersion = try record.bytes.number(in: 1...UInt32.max, "version of the rules")
    record.rulesVersion = rulesVersion
  }
}
