// The reads of profiles of the doubles.
import Game
import Store

extension MemoryStore {
  package func profile(of player: PlayerID, for viewer: PlayerID, _ completion: @escaping Completion<Profile?>) {
    respond(completion) { .success($0.profiles.profile(of: player, for: viewer, $0.stories, $0.readers)) }
  }
}

extension ForwardingStore {
  package func profile(of player: PlayerID, for viewer: PlayerID, _ completion: @escaping Completion<Profile?>) {
    forward(completion) { $0.profile(of: player, for: viewer, $1) }
  }
}
