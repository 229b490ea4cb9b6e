// The outermost form of a journal: consecutive chunks, each complete in itself, so that a journal grows by appending. A
// chunk is a format number, its own number, its records, its texts and a checksum of all that. Pure functions of bytes;
// the records are not decoded here.

/// A chunk that was cut out of a journal and passed its checksum.
struct JournalChunk: Sendable {
  /// The chunk's number; a journal's chunks are numbered one by one, which reveals a missing one.
  let number: UInt64
  var records: ByteReader
  var texts: ByteReader

  private static let format: UInt8 = 1
  private static let checksumBytes = 4

  /// Cuts out the next chunk.
  init(from journal: inout ByteReader) throws(JournalFault) {
    let start = journal.position
    guard try journal.byte() == Self.format else { throw JournalFault(.unknownFormat, at: start) }
    number = try journal.number(in: 0...(UInt64.max - 1), "number of a chunk")
    records = try journal.part(journal.count("length of records"))
    texts = try journal.part(journal.count("length of texts"))
    let checksum = FNV1a.hash32(journal.bytes[start..<journal.position])
    guard try journal.fixed32() == checksum else { throw JournalFault(.damaged, at: start) }
  }

  static func write(_ number: UInt64, records: ArraySlice<UInt8>, texts: ArraySlice<UInt8>, into bytes: inout [UInt8]) {
    let start = bytes.count
    var chunk = ByteWriter(appendingTo: &bytes)
    chunk.byte(format)
    chunk.number(number)
    chunk.number(records.count)
    chunk.append(records)
    chunk.number(texts.count)
    chunk.append(texts)
    chunk.fixed(FNV1a.hash32(chunk.bytes[start...]))
    bytes = chunk.take()
  }
}
