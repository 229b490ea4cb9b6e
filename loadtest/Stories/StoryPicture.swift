// A picture of noise for uploads: a PNG whose pixels are not compressed, of about a wanted length. Pure.
import SeededRandom

enum StoryPicture {
  private static let width = 256

  /// A PNG of about `byteCount` bytes; another one for each seed.
  static func png(byteCount: Int, seed: UInt64) -> [UInt8] {
    let height = max(1, byteCount / (3 * width + 1))
    var generator = SeededRandom.SplitMix64(seed: seed)
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (3 * width + 1))
    for _ in 0..<height {
      rows.append(0)
      for _ in 0..<3 * width / 8 { withUnsafeBytes(of: generator.next()) { rows += $0 } }
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 2, 0, 0, 0])
      + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + bytes
    return bigEndian(UInt32(bytes.count)) + content + bigEndian(crc(content))
  }

  /// Bytes in zlib's format (RFC 1950) without compression.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var all: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      all.append(rest.isEmpty ? 1 : 0)
      withUnsafeBytes(of: count.littleEndian) { all += $0 }
      withUnsafeBytes(of: (~count).littleEndian) { all += $0 }
      all += block
    } while !rest.isEmpty
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return all + bigEndian(high << 16 | low)
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

  private static let crcs: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { crcs[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }
}
