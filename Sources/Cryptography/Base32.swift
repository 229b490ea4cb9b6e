// Base32 (RFC 4648 §6) without padding, as authenticator apps write secrets. Pure functions.
// Decoding is as strict as encoding: an accepted text encodes to itself again.

/// Bytes as base32 digits.
package enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// The text, in capitals and without padding.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var (bits, bitCount): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      bits = (bits << 8 | UInt32(byte)) & 0xFFF
      bitCount += 8
      while bitCount >= 5 {
        bitCount -= 5
        text.append(alphabet[Int(bits >> bitCount & 31)])
      }
    }
    if bitCount > 0 { text.append(alphabet[Int(bits << (5 - bitCount) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes, or nil when `encode` makes `text` of no bytes.
  package static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, bitCount): (UInt32, UInt32) = (0, 0)
    for digit in text.utf8 {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      bits = (bits << 5 | UInt32(value)) & 0xFFF
      bitCount += 5
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      }
    }
    return encode(bytes) == text ? bytes : nil
  }
}
