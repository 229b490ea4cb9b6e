// Base64 (RFC 4648 §4) for keys and signatures: a few bytes, padded, in the one canonical form. Pure functions.
// Decoding is as strict as encoding: an accepted text encodes to itself again.

/// Bytes as base64 digits.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let pad = UInt8(ascii: "=")

  /// The padded text.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for (index, byte) in group.enumerated() { bits |= UInt32(byte) << UInt32(16 - 8 * index) }
      for digit in 0..<4 {
        text.append(digit <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * digit) & 63)] : pad)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes, or nil when `encode` makes `text` of no bytes.
  package static func decode(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 4) else { return nil }
    let padCount = digits.suffix(2).filter { $0 == pad }.count
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    for (index, digit) in digits.dropLast(padCount).enumerated() {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      bits = bits << 6 | UInt32(value)
      // From the second digit of a group on, each completes a byte.
      let spareBits = UInt32(6 - 2 * (index % 4))
      if spareBits < 6 { bytes.append(UInt8(truncatingIfNeeded: bits >> spareBits)) }
    }
    return encode(bytes) == text ? bytes : nil
  }
}
