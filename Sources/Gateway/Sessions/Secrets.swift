// What proves a session or a device, and what the server remembers of it.
//
// Values. The store keeps digests only, so what it remembers lets nobody in.
import Cryptography

/// What proves a session: 256 random bits, in 64 hexadecimal digits.
package struct SessionToken: Sendable {
  package let text: String

  /// A new one.
  package init(drawnBy random: RandomSource) {
    text = Hexadecimal.encode(random(32))
  }

  /// What a client says its token is.
  package init(_ text: String) {
    self.text = text
  }

  /// What the store keeps instead, and finds the session by: looking a digest up tells nothing about other tokens.
  package var digest: [UInt8] { Digest.sha256(Array(text.utf8)) }
}

/// Gives as many random bytes as it is asked for: `RandomBytes.make`, but in simulations.
package typealias RandomSource = @Sendable (_ count: Int) -> [UInt8]

extension FixedWidthInteger {
  /// A random number of all that there are.
  package init(drawnBy random: RandomSource) {
    self = random(MemoryLayout<Self>.size).reduce(0) { $0 << 8 | Self($1) }
  }
}
