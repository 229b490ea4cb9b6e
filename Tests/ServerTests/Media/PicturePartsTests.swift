// The parts of cleaned pictures: those that show it stay as they are, all others are left out.
import Server
import Store
import Testing

@Suite("Parts of pictures")
struct PicturePartsTests {
  private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (8 * $0)) }
    return Array(kind.utf8) + length + data + (data.count % 2 == 1 ? [0] : [])
  }

  private static func webp(_ chunks: [[UInt8]]) -> [UInt8] {
    let rest = Array("WEBP".utf8) + chunks.flatMap { $0 }
    return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: rest.count >> (8 * $0)) } + rest
  }

  private static func pngChunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: data.count >> (8 * $0)) }
    return length + Array(kind.utf8) + data + [1, 2, 3, 4]
  }

  private static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 0xFF)] + data
  }

  private func parts(_ file: [UInt8], _ type: MediaType) -> PictureParts? {
    PictureParts(of: type, { Array(file.dropFirst($0).prefix($1)) }, sizeBytes: file.count)
  }

  private func kept(_ file: [UInt8], _ type: MediaType) throws -> [UInt8] {
    var written: [UInt8] = []
    try #require(parts(file, type)).writeKept { written += $0 }
    return written
  }

  @Test("A WebP keeps its frame and its transparency, and says that it has no more")
  func webp() throws {
    let (alpha, frame) = (Self.chunk("ALPH", [1, 2, 3]), Self.chunk("VP8 ", [UInt8](repeating: 7, count: 100_001)))
    let size: [UInt8] = [0, 0, 0, 9, 0, 0, 9, 0, 0]
    let file = Self.webp([
      Self.chunk("VP8X", [0x3C] + size), Self.chunk("ICCP", [5]), alpha, frame, Self.chunk("EXIF", Array("place".utf8)),
      Self.chunk("XMP ", [1]), Self.chunk("prIv", [2]),
    ])
    #expect(try #require(parts(file, .webp)).areAllKept == false)
    #expect(try kept(file, .webp) == Self.webp([Self.chunk("VP8X", [0x10] + size), alpha, frame]))
    let plain = Self.webp([frame])
    #expect(try #require(parts(plain, .webp)).areAllKept && kept(plain, .webp) == plain)
  }

  @Test("A PNG keeps its pixels and their colours, and nothing behind its end")
  func png() throws {
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let shown = ["IHDR", "PLTE", "tRNS", "IDAT", "IDAT"].map { Self.pngChunk($0, [1, 2, 3]) }
    let end = Self.pngChunk("IEND", [])
    let words = ["eXIf", "tEXt", "iTXt", "zTXt", "tIME", "iCCP", "prIv"].flatMap { Self.pngChunk($0, [9]) }
    let file = start + shown[0] + words + shown[1...].flatMap { $0 } + end
    #expect(try kept(file, .png) == start + shown.flatMap { $0 } + end)
    #expect(try kept(file + [1, 2, 3], .png) == start + shown.flatMap { $0 } + end)
  }

  @Test("A JPEG keeps its tables, its frame and its scans")
  func jpeg() throws {
    let tables = [0xE0, 0xDB, 0xC0, 0xC4].map { Self.segment($0, [1, 2]) }
    let words = [0xE1, 0xE2, 0xED, 0xFE].flatMap { Self.segment($0, Array("place".utf8)) }
    let scan = Self.segment(0xDA, [3]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD9]
    let file = [0xFF, 0xD8] + tables[0] + words + tables[1...].flatMap { $0 } + scan
    #expect(try kept(file, .jpeg) == [0xFF, 0xD8] + tables.flatMap { $0 } + scan)
  }

  @Test("A file that has not the form of its type has no parts")
  func malformed() {
    let webp = Self.webp([Self.chunk("VP8 ", [1, 2])])
    #expect(parts(Array(webp.dropLast()), .webp) == nil)
    #expect(parts(webp + [1], .webp) == nil)
    #expect(parts([0xFF, 0xD8, 0x00, 0x01, 0x02, 0x03], .jpeg) == nil)
    #expect(parts([0xFF, 0xD8, 0xFF, 0xE1, 0x00, 0x01], .jpeg) == nil)
    #expect(parts([UInt8](repeating: 0xFF, count: 64), .png) == nil)
  }
}
