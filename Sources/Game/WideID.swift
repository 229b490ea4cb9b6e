// Identifiers of 128 bits that any node can draw by itself: their comparison and spelling. Pure. Each has one spelling,
// so that texts are equal exactly when the numbers are.

/// An identifier of 128 bits, written as 32 lower-case hexadecimal digits.
package protocol WideID: Hashable, Comparable, Sendable, CustomStringConvertible {
  var value: UInt128 { get }

  init(_ value: UInt128)
}

extension WideID {
  /// Reads the output of `description`; nil for anything else, upper-case digits included.
  package init?(_ description: some StringProtocol) {
    guard let value = UInt128(hexDigits: description) else { return nil }
    self.init(value)
  }

  package var description: String { value.hexDigits }

  package static func < (left: Self, right: Self) -> Bool {
    left.value < right.value
  }
}

extension UInt128 {
  private static let hexDigitCount = 32

  /// Reads the output of `hexDigits`; nil for anything else, upper-case digits included.
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
    String(unsafeUninitializedCapacity: Self.hexDigitCount) { bytes in
      var rest = self
      for index in (0..<Self.hexDigitCount).reversed() {
        let digit = UInt8(truncatingIfNeeded: rest & 15)
        bytes[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        rest >>= 4
      }
      return Self.hexDigitCount
    }
  }
}
