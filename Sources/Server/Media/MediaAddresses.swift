// The addresses of pictures: paths that are signed for a while, and read again. Values; any thread.
//
// An address shows the picture to every holder until it expires, and holders may pass it on. All addresses of one hour
// are the same, so that clients' caches serve.
import Cryptography
import Game
import MadangProtocol
import Store

package struct MediaAddresses: Sendable {
  /// An address that was given out like this.
  package struct Address {
    package let media: MediaID
    package let size: MediaSize
    /// Until when it is good; seconds since 1970.
    package let expiresS: Int64
  }

  /// An address is good for one to two of these.
  private static let periodS: Int64 = 3_600

  /// 32 bytes.
  private let key: [UInt8]

  package init(key: [UInt8]) { self.key = key }

  /// Until when addresses that are given out now are good.
  package func expiry(at now: Instant) -> Instant {
    Instant(milliseconds: (now.milliseconds / 1_000 / Self.periodS + 2) * Self.periodS * 1_000)
  }

  package func path(of media: MediaID, _ size: MediaSize, until expiry: Instant) -> String {
    let expiresS = expiry.milliseconds / 1_000
    let signature = Hexadecimal.encode(sign(media, size, expiresS))
    return "/v1/media/\(media)/\(size.rawValue)?expires=\(expiresS)&signature=\(signature)"
  }

  /// Reads what `path` writes, from the components behind `v1/media` on; nil for anything else.
  package func address(_ components: ArraySlice<Substring>, query: String?) -> Address? {
    guard components.count == 2, let first = components.first, let last = components.last,
      let media = MediaID(first), let size = MediaSize(rawValue: String(last)), let query
    else { return nil }
    let fields = query.split(separator: "&", omittingEmptySubsequences: false)
    guard fields.count == 2, fields[0].hasPrefix("expires="), fields[1].hasPrefix("signature="),
      let expiresS = Int64(fields[0].dropFirst(8)), fields[0].dropFirst(8) == "\(expiresS)",
      let signature = Hexadecimal.decode(fields[1].dropFirst(10)),
      ConstantTime.areEqual(signature, sign(media, size, expiresS))
    else { return nil }
    return Address(media: media, size: size, expiresS: expiresS)
  }

  private func sign(_ media: MediaID, _ size: MediaSize, _ expiresS: Int64) -> [UInt8] {
    MessageAuthentication.hmacSHA256(of: Array("\(media)/\(size.rawValue)/\(expiresS)".utf8), key: key)
  }
}

extension WirePicture {
  /// A picture for who may see it now.
  init(_ media: StoredMedia, _ addresses: MediaAddresses, at now: Instant) {
    self.init()
    let expiry = addresses.expiry(at: now)
    mediaID = media.id.description
    url = addresses.path(of: media.id, .original, until: expiry)
    phoneURL = addresses.path(of: media.id, .phone, until: expiry)
    thumbnailURL = addresses.path(of: media.id, .thumbnail, until: expiry)
    width = UInt32(clamping: media.width)
    height = UInt32(clamping: media.height)
    expiresAtMs = expiry.milliseconds
  }
}
