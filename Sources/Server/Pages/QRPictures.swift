// The QR pictures of recent requests: drawing one costs more than a request may.
//
// Any thread; guarded by a lock that is held for a dictionary step.
import Locks
import MadangProtocol

final class QRPictures: Sendable {
  private let pictures = OrderedMutex<[RoomCode: [UInt8]]>(.leaf, [:])
  /// More rooms than are shown to newcomers at one time, and some 10 MB of pictures. Beyond it all are drawn anew.
  private static let picturesMax = 1_024

  /// The picture of a room's code as SVG, drawn by `draw` when it is not cached; nil where nothing can be drawn.
  func svg(of code: RoomCode, _ draw: () -> String?) -> [UInt8]? {
    if let known = pictures.withLock({ $0[code] }) { return known }
    guard let drawn = draw().map({ Array($0.utf8) }) else { return nil }
    pictures.withLock { pictures in
      if pictures.count >= Self.picturesMax { pictures = [:] }
      pictures[code] = drawn
    }
    return drawn
  }
}
