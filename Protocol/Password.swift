// The rule for passwords. A value that exists only when the rule holds; it is hashed and forgotten, and must never be
// printed or logged, so it has no text to print.

/// An account's password: 8 to 64 characters (extended grapheme clusters), at most 256 bytes of UTF-8, whatever they are
/// but U+0000, which scrypt takes for nothing at a password's end.
public struct Password: Sendable, CustomStringConvertible {
  /// What is hashed: the UTF-8 exactly as it came. Who composes letters in another way types another password.
  public let bytes: [UInt8]

  /// Checks a password as someone typed it; nil when the rule does not hold.
  public init?(_ text: String) {
    // The bytes first: what comes after then has a bound.
    guard text.utf8.count <= Limits.passwordBytesMax, Limits.passwordCharacters.contains(text.count) else { return nil }
    bytes = Array(text.utf8)
    guard !bytes.contains(0) else { return nil }
  }

  /// Tells nothing.
  public var description: String { "a password" }
}
