// The reads of profiles of the doubles.
import Game
import Store

extension MemoryStore {
  package func profile(of player: PlayerID, for viewer: PlayerID, _ completion: @escaping Completion<Profile?>) {
    respond(completion) { tables in
      var profile = tables.profiles.profile(of: player, for: viewer, tables.stories, tables.readers)
      let isReported = tables.moderation.reported(by: viewer).contains(.profile(player))
      if player != viewer, isReported || tables.moderation.isProfileHidden(of: player) {
        profile?.introduction = ""
        profile?.picture = nil
      }
      return .success(profile)
    }
  }
}

extension ForwardingStore {
  package func profile(of player: PlayerID, for viewer: PlayerID, _ completion: @escaping Completion<Profile?>) {
    forward(completion) { $0.profile(of: player, for: viewer, $1) }
  }
}
