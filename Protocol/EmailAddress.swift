// The rule for e-mail addresses. A value that exists only when the rule holds.
//
// Nothing is sent to the address, so the rule only excludes slips of the finger. Accounts with the address are not
// known here.

/// An account's e-mail address: 3 to 254 bytes of UTF-8 with exactly one `@`, which is neither first nor last, and
/// without white space and control characters.
public struct EmailAddress: Hashable, Sendable {
  /// The address with A to Z as small letters, so that one address has one spelling.
  public let text: String

  /// Checks a typed address; nil when the rule does not hold.
  public init?(_ text: String) {
    guard Limits.emailBytes.contains(text.utf8.count) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    let isWritten = text.unicodeScalars.allSatisfy {
      !$0.properties.isWhitespace && $0.properties.generalCategory != .control
    }
    guard isWritten else { return nil }
    let small = text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    self.text = String(decoding: small, as: UTF8.self)
  }
}
