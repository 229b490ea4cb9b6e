// What proves a session or a device, and what the server remembers of it.
//
// Values. The server keeps digests only, so what it remembers lets nobody in.
import Cryptography

/// The digest of a secret, as a key to look it up by. Comparing digests tells nothing about the secrets.
struct SecretDigest: Hashable, Sendable {
  private let bytes: [UInt8]

  init(of secret: String) {
    bytes = Digest.sha256(Array(secret.utf8))
  }
}

/// What proves a session: 256 random bits, in 64 hexadecimal digits.
struct SessionToken: Sendable {
  let text: String

  init() {
    let digits = Array("0123456789abcdef")
    text = String(RandomBytes.make(count: 32).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  /// What a client says its token is.
  init(text: String) {
    self.text = text
  }

  var digest: SecretDigest { SecretDigest(of: text) }
}

extension FixedWidthInteger {
  /// A number that nobody can guess.
  static func unpredictable() -> Self {
    RandomBytes.make(count: MemoryLayout<Self>.size).reduce(0) { $0 << 8 | Self($1) }
  }
}
