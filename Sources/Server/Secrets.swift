// What proves a session or a device, and what the server remembers of it.
//
// Values. The server keeps digests only, so what it remembers lets nobody in.
import Cryptography
import Game

/// The digest of a secret, as a key to look it up by. Comparing digests tells nothing about the secrets.
///
/// The first half of SHA-256: 128 bits that nobody can aim at, which lie in a table themselves instead of in an array.
struct SecretDigest: Hashable, Sendable {
  private let value: UInt128

  init(of secret: String) {
    value = Digest.sha256(Array(secret.utf8)).prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
  }
}

/// What proves a session: whose it is, and 128 random bits that nobody else knows; 64 hexadecimal digits.
///
/// It names its player, so that no table of tokens is needed to find the session.
struct SessionToken: Sendable {
  let player: PlayerID
  private let secret: String

  /// `secret` is drawn by `drawSecret`.
  init(of player: PlayerID, secret: String) {
    self.player = player
    self.secret = secret
  }

  /// What a client says its token is; nil when it can't be one.
  init?(_ text: String) {
    let digits = text.utf8
    guard digits.count == 64, let player = PlayerID(String(decoding: digits.prefix(32), as: UTF8.self)) else {
      return nil
    }
    self.player = player
    secret = String(decoding: digits.suffix(32), as: UTF8.self)
  }

  var text: String { player.description + secret }

  var digest: SecretDigest { SecretDigest(of: secret) }

  /// 128 random bits, in 32 hexadecimal digits.
  static func drawSecret(by random: RandomSource) -> String {
    let digits = Array("0123456789abcdef")
    return String(random(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}

/// Gives as many random bytes as it is asked for: `RandomBytes.make`, but in simulations.
package typealias RandomSource = @Sendable (_ count: Int) -> [UInt8]

extension FixedWidthInteger {
  /// A random number of all that there are.
  init(drawnBy random: RandomSource) {
    self = random(MemoryLayout<Self>.size).reduce(0) { $0 << 8 | Self($1) }
  }
}
