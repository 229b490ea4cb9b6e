// The stored rows of capsules. Plain values, the same for every back end. The bounds on titles and texts are the rules'
// of `Game`; those here bound what one player can make the store keep.
import Game

/// A capsule with everything that its owner has buried in it.
package struct Capsule: Hashable, Sendable {
  package let id: CapsuleID
  package let owner: PlayerID
  package var title: String
  package var text: String
  package var pictures: [MediaID]
  /// The date that it is about, as days since 1970-01-01.
  package var memoryDay: Int64
  /// The place on the map; nowhere else is it opened.
  package var place: Coordinate
  package let buriedAt: Instant
  /// The moment of the last edit; nil for a capsule that is as it was buried.
  package var editedAt: Instant?
  package var isForEveryone: Bool
  /// The number of players who have opened it, the owner apart; a deleted player still counts.
  package var openCount: Int64
  /// Only its owner sees a hidden capsule.
  package var isHidden: Bool

  package init(
    id: CapsuleID,
    owner: PlayerID,
    title: String,
    text: String,
    pictures: [MediaID],
    memoryDay: Int64,
    place: Coordinate,
    buriedAt: Instant,
    editedAt: Instant? = nil,
    isForEveryone: Bool,
    openCount: Int64 = 0,
    isHidden: Bool = false
  ) {
    self.id = id
    self.owner = owner
    self.title = title
    self.text = text
    self.pictures = pictures
    self.memoryDay = memoryDay
    self.place = place
    self.buriedAt = buriedAt
    self.editedAt = editedAt
    self.isForEveryone = isForEveryone
    self.openCount = openCount
    self.isHidden = isHidden
  }

  /// Whether everyone finds it.
  package var isListed: Bool { isForEveryone && !isHidden }

  package var pictureCount: Int { pictures.count }

  /// The bytes of the capsule's own words and of the names of its pictures.
  package var byteCount: Int64 { Int64(title.utf8.count + text.utf8.count + 16 * pictures.count) }

  package func summary(hasOpened: Bool) -> CapsuleSummary {
    CapsuleSummary(
      id: id,
      owner: owner,
      title: title,
      memoryDay: memoryDay,
      place: place,
      buriedAt: buriedAt,
      isForEveryone: isForEveryone,
      openCount: openCount,
      hasOpened: hasOpened,
      isHidden: isHidden
    )
  }

  /// The most capsules that one player may have buried at a time.
  package static let ownedMax = 1_000
  /// The most players to whom the owner may show one capsule by name: all that can be in one room.
  package static let namedMax = 2 * RoomConfiguration.capacityRange.upperBound
  /// The most capsules that are kept for one player as shared with that player.
  package static let sharedMax = 1_000
  /// Of these, the most by one owner of whose shares the player has opened none: no stranger can fill another's list
  /// alone.
  package static let sharedByOneMax = 50
}

/// The part of a capsule that may leave the server before it is opened, as one player sees it.
package struct CapsuleSummary: Hashable, Sendable {
  package var id: CapsuleID
  package var owner: PlayerID
  package var title: String
  package var memoryDay: Int64
  package var place: Coordinate
  package var buriedAt: Instant
  package var isForEveryone: Bool
  package var openCount: Int64
  /// Whether the player who asks has opened it; never for the owner.
  package var hasOpened: Bool
  /// Only its owner sees a hidden capsule.
  package var isHidden: Bool

  package init(
    id: CapsuleID,
    owner: PlayerID,
    title: String,
    memoryDay: Int64,
    place: Coordinate,
    buriedAt: Instant,
    isForEveryone: Bool,
    openCount: Int64,
    hasOpened: Bool,
    isHidden: Bool = false
  ) {
    self.id = id
    self.owner = owner
    self.title = title
    self.memoryDay = memoryDay
    self.place = place
    self.buriedAt = buriedAt
    self.isForEveryone = isForEveryone
    self.openCount = openCount
    self.hasOpened = hasOpened
    self.isHidden = isHidden
  }
}

/// The totals of all capsules, for metrics.
package struct CapsuleCounts: Hashable, Sendable {
  package var capsules: Int64
  /// The sum of the open counts of the capsules that are there.
  package var openings: Int64
  /// The sum of `Capsule.byteCount`.
  package var bytes: Int64

  package init(capsules: Int64 = 0, openings: Int64 = 0, bytes: Int64 = 0) {
    self.capsules = capsules
    self.openings = openings
    self.bytes = bytes
  }
}
