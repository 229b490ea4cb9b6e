// Drawn pictures of links, each kept for the network that had it drawn. A value, guarded by its owner.
//
// A request names its host, so one client can ask for one room's link under any number of hosts. A network's further
// pictures take the places of its own oldest ones, and never all places: other networks' pictures stay.
import DequeModule
import Net

package struct KeptPictures: Sendable {
  package struct Picture: Hashable, Sendable {
    package let url: String
    package let isPNG: Bool

    package init(url: String, isPNG: Bool) {
      self.url = url
      self.isPNG = isPNG
    }
  }

  /// More rooms than are shown to newcomers at one time, and some 10 MB of pictures.
  package static let bound = 1_024
  /// The rooms of a school with both kinds of picture. Tools and proxies on the loopback have no bound of their own.
  package static let boundOfNetwork = 64

  private var bytes: [Picture: [UInt8]] = [:]
  /// The pictures of each network, the oldest first; none is empty.
  private var byNetwork: [SharingNetwork: Deque<Picture>] = [:]

  package init() {}

  package var count: Int { bytes.count }

  package subscript(picture: Picture) -> [UInt8]? { bytes[picture] }

  /// Keeps a picture that a network had drawn.
  package mutating func keep(_ drawn: [UInt8], as picture: Picture, for network: SharingNetwork) {
    guard bytes[picture] == nil else { return }
    if !network.isExempt, byNetwork[network]?.count ?? 0 >= Self.boundOfNetwork {
      dropOldest(of: network)
    } else if bytes.count >= Self.bound, let largest = byNetwork.max(by: { $0.value.count < $1.value.count })?.key {
      dropOldest(of: largest)
    }
    bytes[picture] = drawn
    byNetwork[network, default: []].append(picture)
  }

  private mutating func dropOldest(of network: SharingNetwork) {
    guard let oldest = byNetwork[network]?.popFirst() else {
      preconditionFailure("a network without pictures has no entry")
    }
    bytes[oldest] = nil
    if byNetwork[network]?.isEmpty ?? false { byNetwork[network] = nil }
  }
}
