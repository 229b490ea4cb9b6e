// Stored media as the contract's values. Plain values, the same for every back end.
import Game

/// The digest of a medium's cleaned bytes: SHA-256. Nobody outside of the server learns it.
package struct MediaDigest: Hashable, Comparable, Sendable {
  /// 32 bytes.
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    precondition(bytes.count == Self.byteCount, "a digest has 32 bytes")
    self.bytes = bytes
  }

  package static let byteCount = 32

  package static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

/// The format of a picture. The raw value is stored.
package enum MediaType: Int, CaseIterable, Sendable {
  case jpeg = 1
  case png = 2
  case webp = 3

  /// The media type by its name in HTTP.
  package var name: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .webp: "image/webp"
    }
  }
}

/// The sizes in which a picture is kept. The raw value is a part of addresses and of files' names.
package enum MediaSize: String, CaseIterable, Sendable {
  /// As it was uploaded, without what is not to be seen in it.
  case original
  /// For a phone's screen.
  case phone
  case thumbnail
}

/// The bytes of a medium in one size. Media with equal bytes share them.
package struct BlobName: Hashable, Sendable {
  package let digest: MediaDigest
  package let size: MediaSize

  package init(_ digest: MediaDigest, _ size: MediaSize) {
    self.digest = digest
    self.size = size
  }
}

/// A medium of a player's.
package struct StoredMedia: Hashable, Sendable {
  package let id: MediaID
  package let owner: PlayerID
  package let digest: MediaDigest
  /// The format of the original.
  package let type: MediaType
  /// Of the original; pixels.
  package let width: Int
  package let height: Int
  /// Of all sizes together.
  package let sizeBytes: Int
  package let uploadedAt: Instant

  package init(
    id: MediaID,
    owner: PlayerID,
    digest: MediaDigest,
    type: MediaType,
    width: Int,
    height: Int,
    sizeBytes: Int,
    uploadedAt: Instant
  ) {
    self.id = id
    self.owner = owner
    self.digest = digest
    self.type = type
    self.width = width
    self.height = height
    self.sizeBytes = sizeBytes
    self.uploadedAt = uploadedAt
  }

  /// The time for which a medium is kept that nothing refers to.
  package static let unusedRetention = Duration.seconds(3_600)
}

/// The kind of what refers to media. The raw value is stored.
package enum MediaUse: Int, Sendable {
  case capsule = 1
  case post = 2
  /// The subject is the player.
  case profile = 3
}
