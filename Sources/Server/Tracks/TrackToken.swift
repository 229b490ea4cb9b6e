// The token of a link to a game. A value; the store has its digest alone, so that the store's content opens no link.
import Cryptography
import Gateway

/// 128 random bits, in 26 digits and letters.
struct TrackToken: Sendable {
  let text: String

  private static let byteCount = 16

  init(drawnBy random: RandomSource) {
    text = Base32.encode(random(Self.byteCount)).lowercased()
  }

  /// Reads a token from a path; nil for every text that is none.
  init?(_ text: Substring) {
    guard text.utf8.count == 26, let bytes = Base32.decode(text.uppercased()), bytes.count == Self.byteCount else {
      return nil
    }
    self.text = text.lowercased()
  }

  var digest: [UInt8] { Digest.sha256(Array(text.utf8)) }
}
