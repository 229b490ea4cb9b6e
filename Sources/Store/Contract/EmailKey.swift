// Which e-mail addresses are the same. Pure; the same for every back end, which must not ask its database.

/// What e-mail addresses are compared by.
enum EmailKey {
  /// The address with A to Z as small letters: as the wire has it, and as whoever counts attempts does.
  static func of(_ email: String) -> String {
    let small = email.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return String(decoding: small, as: UTF8.self)
  }
}
