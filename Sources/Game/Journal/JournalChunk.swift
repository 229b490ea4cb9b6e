// The outermost form of a journal: chunks, each whole in itself, one behind the other, so that a journal goes on by appending.
// A chunk is a format number, its records, its texts and a checksum of all that. Pure functions of bytes; what is in the
// records is not looked at here.

/// A chunk that has been cut out of a journal and held to its checksum.
struct JournalChunk: Sendable {
  var records: ByteReader
  var texts: ByteReader

  private static let format: UInt8 = 1
  private static let checksumBytes = 4

  /// Cuts the next chunk out.
  init(from journal: inout ByteReader) throws(JournalFault) {
    let start = journal.position
    guard try journal.byte() == Self.format else { throw JournalFault(.unknownFormat, at: start) }
    records = try journal.part(journal.count("length of records"))
    texts = try journal.part(journal.count("length of texts"))
    let checksum = Self.checksum(of: journal.bytes, in: start..<journal.position)
    guard try journal.fixed32() == checksum else { throw JournalFault(.damaged, at: start) }
  }

  static func write(records: ArraySlice<UInt8>, texts: ArraySlice<UInt8>, into bytes: inout [UInt8]) {
    let start = bytes.count
    var lengths = ByteWriter(appendingTo: &bytes)
    lengths.byte(format)
    lengths.number(records.count)
    lengths.append(records)
    lengths.number(texts.count)
    lengths.append(texts)
    lengths.fixed(checksum(of: lengths.bytes, in: start..<lengths.bytes.count))
    bytes = lengths.take()
  }

  /// FNV-1a, 32 bits: against bytes gone wrong on their way, not against who means to forge.
  private static func checksum(of bytes: [UInt8], in range: Range<Int>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes[range] {
      hash = (hash ^ UInt32(byte)) &* 0x0100_0193
    }
    return hash
  }
}
