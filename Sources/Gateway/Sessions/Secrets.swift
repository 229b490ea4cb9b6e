// The proofs of sessions and devices, and their stored digests.
//
// Values. The store keeps digests only, so its content lets nobody in.
import Cryptography

/// The proof of a session: 256 random bits, in 64 hexadecimal digits.
package struct SessionToken: Sendable {
  package let text: String

  /// A new token.
  package init(drawnBy random: RandomSource) {
    text = Hexadecimal.encode(random(32))
  }

  /// A token from a client's message.
  package init(_ text: String) {
    self.text = text
  }

  /// The digest that the store keeps and finds the session by: a lookup of a digest reveals nothing about other tokens.
  package var digest: [UInt8] { Digest.sha256(Array(text.utf8)) }
}

/// A source of random bytes: `RandomBytes.make`, except in simulations.
package typealias RandomSource = @Sendable (_ count: Int) -> [UInt8]

extension FixedWidthInteger {
  /// A random number of the full range.
  package init(drawnBy random: RandomSource) {
    self = random(MemoryLayout<Self>.size).reduce(0) { $0 << 8 | Self($1) }
  }
}
