// The feature of tracks on one shard: a player looks at a game that is over, and shares it with others by a link
// (`/g/…`), who see less of it.
//
// Owned by one shard and used on its queue. Games are replayed on two threads, one for players and one for links, so
// that strangers hold up no player. Links and consents are changes of commits.
// Decisions: 155, 156 (docs/decisions).
import Gateway
import MadangProtocol
import Net
import WebSocket

package final class Tracks: Feature {
  package unowned let gateway: ShardGateway
  let context: ServerContext
  private let find: @Sendable (ShardCore) -> Tracks

  package static let name: String? = "tracks"

  init(_ gateway: ShardGateway, _ context: ServerContext, _ find: @escaping @Sendable (ShardCore) -> Tracks) {
    self.gateway = gateway
    self.context = context
    self.find = find
    gateway.handle { [unowned self] in answerTrack($0, $1) }
    gateway.handle { [unowned self] in share($0, $1) }
    gateway.handle { [unowned self] in unshare($0, $1) }
    gateway.handle { [unowned self] in show($0, $1) }
    gateway.handleHTTP(
      "g",
      { [unowned self] in answerLink($0, on: $1) },
      bodies: { _, _ in .refused(HTTPFailure.methodNotAllowed.response) }
    )
  }

  package static var budgets: [Budget] { Budget.ofTracks }

  package var shards: ServiceShards<Tracks> { ServiceShards(gateway.core.siblings, find) }
}
