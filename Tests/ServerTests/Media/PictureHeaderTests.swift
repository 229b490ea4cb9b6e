// The format and dimensions of pictures by their first bytes: of whole ones, of broken ones, and of anything.
import SeededRandom
import Server
import Testing

@Suite struct PictureHeaderTests {
  private static func bytes(_ file: [UInt8]) -> PictureBytes {
    return { offset, count in
      offset < 0 || offset >= file.count ? [] : Array(file[offset..<min(file.count, offset + count)])
    }
  }

  private static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] { big(number, count).reversed() }

  private static func jpeg(_ width: Int, _ height: Int, frame: UInt8 = 0xC0, components: UInt8 = 3) -> [UInt8] {
    let application: [UInt8] = [0xFF, 0xE1] + big(2 + 70, 2) + Array(repeating: 0xFF, count: 70)
    return [0xFF, 0xD8] + application + [0xFF, 0xFF, frame] + big(17, 2) + [8] + big(height, 2) + big(width, 2) + [
      components
    ]
  }

  private static func png(_ width: Int, _ height: Int, colours: UInt8 = 2) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13, 4) + Array("IHDR".utf8) + big(width, 4) + big(height, 4)
      + [8, colours, 0, 0, 0]
  }

  private static func webp(_ chunk: String, _ data: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + little(100, 4) + Array("WEBP\(chunk)".utf8) + little(data.count, 4) + data
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(8 + content.count, 4) + Array(type.utf8) + content
  }

  private static func heic(_ sizes: [(Int, Int)], brand: String = "heic") -> [UInt8] {
    let properties = sizes.flatMap { box("ispe", big(0, 4) + big($0.0, 4) + big($0.1, 4)) }
    let container = box("iprp", box("ipco", box("hvcC", [1, 2, 3]) + properties))
    let meta = box("meta", big(0, 4) + box("hdlr", Array(repeating: 0, count: 20)) + container)
    return box("ftyp", Array("mif1".utf8) + big(0, 4) + Array("mif1\(brand)".utf8)) + meta + box("mdat", [0])
  }

  private static let whole: [(PictureFormat, [UInt8], Int, Int)] = [
    (.jpeg, jpeg(4_032, 3_024), 4_032, 3_024), (.jpeg, jpeg(1, 65_535, frame: 0xC2), 1, 65_535),
    (.png, png(30_000, 7), 30_000, 7),
    (.webp, webp("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A] + little(500, 2) + little(400, 2)), 500, 400),
    (.webp, webp("VP8L", [0x2F] + little(499 | 399 << 14, 4) + [0, 0, 0, 0, 0]), 500, 400),
    (.webp, webp("VP8X", [0, 0, 0, 0] + little(16_383, 3) + little(0, 3)), 16_384, 1),
    (.heic, heic([(512, 512), (4_032, 3_024), (160, 120)]), 4_032, 3_024),
  ]

  @Test("Each format is told by its bytes, with its dimensions")
  func formats() throws {
    for (format, file, width, height) in Self.whole {
      #expect(PictureHeader.format(Self.bytes(file)) == format)
      let header = try #require(PictureHeader(of: format, Self.bytes(file)), "\(format)")
      #expect(header.width == width && header.height == height && header.format == format)
    }
  }

  @Test("Pictures with shades of grey alone are told")
  func greys() {
    #expect(PictureHeader(of: .jpeg, Self.bytes(Self.jpeg(5, 5, components: 1)))?.isGrey == true)
    for (colours, isGrey) in [(0, true), (4, true), (2, false), (3, false), (6, false)] as [(UInt8, Bool)] {
      #expect(PictureHeader(of: .png, Self.bytes(Self.png(5, 5, colours: colours)))?.isGrey == isGrey)
    }
    for (format, file, _, _) in Self.whole { #expect(PictureHeader(of: format, Self.bytes(file))?.isGrey == false) }
  }

  @Test("Other files are of no format")
  func others() {
    for text in [
      "", "GIF89a0123456789", "<svg xmlns=''/>        ", "RIFF0000WAVE    ", "%PDF-1.7        ", "BM00000000000",
    ] {
      #expect(PictureHeader.format(Self.bytes(Array(text.utf8))) == nil, "\(text)")
    }
    #expect(PictureHeader.format(Self.bytes(Self.heic([(1, 1)], brand: "avif"))) == nil)
  }

  @Test("A file without dimensions, or cut off before them, has no header")
  func broken() {
    for (format, file, _, _) in Self.whole {
      let end = format == .jpeg ? file.count - 1 : format == .heic ? 40 : 20
      for count in 0...end { #expect(PictureHeader(of: format, Self.bytes(Array(file[..<count]))) == nil) }
    }
    #expect(PictureHeader(of: .jpeg, Self.bytes(Self.jpeg(0, 5))) == nil)
    #expect(PictureHeader(of: .png, Self.bytes(Self.png(5, 0))) == nil)
    // Scan data before the frame, and segments that never end.
    #expect(PictureHeader(of: .jpeg, Self.bytes([0xFF, 0xD8, 0xFF, 0xDA, 0, 4, 0, 0, 0, 0, 0])) == nil)
    #expect(
      PictureHeader(of: .jpeg, { _, count in Array([0xFF, 0xE0, 0, 2, 0xFF, 0xE0, 0, 2, 0, 0][..<count]) }) == nil
    )
    #expect(PictureHeader(of: .heic, { _, _ in Self.big(8, 4) + Array("free".utf8) }) == nil)
  }

  @Test("No bytes trap, and each file is looked at a bounded number of times")
  func anything() {
    var random = SplitMix64(seed: 7)
    for (format, file, _, _) in Self.whole {
      for _ in 0..<300 {
        var broken = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          broken[Int.random(in: 2..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        var looks = 0
        let counted: PictureBytes = { offset, count in
          looks += 1
          return Self.bytes(broken)(offset, count)
        }
        _ = PictureHeader.format(counted)
        _ = PictureHeader(of: format, counted)
        #expect(looks < 10_000)
      }
    }
  }

  @Test("Types are read in the spellings that phones use")
  func types() {
    #expect(PictureFormat(type: "image/JPEG") == .jpeg && PictureFormat(type: "image/jpg") == .jpeg)
    #expect(PictureFormat(type: "image/heif") == .heic && PictureFormat(type: "image/png") == .png)
    #expect(PictureFormat(type: "image/gif") == nil && PictureFormat(type: "") == nil)
  }
}
