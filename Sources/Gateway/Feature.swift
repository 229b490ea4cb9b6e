// A feature of the server: a part behind the gateway, with one instance on each shard.
//
// All calls come on the shard's queue. The gateway calls features in the order in which the program lists them. A
// feature registers its requests and timers with the gateway when it is made. Its type has its metrics, its budgets and
// its parts of a session.
import Game
import MadangProtocol
import Net
import Store

package protocol Feature: AnyObject, SendableMetatype {
  associatedtype Statistics: FeatureStatistics = NoStatistics

  /// The feature's name in `welcome`; nil where clients have no requests for it.
  static var name: String? { get }
  /// The feature's metrics.
  static var metrics: [Metric] { get }
  /// The feature's budgets.
  static var budgets: [Budget] { get }
  /// The feature's parts of a session.
  static var parts: [any SessionPart.Type] { get }

  /// The gateway of the feature's shard.
  var gateway: ShardGateway { get }
  /// This feature on all shards.
  var shards: ServiceShards<Self> { get }
  /// The counts of this shard.
  var statistics: Statistics { get }
  /// The current use of the feature's budgets that are amounts.
  var amounts: [BudgetAmount] { get }

  /// A connection has opened and has its session.
  func opened(_ session: Session)
  /// The session's connection is about to move to another shard.
  func moving(_ session: Session)
  /// The session's connection has come from another shard.
  func arrived(_ session: Session)
  /// The session's connection is gone.
  func closed(_ session: Session)
  /// The service's deadline of a player's connection has passed.
  func deadlinePassed(_ session: Session)
  /// The peer of a suspended connection sends nothing more, and has perhaps gone.
  func peerEnded(_ session: Session)
  /// A player has been deleted: the feature forgets what it keeps of them in memory. Called on one shard.
  func erased(_ player: PlayerID)
  /// Whether the session may play on for now while the server shuts down in good order.
  func keepsOpen(_ session: Session) -> Bool
  /// Writes the full state down, so that recovery needs nothing earlier.
  func writeDown()
}

extension Feature where Statistics == NoStatistics {
  package var statistics: NoStatistics { NoStatistics() }
}

extension Feature {
  package static var name: String? { nil }
  package static var metrics: [Metric] { [] }
  package static var budgets: [Budget] { [] }
  package static var parts: [any SessionPart.Type] { [] }
  package var amounts: [BudgetAmount] { [] }

  package func opened(_ session: Session) {}
  package func moving(_ session: Session) {}
  package func arrived(_ session: Session) {}
  package func closed(_ session: Session) {}
  package func deadlinePassed(_ session: Session) {}
  package func peerEnded(_ session: Session) {}
  package func erased(_ player: PlayerID) {}
  package func keepsOpen(_ session: Session) -> Bool { false }
  package func writeDown() {}

  /// This feature on this shard, for posts from elsewhere or for a later turn.
  package var ownShard: ServiceShard<Self> { shards[gateway.core.index] }

  /// Asks `question` for a request, and goes on with `body` after the answer, if the session is still there. `question`
  /// starts the work, and calls its parameter with the answer: once, on any thread.
  package func awaitAnswer<Asker, Answer: Sendable>(
    for request: Request<Asker>,
    _ question: (_ answer: @escaping @Sendable (Answer) -> Void) -> Void,
    then body: @escaping @Sendable (Self, Request<Asker>, Answer) -> Void
  ) {
    request.session.suspend()
    let (ownShard, token, id, asker) = (ownShard, request.session.connection.token, request.id, request.asker)
    question { answer in
      ownShard.post { feature in
        guard let session = feature.gateway.session(token)?.resumed() else { return }
        body(feature, Request(id: id, session: session, asker: asker), answer)
      }
    }
  }

  /// Commits a change for a session, and goes on with `body` after its outcome. `body` gets no session if it is gone.
  /// Meanwhile the connection is suspended. `orElse` is called when the commit takes too long, and may close it.
  package func awaitOutcome<Family: ChangeFamily>(
    of change: Family,
    for session: Session,
    orElse: (() -> Void)? = nil,
    then body: @escaping (Family.FamilyOutcome, Session?) -> Void
  ) {
    session.suspend()
    let promise = orElse.map { ShardJournal.Promise(onBreak: $0) }
    gateway.journal.add(change, promise) { body($0, session.resumed()) }
  }
}
