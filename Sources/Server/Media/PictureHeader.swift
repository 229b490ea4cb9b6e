// The format and the dimensions of a picture, from the first bytes of its file. Pure.
//
// It reads a few bytes of what strangers send, in bounds, and decodes nothing: what it refuses never comes to the
// library that decodes pictures.

/// The format of an uploaded picture.
package enum PictureFormat: String, CaseIterable, Sendable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case webp = "image/webp"
  case heic = "image/heic"

  /// The format by its media type; nil for one that is not taken. `image/heif` is what some phones say of HEIC.
  package init?(type: String) {
    let type = type.lowercased()
    self.init(rawValue: type == "image/heif" ? "image/heic" : type == "image/jpg" ? "image/jpeg" : type)
  }
}

/// A part of a file's bytes: as many of `count` from `offset` on as there are.
package typealias PictureBytes = (_ offset: Int, _ count: Int) -> [UInt8]

package struct PictureHeader: Equatable, Sendable {
  package let format: PictureFormat
  package let width: Int
  package let height: Int
  /// Whether the picture has shades of grey alone.
  package let isGrey: Bool

  /// The most parts of a file that are looked at before its dimensions.
  private static let partsMax = 1_000

  /// The format by the first bytes; nil for anything else.
  package static func format(_ bytes: @escaping PictureBytes) -> PictureFormat? {
    let start = bytes(0, 12)
    if start.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if start.count == 12, start.starts(with: "RIFF".utf8), start[8...].elementsEqual("WEBP".utf8) { return .webp }
    if start.count == 12, start[4..<8].elementsEqual("ftyp".utf8) { return HEICBoxes(bytes).isHEIC ? .heic : nil }
    return nil
  }

  /// The header of a file; nil where the dimensions can't be found.
  package init?(of format: PictureFormat, _ bytes: @escaping PictureBytes) {
    let dimensions: (width: Int, height: Int, isGrey: Bool)? =
      switch format {
      case .jpeg: Self.jpeg(bytes)
      case .png: Self.png(bytes)
      case .webp: Self.webp(bytes)
      case .heic: HEICBoxes(bytes).dimensions.map { ($0.width, $0.height, false) }
      }
    guard let dimensions, dimensions.width > 0, dimensions.height > 0 else { return nil }
    self.format = format
    (width, height, isGrey) = dimensions
  }

  /// The frame header (ITU T.81, B.2.2), behind segments that are skipped by their lengths.
  private static func jpeg(_ bytes: PictureBytes) -> (Int, Int, Bool)? {
    var offset = 2
    for _ in 0..<partsMax {
      let part = bytes(offset, 10)
      guard part.count >= 4, part[0] == 0xFF else { return nil }
      switch part[1] {
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD7: offset += 2
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard part.count == 10 else { return nil }
        return (part.number(7, 2), part.number(5, 2), part[9] == 1)
      case 0xD8...0xDA: return nil
      default:
        let length = part.number(2, 2)
        guard length >= 2 else { return nil }
        offset += 2 + length
      }
    }
    return nil
  }

  /// The first chunk, `IHDR` (W3C, PNG).
  private static func png(_ bytes: PictureBytes) -> (Int, Int, Bool)? {
    let part = bytes(8, 18)
    guard part.count == 18, part[4..<8].elementsEqual("IHDR".utf8) else { return nil }
    // Types 0 and 4 are grey, without and with transparency.
    return (part.number(8, 4), part.number(12, 4), part[17] & 3 == 0)
  }

  /// The first chunk (RFC 9649, 2.5 to 2.7).
  private static func webp(_ bytes: PictureBytes) -> (Int, Int, Bool)? {
    let part = bytes(12, 18)
    guard part.count == 18 else { return nil }
    let data = Array(part[8...])
    switch String(decoding: part[0..<4], as: UTF8.self) {
    case "VP8 ":
      guard data[3...5].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
      return (data.littleNumber(6, 2) & 0x3FFF, data.littleNumber(8, 2) & 0x3FFF, false)
    case "VP8L":
      guard data[0] == 0x2F else { return nil }
      let bits = data.littleNumber(1, 4)
      return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1, false)
    case "VP8X":
      return (data.littleNumber(4, 3) + 1, data.littleNumber(7, 3) + 1, false)
    default:
      return nil
    }
  }
}

/// The boxes of an HEIC file (ISO/IEC 14496-12, 23008-12).
private struct HEICBoxes {
  private static let brands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx"]
  private static let boxesMax = 4_096

  private let bytes: PictureBytes

  init(_ bytes: @escaping PictureBytes) { self.bytes = bytes }

  /// Whether a brand of the first box is one of HEIC's.
  var isHEIC: Bool {
    guard let box = box(at: 0), box.type == "ftyp" else { return false }
    let content = bytes(box.start, min(box.end - box.start, 256))
    // The second four bytes are a version.
    return stride(from: 0, to: content.count - 3, by: 4).contains { index in
      index != 4 && Self.brands.contains(String(decoding: content[index..<index + 4], as: UTF8.self))
    }
  }

  /// The largest dimensions that any image in the file states: of tiles, of thumbnails and of the whole.
  var dimensions: (width: Int, height: Int)? {
    guard let meta = find("meta", from: 0, to: .max), let properties = find("iprp", from: meta.start + 4, to: meta.end),
      let container = find("ipco", from: properties.start, to: properties.end)
    else { return nil }
    var (width, height) = (0, 0)
    forEach(from: container.start, to: container.end) { box in
      guard box.type == "ispe" else { return true }
      let content = bytes(box.start, 12)
      guard content.count == 12 else { return false }
      width = max(width, content.number(4, 4))
      height = max(height, content.number(8, 4))
      return true
    }
    return width > 0 ? (width, height) : nil
  }

  private struct Box {
    let type: String
    /// The content's first byte, and the first behind it.
    let start: Int
    let end: Int
  }

  private func box(at offset: Int) -> Box? {
    let head = bytes(offset, 8)
    guard head.count == 8 else { return nil }
    let length = head.number(0, 4)
    guard length >= 8 else { return nil }
    return Box(type: String(decoding: head[4..<8], as: UTF8.self), start: offset + 8, end: offset + length)
  }

  private func find(_ type: String, from start: Int, to end: Int) -> Box? {
    var found: Box?
    forEach(from: start, to: end) { box in
      if box.type == type { found = box }
      return found == nil
    }
    return found
  }

  private func forEach(from start: Int, to end: Int, _ body: (Box) -> Bool) {
    var offset = start
    for _ in 0..<Self.boxesMax {
      guard offset < end, let box = box(at: offset), body(box) else { return }
      offset = box.end
    }
  }
}

extension [UInt8] {
  /// A number of `count` bytes, the highest first.
  func number(_ offset: Int, _ count: Int) -> Int {
    self[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// A number of `count` bytes, the lowest first.
  func littleNumber(_ offset: Int, _ count: Int) -> Int {
    self[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
