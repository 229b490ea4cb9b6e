// The QR pictures of recent requests: drawing one costs more than a request may.
//
// Any thread; guarded by a lock that is held for a dictionary step.
import Locks

final class QRPictures: Sendable {
  private struct Picture: Hashable {
    let url: String
    let isPNG: Bool
  }

  /// By the link: one client's address is in no other's picture.
  private let pictures = OrderedMutex<[Picture: [UInt8]]>(.leaf, [:])
  /// More rooms than are shown to newcomers at one time, and some 10 MB of pictures. Beyond it all are drawn anew.
  private static let picturesMax = 1_024

  /// The QR of a room's link as SVG; nil where the link is too long for one.
  func svg(of link: JoinLink) -> [UInt8]? {
    picture(Picture(url: link.url, isPNG: false)) { link.qr.map { Array($0.svg.utf8) } }
  }

  /// The same as a wide PNG, for messengers.
  func png(of link: JoinLink) -> [UInt8]? {
    picture(Picture(url: link.url, isPNG: true)) { link.qr.map(\.png) }
  }

  private func picture(_ picture: Picture, _ draw: () -> [UInt8]?) -> [UInt8]? {
    if let known = pictures.withLock({ $0[picture] }) { return known }
    guard let drawn = draw() else { return nil }
    pictures.withLock { pictures in
      if pictures.count >= Self.picturesMax { pictures = [:] }
      pictures[picture] = drawn
    }
    return drawn
  }
}
