// The rule for passwords. A value that exists only when the rule holds. It is hashed and forgotten, and must never be
// printed or logged, so it has no text to print.

/// An account's password: 8 to 64 characters (extended grapheme clusters), at most 256 bytes of UTF-8. Any are allowed
/// but U+0000, which scrypt ignores at a password's end.
public struct Password: Sendable, CustomStringConvertible {
  /// The bytes to hash: the UTF-8 exactly as received. Letters composed in another way are another password.
  public let bytes: [UInt8]

  /// Checks a typed password; nil when the rule does not hold.
  public init?(_ text: String) {
    // The bytes come first: they bound the work of the later checks.
    guard text.utf8.count <= Limits.passwordBytesMax, Limits.passwordCharacters.contains(text.count) else { return nil }
    bytes = Array(text.utf8)
    guard !bytes.contains(0) else { return nil }
  }

  /// A text without the password.
  public var description: String { "a password" }
}
