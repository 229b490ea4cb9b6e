// The outermost form of a journal: chunks, each whole in itself, one behind the other, so that a journal goes on by appending.
// A chunk is a format number, its own number, its records, its texts and a checksum of all that. Pure functions of bytes;
// what is in the records is not looked at here.

/// A chunk that has been cut out of a journal and held to its checksum.
struct JournalChunk: Sendable {
  /// A journal's chunks are numbered one by one, so that a missing one is noticed.
  let number: UInt64
  var records: ByteReader
  var texts: ByteReader

  private static let format: UInt8 = 1
  private static let checksumBytes = 4

  /// Cuts the next chunk out.
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
