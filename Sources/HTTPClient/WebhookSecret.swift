// The secret that a sender and a receiver of webhooks share, in the form of Standard Webhooks: `whsec_` and base64.
//
// A value. Its text is shown to the operator once and kept where no log sees it.
import Cryptography

package struct WebhookSecret: Sendable {
  package static let byteCounts = 24...64
  private static let prefix = "whsec_"

  let key: [UInt8]

  /// Reads `whsec_` and the base64 of 24 to 64 bytes, padded; nil for anything else.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.prefix), let key = Base64.decode(String(text.dropFirst(Self.prefix.count))),
      Self.byteCounts.contains(key.count)
    else { return nil }
    self.key = key
  }

  private init(key: [UInt8]) { self.key = key }

  /// A new secret of 32 random bytes.
  package static func make() -> WebhookSecret { WebhookSecret(key: RandomBytes.make(count: 32)) }

  package var text: String { Self.prefix + Base64.encode(key) }
}

extension WebhookSecret: CustomStringConvertible {
  /// Nothing of the secret, so that no log has it by accident.
  package var description: String { Self.prefix + "…" }
}
