// The stored form of a password: scrypt's key with its salt and cost in one text. Pure functions, except that the salt
// is drawn.
//
// Each call takes 32 MiB and some tenths of a second: never on a shard's queue, and no more calls at once than memory
// allows. A password is hashed as the bytes that came: two spellings of one letter (composed and not) are two
// passwords. Zeros at its end make no difference, because HMAC pads its key with them.
// Decisions: 025 (docs/decisions).

/// Hashes of passwords, as texts: `scrypt$15$8$3$SALT$KEY`, with log2 of N, r and p, then 16 and 32 bytes in
/// hexadecimal digits.
package enum PasswordHash {
  /// A new hash of the password; each has a salt of its own.
  package static func make(of password: [UInt8]) -> String {
    let salt = RandomBytes.make(count: saltBytes)
    let key = Scrypt.current.derive(from: password, salt: salt, byteCount: keyBytes)
    return Content(cost: .current, salt: salt, key: key).text
  }

  /// Whether it is the hash of this password. A text that is no hash matches none, after as much work.
  package static func verify(_ password: [UInt8], _ hash: String) -> Bool {
    let content = Content(hash)
    let compared = content ?? ofNoPassword
    let key = compared.cost.derive(from: password, salt: compared.salt, byteCount: keyBytes)
    return ConstantTime.areEqual(key, compared.key) && content != nil
  }

  /// The hash of a password that nobody knows. A login for an unknown account is verified against it, so that the time
  /// does not reveal whether an account exists.
  package static let decoy = ofNoPassword.text

  fileprivate static let saltBytes = 16
  fileprivate static let keyBytes = 32

  /// Keys are 256 bits that nobody can aim at, so a chosen one is as good as that of a forgotten password.
  private static let ofNoPassword = Content(
    cost: .current,
    salt: [UInt8](repeating: 0, count: saltBytes),
    key: [UInt8](repeating: 0, count: keyBytes)
  )

  /// The content of a hash.
  fileprivate struct Content {
    let cost: Scrypt
    let salt: [UInt8]
    let key: [UInt8]

    var text: String {
      "scrypt$\(cost.costLog2)$\(cost.blockSize)$\(cost.parallelism)$\(Hexadecimal.encode(salt))$\(Hexadecimal.encode(key))"
    }
  }
}

extension PasswordHash.Content {
  /// Nil when the text is not what `text` makes of some content within the bounds.
  fileprivate init?(_ hash: String) {
    let fields = hash.split(separator: "$", omittingEmptySubsequences: false)
    guard
      fields.count == 6,
      let costLog2 = Int(fields[1]), let blockSize = Int(fields[2]), let parallelism = Int(fields[3]),
      let cost = Scrypt(costLog2: costLog2, blockSize: blockSize, parallelism: parallelism),
      let salt = Hexadecimal.decode(fields[4]), salt.count == PasswordHash.saltBytes,
      let key = Hexadecimal.decode(fields[5]), key.count == PasswordHash.keyBytes
    else { return nil }
    self.init(cost: cost, salt: salt, key: key)
    // Not `+15`, not `015`, not another method's name.
    guard text == hash else { return nil }
  }
}
