// Small numbers in addresses and headers: ports, lengths of prefixes.
//
// A pure function, stricter than the standard library: a text that two readers could read in two ways is no number.

enum DecimalDigits {
  /// The number written by these digits alone: no sign, no blank, no leading zero. Nil for anything else and above
  /// `max`.
  static func value(of digits: some Collection<UInt8>, max: Int) -> Int? {
    // No bound in use has more than five digits, so nothing overflows.
    guard let leading = digits.first, digits.count <= 9, leading != UInt8(ascii: "0") || digits.count == 1 else {
      return nil
    }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value <= max ? value : nil
  }
}
