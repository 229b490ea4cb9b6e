// Files of pages: what is written is read again, and nothing else is.
import Copies
import SeededRandom
import Testing

@Suite("Files of pages")
struct PageFileTests {
  private func pages(_ count: Int, pageBytes: Int = 512) -> PageSet {
    var pages = PageSet(pageBytes: pageBytes)
    for index in 0..<count {
      [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: pageBytes).withUnsafeBytes {
        pages.put(UInt32(count - index), $0)
      }
    }
    return pages
  }

  private func first(_ file: PageFile, _ number: UInt32) -> UInt8? { file.pages.withPage(number) { $0.first } }

  @Test("A file is read as it was written", arguments: [1, 2, 300], [512, 4_096, 65_536])
  func written(count: Int, pageBytes: Int) throws {
    let pages = pages(count, pageBytes: pageBytes)
    let bytes = PageFile(generation: "20261126T031500123Z-0a", number: 7, databasePageCount: 900, pages: pages).encoded
    let read = try #require(PageFile(bytes))
    #expect(read.generation == "20261126T031500123Z-0a" && read.number == 7 && read.databasePageCount == 900)
    #expect(read.pages.numbers == (1...count).map(UInt32.init))
    #expect(read.pages.pageBytes == pageBytes && read.pages.byteCount == count * pageBytes)
    #expect(first(read, 1) == UInt8(truncatingIfNeeded: count - 1) && first(read, UInt32(count)) == 0)
  }

  @Test("A newer page takes the place of an older one")
  func replaced() {
    var pages = pages(3)
    [UInt8](repeating: 99, count: 512).withUnsafeBytes { pages.put(2, $0) }
    #expect(pages.numbers == [1, 2, 3] && pages.byteCount == 3 * 512)
    #expect(pages.withPage(2) { $0.first } == 99 && pages.withPage(1) { $0.first } == 2)
  }

  @Test("A file with any changed byte, and one that ends early or late, is none")
  func damaged() {
    let bytes = PageFile(generation: "g", number: 1, databasePageCount: 3, pages: pages(3)).encoded
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(PageFile(damaged) == nil, "byte \(index)")
    }
    for count in 0..<bytes.count { #expect(PageFile(Array(bytes.prefix(count))) == nil) }
    #expect(PageFile(bytes + [0]) == nil)
    #expect(PageFile(bytes) != nil)
  }
}
