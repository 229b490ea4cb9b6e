// A file of pages: some pages of a database, compressed, under a digest. Pure.
//
// Numbers are big-endian.
//
//     magic "madang pages 1\n\0", 16 bytes
//     generation, 32 bytes: its identifier, filled up with zeros
//     number of the file, 8 bytes
//     size of a page, 4 bytes
//     size of the database behind these pages, in pages, 4 bytes; 0 where it is not known
//     number of pages, 4 bytes
//     the pages' numbers, 4 bytes each, and then the pages, compressed by zlib
//     SHA-256 of all of this, 32 bytes
// Decisions: 153 (docs/decisions).
import CZlib
import Cryptography

package struct PageFile: Sendable {
  package let generation: String
  package let number: UInt64
  /// The size of the database behind these pages, in pages; 0 where it is not known.
  package let databasePageCount: UInt32
  package let pages: PageSet

  private static let magic = Array("madang pages 1\n\0".utf8)
  private static let generationByteCount = 32
  private static let headerByteCount = magic.count + generationByteCount + 20
  private static let digestByteCount = 32
  /// The most bytes of pages that are read from a file.
  private static let bytesMax = 256 << 20
  /// The fastest level: pages of journals shrink to a third or a quarter by it.
  private static let level: Int32 = 1

  package init(generation: String, number: UInt64, databasePageCount: UInt32, pages: PageSet) {
    precondition(generation.utf8.count <= Self.generationByteCount, "an identifier is short")
    self.generation = generation
    self.number = number
    self.databasePageCount = databasePageCount
    self.pages = pages
  }

  package var encoded: [UInt8] {
    let numbers = pages.numbers
    var bytes = Self.magic
    let name = Array(generation.utf8)
    bytes += name + [UInt8](repeating: 0, count: Self.generationByteCount - name.count)
    bytes.append(bigEndian: number)
    bytes.append(bigEndian: UInt32(pages.pageBytes))
    bytes.append(bigEndian: databasePageCount)
    bytes.append(bigEndian: UInt32(numbers.count))
    var content: [UInt8] = []
    content.reserveCapacity(numbers.count * (4 + pages.pageBytes))
    for number in numbers { content.append(bigEndian: number) }
    for number in numbers { pages.withPage(number) { content += $0 } }
    bytes += Self.compress(content)
    return bytes + Digest.sha256(bytes)
  }

  /// Reads a file. Nil for bytes that are damaged or no such file.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headerByteCount + Self.digestByteCount, bytes.starts(with: Self.magic) else { return nil }
    let end = bytes.count - Self.digestByteCount
    guard Digest.sha256(Array(bytes[..<end])).elementsEqual(bytes[end...]) else { return nil }
    var rest = bytes[Self.magic.count..<end]
    let name = rest.prefix(Self.generationByteCount).prefix { $0 != 0 }
    rest = rest.dropFirst(Self.generationByteCount)
    let number = rest.takeNumber(8)
    let (pageBytes, databasePageCount, count) = (Int(rest.takeNumber(4)), rest.takeNumber(4), Int(rest.takeNumber(4)))
    guard (512...65_536).contains(pageBytes), pageBytes.nonzeroBitCount == 1, count * (4 + pageBytes) <= Self.bytesMax,
      let content = Self.decompress(rest, to: count * (4 + pageBytes))
    else { return nil }
    var pages = PageSet(pageBytes: pageBytes)
    var numbers = content.prefix(4 * count)
    var isKnown = true
    content.withUnsafeBytes { content in
      for index in 0..<count {
        let page = UInt32(truncatingIfNeeded: numbers.takeNumber(4))
        isKnown = isKnown && page > 0
        let start = 4 * count + index * pageBytes
        pages.put(page, UnsafeRawBufferPointer(rebasing: content[start..<(start + pageBytes)]))
      }
    }
    guard isKnown else { return nil }
    self.init(
      generation: String(decoding: name, as: UTF8.self),
      number: number,
      databasePageCount: UInt32(truncatingIfNeeded: databasePageCount),
      pages: pages
    )
  }

  private static func compress(_ content: [UInt8]) -> [UInt8] {
    var length = compressBound(UInt(content.count))
    return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      let code = compress2(buffer.baseAddress, &length, content, UInt(content.count), level)
      precondition(code == Z_OK, "zlib has memory and room")
      count = Int(length)
    }
  }

  /// The content of exactly `byteCount` bytes; nil for other data.
  private static func decompress(_ compressed: ArraySlice<UInt8>, to byteCount: Int) -> [UInt8]? {
    var isWhole = false
    let content = [UInt8](unsafeUninitializedCapacity: max(1, byteCount)) { buffer, count in
      var length = UInt(byteCount)
      let code = compressed.withUnsafeBufferPointer {
        uncompress(buffer.baseAddress, &length, $0.baseAddress, UInt($0.count))
      }
      isWhole = code == Z_OK && length == byteCount
      count = isWhole ? byteCount : 0
    }
    return isWhole ? content : nil
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}

extension ArraySlice<UInt8> {
  /// Takes a number of `count` bytes off the beginning; they are there.
  fileprivate mutating func takeNumber(_ count: Int) -> UInt64 {
    defer { self = dropFirst(count) }
    return prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
