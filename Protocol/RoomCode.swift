// A room's code, for players to read to each other, type and scan.
//
// A value that is valid from the start. It does not know whether the code has a room, but refuses a typed text that
// can't be a code before any lookup.

/// Ten symbols of Crockford's base32: nine with 45 random bits and a check symbol.
///
/// The check symbol is calculated in GF(32), whose elements are the 32 symbols, with x⁵ + x² + 1: c = 0, then for each
/// of the nine values v: c = (c XOR v) · 2. So the symbol at distance d from the end counts 2^d times and the check
/// symbol once. All of 2⁰ to 2⁹ differ and none is 0, hence every single wrong symbol and every swap of two different
/// neighbours is found.
public struct RoomCode: Hashable, Sendable, CustomStringConvertible {
  /// The random bits, in the lowest 45; the rest is 0.
  public let bits: UInt64

  /// The number of random bits of a code.
  public static let bitCount = 45

  /// Makes a code of the lowest 45 bits of `bits`, whatever the others are.
  public init(drawing bits: UInt64) {
    self.bits = bits & (1 << UInt64(Self.bitCount) - 1)
  }

  /// Reads a typed code: in either case, with hyphens and spaces anywhere; O is read as 0, I and L as 1.
  ///
  /// - Returns: nil when it is not ten symbols, has an invalid symbol (such as U), or its check symbol is wrong.
  public init?(_ text: String) {
    var values: UInt64 = 0
    var count = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"), UInt8(ascii: " "):
        continue
      default:
        guard count < Self.symbolCount, let value = Self.value(of: byte) else { return nil }
        values = values << 5 | value
        count += 1
      }
    }
    self.init(drawing: values >> 5)
    guard count == Self.symbolCount, values & 31 == check else { return nil }
  }

  /// The ten symbols without a hyphen, as in a join URL: `7K3F9QXA25`.
  public var symbols: String { Self.text(of: values) }

  /// The code as shown to players: `7K3F9-QXA25`.
  public var description: String {
    let symbols = symbols
    return "\(symbols.prefix(5))-\(symbols.suffix(5))"
  }

  static let symbolCount = 10
  private static let alphabet = [UInt8]("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// All ten values of 5 bits, the first symbol's highest.
  var values: UInt64 { bits << 5 | check }

  private var check: UInt64 {
    var check: UInt64 = 0
    for shift in stride(from: UInt64(Self.bitCount) - 5, through: 0, by: -5) {
      check = Self.doubled(check ^ (bits >> shift & 31))
    }
    return check
  }

  /// Multiplies by 2, the element x, in GF(32).
  private static func doubled(_ value: UInt64) -> UInt64 {
    value << 1 ^ (value >> 4) * 0b100101
  }

  private static func text(of values: UInt64) -> String {
    String(unsafeUninitializedCapacity: symbolCount) { buffer in
      for index in 0..<symbolCount {
        buffer[index] = alphabet[Int(values >> UInt64(5 * (symbolCount - 1 - index)) & 31)]
      }
      return symbolCount
    }
  }

  /// The 5 bits of a symbol.
  static func value(of byte: UInt8) -> UInt64? {
    let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & ~0x20 : byte
    switch upper {
    case UInt8(ascii: "O"): return 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
    default: return alphabet.firstIndex(of: upper).map(UInt64.init)
    }
  }
}
