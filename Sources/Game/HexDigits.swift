// How identifiers of 128 bits are written: 32 lower-case hexadecimal digits. Pure. There is one spelling, so that what is
// compared as text is equal exactly when the numbers are.

extension UInt128 {
  private static let hexDigitCount = 32

  /// Reads what `hexDigits` writes; nil for anything else, upper-case digits included.
  init?(hexDigits text: some StringProtocol) {
    var value: UInt128 = 0
    var digits = 0
    for byte in text.utf8 {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      digits += 1
      guard digits <= Self.hexDigitCount else { return nil }
      value = value << 4 | UInt128(digit)
    }
    guard digits == Self.hexDigitCount else { return nil }
    self = value
  }

  /// The 32 lower-case hexadecimal digits, leading zeros included.
  var hexDigits: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Self.hexDigitCount - digits.utf8.count) + digits
  }
}
