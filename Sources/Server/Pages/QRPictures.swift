// The QR pictures of recent requests: drawing one costs more than a request may.
//
// Any thread; guarded by a lock that is held for a few steps. A picture is drawn outside of it.
import Locks
import Net

final class QRPictures: Sendable {
  /// By the link: one client's address is in no other's picture.
  private let pictures = OrderedMutex(.leaf, KeptPictures())
  private let limitsLoopback: Bool

  init(limitsLoopback: Bool) {
    self.limitsLoopback = limitsLoopback
  }

  /// The QR of a room's link as SVG; nil where the link is too long for one.
  func svg(of link: JoinLink, for address: IPAddress) -> [UInt8]? {
    picture(KeptPictures.Picture(url: link.url, isPNG: false), address) { link.qr.map { Array($0.svg.utf8) } }
  }

  /// The same as a wide PNG, for messengers.
  func png(of link: JoinLink, for address: IPAddress) -> [UInt8]? {
    picture(KeptPictures.Picture(url: link.url, isPNG: true), address) { link.qr.map(\.png) }
  }

  private func picture(_ picture: KeptPictures.Picture, _ address: IPAddress, _ draw: () -> [UInt8]?) -> [UInt8]? {
    if let known = pictures.withLock({ $0[picture] }) { return known }
    guard let drawn = draw() else { return nil }
    let network = SharingNetwork(address, limitsLoopback: limitsLoopback)
    pictures.withLock { $0.keep(drawn, as: picture, for: network) }
    return drawn
  }
}
