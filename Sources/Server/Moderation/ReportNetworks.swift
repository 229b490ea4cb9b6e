// The networks that reports come from, as the store keeps them: keyed digests, which tell whether two reports of one
// thing came from one network and nothing else. A value; any thread.
// Decisions: 121 (docs/decisions).
import Cryptography
import Game
import Net

struct ReportNetworks: Sendable {
  private let key: [UInt8]

  /// `key` is the store's own, which other messages are signed with too: none of them begins like these.
  init(key: [UInt8]) {
    self.key = key
  }

  /// The digest of an address's network, 32 bytes. It is another one for each thing, so that nobody's reports of
  /// several things can be put together by it.
  func digest(of address: IPAddress, reporting subject: ReportSubject) -> [UInt8] {
    let text = "network \(address.reportNetwork) reporting \(subject.kind.rawValue) \(subject.id)"
    return MessageAuthentication.hmacSHA256(of: Array(text.utf8), key: key)
  }
}
