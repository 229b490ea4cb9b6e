// The URL that brings a phone into a room, and its QR.
//
// A value. Upper case throughout, so that the QR's alphanumeric mode makes it small enough to scan across a yard.
// Schemes and hosts ignore case, and our own path matches either.
import MadangProtocol

package struct JoinLink: Sendable {
  /// For example `HTTPS://PLAY.EXAMPLE.ORG/J/7K3F9QXA25`.
  package let url: String

  init(base: String, code: RoomCode) {
    url = "\(base.uppercased())/J/\(code.symbols)"
  }

  /// Nil when `text` is no room code.
  ///
  /// - Parameters:
  ///   - base: scheme and host (and port), without a slash behind.
  ///   - text: a room code as typed.
  package init?(base: String, code text: String) {
    guard let code = RoomCode(text) else { return nil }
    self.init(base: base, code: code)
  }

  /// Nil when the base is too long for a QR.
  package var qr: QRCode? { QRCode(url) }
}
