// Frames as bytes, written here by hand and not by the encoder under test, so that broken ones are possible.
import WebSocket

enum RawFrame {
  private static let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

  /// A client's frame. `first` is FIN, reserved bits and opcode: 0x81 for a whole text.
  static func client(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    header(first, announcing: payload.count) + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  /// The first bytes of a client's frame, its mask included.
  static func header(_ first: UInt8, announcing count: Int) -> [UInt8] {
    let length: [UInt8] =
      switch count {
      case ...125: [0x80 | UInt8(count)]
      case ...65_535: [0x80 | 126] + bigEndian(count, byteCount: 2)
      default: [0x80 | 127] + bigEndian(count, byteCount: 8)
      }
    return [first] + length + mask
  }

  /// A message in fragments of this many bytes; the first one's opcode is 1 for text, 2 for binary.
  static func fragments(_ opcode: UInt8, _ message: [UInt8], bytes count: Int) -> [UInt8] {
    stride(from: 0, to: message.count, by: count).flatMap { start in
      let end = min(start + count, message.count)
      return client((end == message.count ? 0x80 : 0) | (start == 0 ? opcode : 0), Array(message[start..<end]))
    }
  }

  /// The payload of a compressed message, by the project's own compressor: it must be shorter than `message`.
  static func deflated(_ message: [UInt8]) -> [UInt8] {
    var compressed: [UInt8] = []
    let isShorter = message.withUnsafeBytes { Deflater(windowBits: 15).compress($0, appendingTo: &compressed) }
    precondition(isShorter, "a test's payload becomes shorter by compression")
    return compressed
  }

  private static func bigEndian(_ value: Int, byteCount: Int) -> [UInt8] {
    (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
