// Changes of a player's own profile. Plain values. Nicknames are changed by `AccountChange`.
import Game

/// A change of a profile.
package enum ProfileChange: Hashable, Sendable {
  /// Replaces fields of a profile. Outcome `.edited`; `.mediaNotFound`, and nothing changes, where the picture is not
  /// there or not the player's; or `.notFound` for a player who is unknown, or whose deletion has begun.
  case edit(ProfileEdit)
}

/// The new contents of a profile.
package struct ProfileEdit: Hashable, Sendable {
  package var player: PlayerID
  /// Empty for none; nil for one that stays.
  package var introduction: String?
  package var picture: FieldEdit<MediaID>

  package init(player: PlayerID, introduction: String? = nil, picture: FieldEdit<MediaID> = .stays) {
    self.player = player
    self.introduction = introduction
    self.picture = picture
  }

  /// The profile with this edit.
  package func applied(to profile: Profile) -> Profile {
    var edited = profile
    edited.introduction = introduction ?? profile.introduction
    edited.picture = picture.applied(to: profile.picture)
    return edited
  }
}

/// The outcome of a profile's change.
package enum ProfileOutcome: Hashable, Sendable {
  /// The profile as its player sees it now.
  indirect case edited(Profile)
  case mediaNotFound
  case notFound
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}
