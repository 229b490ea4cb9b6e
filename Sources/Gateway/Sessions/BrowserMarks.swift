// The marks by which bans and bars know a browser again: a random number in a signed cookie, set with pages and read
// from upgrades. Nothing else looks at it. The server's code and its database know the digest of the number alone.
//
// Immutable; any thread may hold it.
// Decisions: 140 (docs/decisions).
import Cryptography
import Net
import WebSocket

package struct BrowserMarks: Sendable {
  private let key: [UInt8]
  private let random: RandomSource
  private let isByTLS: Bool
  /// Browsers have one jar for all ports of a host: two servers of a machine need two names.
  private let cookieName: String

  private static let numberByteCount = 16
  /// A browser sends one of a name. Others may have been set by pages of neighbouring hosts.
  private static let cookiesMax = 4
  /// 400 days, the longest that browsers keep a cookie.
  private static let cookieSeconds = 400 * 86_400

  /// `key` is the store's own, which other messages are signed with too: none of them begins like these. `isByTLS`
  /// tells whether browsers come by https, perhaps through a proxy; `port` is the listener's.
  package init(key: [UInt8], random: @escaping RandomSource, isByTLS: Bool, port: UInt16) {
    self.key = key
    self.random = random
    self.isByTLS = isByTLS
    cookieName = "madang_browser_\(port)"
  }

  /// The digest of a request's browser, 32 bytes; nil without a cookie of this server's making.
  package func browser(of head: RequestHead) -> [UInt8]? {
    for value in head.cookies(named: cookieName).prefix(Self.cookiesMax) {
      let parts = value.split(separator: ".", omittingEmptySubsequences: false).map { Hexadecimal.decode($0) }
      guard parts.count == 2, let number = parts[0], let code = parts[1], number.count == Self.numberByteCount else {
        continue
      }
      if ConstantTime.areEqual(code, signature(of: number)) { return Digest.sha256(number) }
    }
    return nil
  }

  /// The field that marks a browser, for the answer with a page; nil for a request that brings a good mark.
  package func newMark(for head: RequestHead) -> HeaderField? {
    guard browser(of: head) == nil else { return nil }
    let number = random(Self.numberByteCount)
    let value = "\(Hexadecimal.encode(number)).\(Hexadecimal.encode(signature(of: number)))"
    let secure = isByTLS ? "; Secure" : ""
    return HeaderField(
      "Set-Cookie",
      "\(cookieName)=\(value); Max-Age=\(Self.cookieSeconds); HttpOnly; SameSite=Lax; Path=/\(secure)"
    )
  }

  /// The keyed digest of an address's network, 32 bytes, by which new guests are banned: the network that limits count.
  package func network(of address: IPAddress) -> [UInt8] {
    MessageAuthentication.hmacSHA256(of: Array("network \(address.subscriberNetwork) of guests".utf8), key: key)
  }

  private func signature(of number: [UInt8]) -> [UInt8] {
    MessageAuthentication.hmacSHA256(of: Array("browser ".utf8) + number, key: key)
  }
}

extension RequestHead {
  /// The values of the cookies with a name, in their order.
  package func cookies(named name: String) -> [String] {
    let pairs = values(of: "Cookie").flatMap { (header: String) in header.split(separator: ";") }
    return pairs.compactMap { (pair: Substring) -> String? in
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0] == name else { return nil }
      return String(parts[1])
    }
  }
}
