// The parts of a picture's file: its segments or chunks. Those that show it are kept, all others are left out, whatever
// the program that wrote the file has put into them.
//
// Pure but for the bytes that it is given; it decodes nothing.
// Decisions: 118 (docs/decisions).
import MadangProtocol
import Store

/// The parts of a file of one of the types that are kept.
package struct PictureParts {
  private struct Part {
    /// A marker of two hexadecimal digits, or the four letters of a chunk.
    let kind: String
    /// With its head and padding.
    let range: Range<Int>
  }

  /// The bytes of a piece that is copied at once.
  private static let pieceBytes = 65_536
  private static let partsMax = 100_000

  private let type: MediaType
  private let bytes: PictureBytes
  private let parts: [Part]

  /// Nil for a file that has not the form of its type.
  ///
  /// - Parameters:
  ///   - type: the file's type.
  ///   - bytes: its bytes.
  ///   - sizeBytes: their number.
  package init?(of type: MediaType, _ bytes: @escaping PictureBytes, sizeBytes: Int) {
    var parts: [Part] = []
    var offset = Self.headBytes(of: type)
    while offset < sizeBytes {
      guard let part = Self.part(of: type, at: offset, bytes, sizeBytes), part.range.upperBound <= sizeBytes,
        parts.count < Self.partsMax
      else { return nil }
      parts.append(part)
      offset = part.range.upperBound
      if Self.isLast(part.kind) { break }
    }
    self.type = type
    self.bytes = bytes
    self.parts = parts
  }

  /// Whether there is nothing to be left out.
  package var areAllKept: Bool { parts.allSatisfy { Self.isKept($0.kind, of: type) } }

  /// Writes the file with the kept parts alone, piece by piece.
  package func writeKept<Failure>(_ write: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    let kept = parts.filter { Self.isKept($0.kind, of: type) }
    let headBytes = Self.headBytes(of: type)
    var head = bytes(0, headBytes)
    if type == .webp {
      // The size of all that follows these eight bytes (RFC 9649, 2.4).
      let rest = UInt32(clamping: headBytes - 8 + kept.reduce(0) { $0 + $1.range.count })
      for index in 0..<4 { head[4 + index] = UInt8(truncatingIfNeeded: rest >> (8 * UInt32(index))) }
    }
    try write(head)
    for part in kept {
      var offset = part.range.lowerBound
      while offset < part.range.upperBound {
        var piece = bytes(offset, min(Self.pieceBytes, part.range.upperBound - offset))
        guard !piece.isEmpty else { return }
        if type == .webp, part.kind == "VP8X", offset == part.range.lowerBound, piece.count > 8 {
          piece[8] &= Self.shownFlags
        }
        try write(piece)
        offset += piece.count
      }
    }
  }

  /// The flags of `VP8X` for what is kept: alpha (RFC 9649, 2.7.1).
  private static let shownFlags: UInt8 = 0x10

  private static func headBytes(of type: MediaType) -> Int {
    switch type {
    case .jpeg: 2
    case .png: 8
    case .webp: 12
    }
  }

  private static func part(of type: MediaType, at offset: Int, _ bytes: PictureBytes, _ sizeBytes: Int) -> Part? {
    switch type {
    case .jpeg:
      let head = bytes(offset, 4)
      guard head.count == 4, head[0] == 0xFF else { return nil }
      let kind = String(head[1], radix: 16, uppercase: true)
      // The scans go on to the end of the picture (ITU T.81, B.2.1).
      if head[1] == 0xDA { return Part(kind: kind, range: offset..<sizeBytes) }
      let length = head.number(2, 2)
      return length < 2 ? nil : Part(kind: kind, range: offset..<offset + 2 + length)
    case .png:
      let head = bytes(offset, 8)
      guard head.count == 8 else { return nil }
      return Part(kind: word(head[4..<8]), range: offset..<offset + 12 + head.number(0, 4))
    case .webp:
      let head = bytes(offset, 8)
      guard head.count == 8 else { return nil }
      let length = head.littleNumber(4, 4)
      return Part(kind: word(head[0..<4]), range: offset..<offset + 8 + length + length % 2)
    }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func isLast(_ kind: String) -> Bool { kind == "DA" || kind == "IEND" }

  /// Whether a part shows the picture. Pictures are in sRGB, so no profile of colours is.
  private static func isKept(_ kind: String, of type: MediaType) -> Bool {
    switch type {
    case .jpeg: jpegKept.contains(kind)
    case .png: pngKept.contains(kind)
    case .webp: webpKept.contains(kind)
    }
  }

  /// Tables, frames, scans, and what JFIF and Adobe say of the colours' form.
  private static let jpegKept: Set = ["E0", "EE", "DB", "C0", "C1", "C2", "C4", "DD", "DA"]
  private static let pngKept: Set = ["IHDR", "PLTE", "tRNS", "sBIT", "sRGB", "gAMA", "cHRM", "pHYs", "IDAT", "IEND"]
  private static let webpKept: Set = ["VP8X", "VP8 ", "VP8L", "ALPH"]
}
