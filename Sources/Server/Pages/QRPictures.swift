// The QR pictures of recent requests: drawing one costs more than a request may.
//
// Any thread; guarded by a lock that is held for a dictionary step.
import Locks

final class QRPictures: Sendable {
  /// By the link: one client's address is in no other's picture.
  private let pictures = OrderedMutex<[String: [UInt8]]>(.leaf, [:])
  /// More rooms than are shown to newcomers at one time, and some 10 MB of pictures. Beyond it all are drawn anew.
  private static let picturesMax = 1_024

  /// The picture of a room's link as SVG; nil where the link is too long for one.
  func svg(of link: JoinLink) -> [UInt8]? {
    if let known = pictures.withLock({ $0[link.url] }) { return known }
    guard let drawn = link.qr.map({ Array($0.svg.utf8) }) else { return nil }
    pictures.withLock { pictures in
      if pictures.count >= Self.picturesMax { pictures = [:] }
      pictures[link.url] = drawn
    }
    return drawn
  }
}
