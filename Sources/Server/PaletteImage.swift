// A picture of at most four colours as PNG (W3C PNG, 3rd edition): two bits a point.
//
// A value. zlib compresses and reckons checksums; the rest of the format is three small chunks.
import CZlib

struct PaletteImage {
  let width: Int
  let height: Int
  private let rowBytes: Int
  /// The rows, each behind its filter type, which is always 0.
  private var rows: [UInt8]

  /// All points have colour 0. Width and height are at least 1.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    rowBytes = 1 + (width + 3) / 4
    rows = Array(repeating: 0, count: height * rowBytes)
  }

  /// Gives a rectangle inside the picture a colour, 0 to 3.
  mutating func fill(x: Int, y: Int, width: Int, height: Int, colour: UInt8) {
    precondition(x >= 0 && y >= 0 && x + width <= self.width && y + height <= self.height && colour < 4)
    for row in y..<y + height {
      for column in x..<x + width {
        let (index, shift) = (row * rowBytes + 1 + column / 4, UInt8(6 - 2 * (column % 4)))
        rows[index] = rows[index] & ~(3 << shift) | colour << shift
      }
    }
  }

  /// The file, with these colours, each `0xRRGGBB`.
  func png(colours: [UInt32]) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // Two bits a point, by palette, without interlacing.
    Self.append("IHDR", Self.bytes(UInt32(width)) + Self.bytes(UInt32(height)) + [2, 3, 0, 0, 0], to: &file)
    Self.append("PLTE", colours.flatMap { Self.bytes($0).dropFirst() }, to: &file)
    Self.append("IDAT", Self.compressed(rows), to: &file)
    Self.append("IEND", [], to: &file)
    return file
  }

  private static func append(_ type: String, _ content: [UInt8], to file: inout [UInt8]) {
    let checked = Array(type.utf8) + content
    file += bytes(UInt32(content.count)) + checked
    file += bytes(UInt32(truncatingIfNeeded: crc32(0, checked, UInt32(checked.count))))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }

  private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(count)) { output, outputCount in
      let code = compress2(output.baseAddress, &count, bytes, UInt(bytes.count), Z_BEST_SPEED)
      precondition(code == Z_OK, "the bound of zlib is enough unless memory runs out")
      outputCount = Int(count)
    }
  }
}
