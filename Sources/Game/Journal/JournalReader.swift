// A room's journal as it is read back, record by record. A value; a copy goes on from where the original was. The bytes may
// have been damaged: what they can't mean is a `JournalFault`, and behind one there is nothing to read.

/// Reads a journal: chunks one behind the other.
package struct JournalReader: Sendable {
  /// The version of the rules in the newest `created` or `snapshot` record; 0 before the first.
  package private(set) var rulesVersion: UInt32 = 0
  /// The time of the newest record.
  private var newest = Instant(milliseconds: 0)
  private var journal: ByteReader
  private var record = RecordReader()

  package init(_ bytes: [UInt8]) {
    journal = ByteReader(bytes)
  }

  /// Where the next record begins, or its chunk.
  var position: Int { record.bytes.isAtEnd ? journal.position : record.bytes.position }

  /// The next record; nil at the journal's end.
  package mutating func next() throws(JournalFault) -> JournalRecord? {
    var base = newest
    while record.bytes.isAtEnd {
      guard !journal.isAtEnd else { return nil }
      try record.open(try JournalChunk(from: &journal))
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
    default:
      return .input(try Input(kind, from: &record, at: time), at: time)
    }
  }

  private mutating func readRulesVersion() throws(JournalFault) {
    rulesVersion = try record.bytes.number(in: 1...UInt32.max, "version of the rules")
  }
}
