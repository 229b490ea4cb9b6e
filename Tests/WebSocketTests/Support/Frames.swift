// Bytes of frames for tests, written by hand and not by the encoder under test, so that broken ones are possible.
import WebSocket

/// The bytes that pairs of hexadecimal digits denote; spaces are skipped.
func bytes(_ hexadecimal: String) -> [UInt8] {
  let digits = hexadecimal.compactMap(\.hexDigitValue).map(UInt8.init)
  precondition(digits.count.isMultiple(of: 2), "a byte has two digits")
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// The payload xored with the mask, a byte at a time: the definition in RFC 6455 §5.3.
func masked(_ payload: [UInt8], with mask: [UInt8]) -> [UInt8] {
  payload.enumerated().map { $1 ^ mask[$0 % 4] }
}

/// A client's frame with the mask of RFC 6455 §5.7.
///
/// - Parameters:
///   - first: FIN, RSV and opcode: 0x81 for a whole text.
///   - payload: not yet masked.
///   - announcedBytes: the length in the header, if not the payload's own.
/// - Returns: header and masked payload.
func clientFrame(_ first: UInt8, _ payload: [UInt8] = [], announcing announcedBytes: Int? = nil) -> [UInt8] {
  let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
  return [first] + length(announcedBytes ?? payload.count, maskBit: 0x80) + mask + masked(payload, with: mask)
}

/// A server's frame.
func serverFrame(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
  [first] + length(payload.count, maskBit: 0) + payload
}

private func length(_ count: Int, maskBit: UInt8) -> [UInt8] {
  switch count {
  case ...125: [maskBit | UInt8(count)]
  case ...65_535: [maskBit | 126] + bigEndian(count, byteCount: 2)
  default: [maskBit | 127] + bigEndian(count, byteCount: 8)
  }
}

private func bigEndian(_ value: Int, byteCount: Int) -> [UInt8] {
  (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
