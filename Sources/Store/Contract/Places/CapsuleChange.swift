// Changes of capsules by their owners and by the players who open them. Plain values. A change that names a capsule
// which the player may not see, or may not change, has the same outcome as one that names none.
import Game

/// A change of a capsule.
package enum CapsuleChange: Hashable, Sendable {
  /// Buries a capsule, which nobody has opened or edited yet, and shares it as `share` does. A known capsule of the
  /// same owner stays as it is. Outcome `.buried`; `.tooMany` where the owner has `Capsule.ownedMax` already, or names
  /// more than `Capsule.namedMax` players; `.full` as for `share`; `.notFound` for an unknown owner, and for another
  /// owner's identifier; `.mediaNotFound` where a picture is not there or not the owner's.
  case bury(Capsule, sharedWith: [PlayerID])
  /// Replaces fields of a capsule. Outcome `.edited`, `.mediaNotFound` as above, or `.notFound` where the owner has no
  /// such capsule.
  case edit(CapsuleEdit)
  /// Changes the players to whom a capsule is visible: `everyone` unless it is nil, then `without` are taken away, then
  /// `with` are added. Players whom the store does not know, the owner, and players who have blocked the owner or are
  /// blocked by them are left out, and no outcome tells of them. Outcome `.shared`; `.tooMany` beyond
  /// `Capsule.namedMax` players; `.full` where some of `with` have `Capsule.sharedMax` already, or
  /// `Capsule.sharedByOneMax` of the owner's and have opened none of these; both change nothing; or `.notFound` as
  /// above.
  case share(CapsuleID, owner: PlayerID, everyone: Bool?, with: [PlayerID], without: [PlayerID])
  /// A player no longer wants what was shared with them by name. Outcome `.left`, also when there was nothing.
  case leave(CapsuleID, PlayerID)
  /// Deletes a capsule. Outcome `.deleted`, or `.notFound` as above.
  case delete(CapsuleID, owner: PlayerID)
  /// A player opens a capsule, who was found to be near this place. The first opening of each player but the owner
  /// counts, once. Outcome `.opened`; `.notFound` for a capsule that is not visible to the player, and for an unknown
  /// player; `.placeChanged` where the capsule lies elsewhere by now.
  case open(CapsuleID, PlayerID, place: Coordinate, at: Instant)
}

/// The new contents of a capsule.
package struct CapsuleEdit: Hashable, Sendable {
  package var id: CapsuleID
  package var owner: PlayerID
  // Each is nil for a field that stays. An edit without any changes nothing.
  package var title: String?
  package var text: String?
  package var pictures: [MediaID]?
  package var memoryDay: Int64?
  package var place: Coordinate?
  package var at: Instant

  package init(
    id: CapsuleID,
    owner: PlayerID,
    title: String? = nil,
    text: String? = nil,
    pictures: [MediaID]? = nil,
    memoryDay: Int64? = nil,
    place: Coordinate? = nil,
    at: Instant
  ) {
    self.id = id
    self.owner = owner
    self.title = title
    self.text = text
    self.pictures = pictures
    self.memoryDay = memoryDay
    self.place = place
    self.at = at
  }

  /// The capsule with this edit; nil where nothing is replaced.
  package func applied(to capsule: Capsule) -> Capsule? {
    guard title != nil || text != nil || pictures != nil || memoryDay != nil || place != nil else { return nil }
    var edited = capsule
    edited.title = title ?? capsule.title
    edited.text = text ?? capsule.text
    edited.pictures = pictures ?? capsule.pictures
    edited.memoryDay = memoryDay ?? capsule.memoryDay
    edited.place = place ?? capsule.place
    edited.editedAt = at
    return edited
  }
}

/// The outcome of a capsule's change. The summaries are the owner's.
package enum CapsuleOutcome: Hashable, Sendable {
  case buried(CapsuleSummary)
  case edited(CapsuleSummary)
  case shared(CapsuleSummary)
  case left
  case deleted
  /// The whole capsule, and whether this was the player's first opening; never the first for the owner.
  case opened(Capsule, isFirst: Bool)
  case tooMany
  /// With these players, in order, no more can be shared. At least one.
  case full([PlayerID])
  case notFound
  case placeChanged
  case mediaNotFound
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}
