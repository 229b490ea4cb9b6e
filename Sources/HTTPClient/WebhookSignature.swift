// Signatures of webhooks by the rules of Standard Webhooks (standardwebhooks.com). Pure functions.
import Cryptography

package enum WebhookSignature {
  /// Signs a message.
  ///
  /// - Parameters:
  ///   - id: the message's, the same in each attempt, so that the receiver recognizes a repeat; printable ASCII without
  ///     blanks and dots, not empty.
  ///   - timestampS: the time of this attempt in seconds since 1970. Receivers refuse old ones.
  ///   - body: the bytes that are sent.
  ///   - secrets: one secret, or several while an old one is replaced; each gives a signature.
  /// - Returns: the three header fields `webhook-id`, `webhook-timestamp` and `webhook-signature`.
  package static func headers(id: String, timestampS: Int64, body: [UInt8], secrets: [WebhookSecret]) -> [HTTPHeader] {
    precondition(!secrets.isEmpty, "a webhook is signed")
    // The dot separates what is signed.
    precondition(
      !id.isEmpty && id.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ".") },
      "a webhook's id is printable and has no dot"
    )
    let signed = Array("\(id).\(timestampS).".utf8) + body
    let signatures = secrets.map {
      "v1," + Base64.encode(MessageAuthentication.hmacSHA256(of: signed, key: $0.key))
    }
    return [
      HTTPHeader("webhook-id", id),
      HTTPHeader("webhook-timestamp", String(timestampS)),
      HTTPHeader("webhook-signature", signatures.joined(separator: " ")),
    ]
  }
}
