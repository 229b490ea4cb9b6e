// The changes of profiles, inside a commit.
import GRDB
import Game

/// The writing of profiles' changes.
struct ProfileWriting {
  let db: Database
  /// The time when the batch was made.
  let at: Instant

  func write(_ change: ProfileChange) throws -> ProfileOutcome {
    switch change {
    case .edit(let edit): try self.edit(edit)
    }
  }

  private func edit(_ edit: ProfileEdit) throws -> ProfileOutcome {
    guard try db.knows(edit.player), let profile = try db.profile(of: edit.player, for: edit.player) else {
      return .notFound
    }
    let edited = edit.applied(to: profile)
    let isSameText = edited.introduction.utf8.elementsEqual(profile.introduction.utf8)
    guard !isSameText || edited.picture != profile.picture else { return .edited(profile) }
    if edited.picture != profile.picture {
      let pictures = edited.picture.map { [$0] } ?? []
      let isUsed = try MediaUses(db: db)
        .set(pictures, of: .profile, edit.player.value, owner: edit.player, at: at)
      guard isUsed else { return .mediaNotFound }
    }
    if edited.introduction.isEmpty && edited.picture == nil {
      try db.run("DELETE FROM profiles WHERE player = ?", edit.player)
      try StoryRemoval(db: db).lookAgain(at: edit.player)
    } else {
      try db.run(
        """
        INSERT INTO profiles (player, introduction, picture) VALUES (?, ?, ?)
        ON CONFLICT (player) DO UPDATE SET introduction = excluded.introduction, picture = excluded.picture
        """,
        edit.player,
        edited.introduction,
        edited.picture
      )
    }
    return .edited(edited)
  }

  /// Deletes a player's profile and all that they have earned; returns the number of rows.
  static func erase(_ player: PlayerID, on db: Database) throws -> Int {
    // The picture goes with the player's media.
    try MediaUses(db: db).removeAll(of: .profile, player.value, at: Instant(milliseconds: 0))
    return try db.run("DELETE FROM profiles WHERE player = ?", player)
      + db.run("DELETE FROM progress WHERE player = ?", player)
      + db.run("DELETE FROM collectibles WHERE player = ?", player)
  }
}
