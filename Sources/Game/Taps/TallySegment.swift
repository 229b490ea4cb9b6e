// The tally's records as the store keeps them: those of one commit together, with a checksum. Values. The tally's owner
// takes a segment with each commit, and gives segments back, oldest first, to a recovering tally.

/// Consecutive records as bytes: a format number, the first record's number, the records, a checksum.
package struct TallySegment: Hashable, Sendable {
  /// The numbers of its records.
  package let sequences: ClosedRange<UInt64>
  package let bytes: [UInt8]

  fileprivate static let format: UInt8 = 2
  private static let checksumBytes = 4

  /// The records of a segment's bytes, and the first one's number. The bytes may be any; invalid ones are a fault.
  package static func records(of bytes: [UInt8]) throws(JournalFault) -> (first: UInt64, records: [TallyRecord]) {
    var whole = ByteReader(bytes)
    guard try whole.byte() == format else { throw JournalFault(.unknownFormat, at: 0) }
    guard bytes.count > checksumBytes else { throw JournalFault(.truncated, at: bytes.count) }
    var rest = try whole.part(bytes.count - 1 - checksumBytes)
    guard try whole.fixed32() == FNV1a.hash32(bytes.dropLast(checksumBytes)) else {
      throw JournalFault(.damaged, at: 0)
    }
    let first = try rest.number(in: 1...UInt64(TallyRecord.greatestOfRow), "number of a record")
    var records: [TallyRecord] = []
    while !rest.isAtEnd {
      records.append(try TallyRecord(from: &rest))
    }
    try rest.require(!records.isEmpty, "number of records")
    return (first, records)
  }
}

/// Gathers records until they are taken as one segment.
struct TallySegmentWriter: Sendable {
  private var bytes = ByteWriter()
  private var sequences: ClosedRange<UInt64>?
  /// The length of the last segment, likely that of the next.
  private var bytesExpected = 0

  var isEmpty: Bool { sequences == nil }

  mutating func append(_ record: TallyRecord, sequence: UInt64) {
    if let first = sequences?.lowerBound {
      sequences = first...sequence
    } else {
      bytes = ByteWriter(bytesExpected: bytesExpected)
      bytes.byte(TallySegment.format)
      bytes.number(sequence)
      sequences = sequence...sequence
    }
    record.write(to: &bytes)
  }

  /// Takes the gathered records, if any, and empties the writer.
  mutating func take() -> TallySegment? {
    guard let sequences else { return nil }
    bytes.fixed(FNV1a.hash32(bytes.bytes))
    self.sequences = nil
    bytesExpected = bytes.bytes.count
    return TallySegment(sequences: sequences, bytes: bytes.take())
  }
}
