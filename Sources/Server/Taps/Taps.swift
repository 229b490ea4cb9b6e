// The feature of school taps on one shard: schools, taps, and the ranking that players watch.
//
// Owned by one shard and used on its queue. The tally of all shards decides (`SharedTally`).
import Game
import Gateway
import MadangProtocol
import Net

package final class Taps: Feature {
  package unowned let gateway: ShardGateway
  let tally: SharedTally
  let notify: @Sendable (OperatorNotification) -> Void
  private let find: @Sendable (ShardCore) -> Taps
  package var statistics = TapStatistics()
  /// The players who watch the ranking here.
  lazy var rankingTicks = RankingTicks(shard: gateway.core.index, of: shards.count)
  private(set) var rankingTimer: UInt64 = 0

  init(_ gateway: ShardGateway, _ context: ServerContext, _ find: @escaping @Sendable (ShardCore) -> Taps) {
    self.gateway = gateway
    tally = context.tally
    notify = context.notify
    self.find = find
    rankingTimer = gateway.addTimer { [unowned self] in tickRanking() }
    gateway.handleQuery { [unowned self] in searchSchools($0, $1) }
    gateway.handle { [unowned self] in chooseSchool($0, $1) }
    gateway.handle { [unowned self] in tap($0, $1) }
    gateway.handleQuery { [unowned self] in watchRanking($0, $1) }
    gateway.handleQuery { [unowned self] in unwatchRanking($0, $1) }
    gateway.handleQuery { [unowned self] in answerSchoolRanking($0, $1) }
  }

  /// The newest list of schools.
  var schools: SchoolCatalogue { tally.schools }

  package static let name: String? = "taps"
  package static var metrics: [Metric] { Metric.ofTaps }
  package static var budgets: [Budget] { Budget.ofTaps }
  package static var parts: [any SessionPart.Type] { [Tapper.self] }

  package var shards: ServiceShards<Taps> { ServiceShards(gateway.core.siblings, find) }

  package func moving(_ session: Session) {
    rankingTicks.remove(session)
  }

  package func arrived(_ session: Session) {
    resumeWatching(session)
  }

  package func closed(_ session: Session) {
    rankingTicks.remove(session)
  }

  /// Adds a player's standing to the welcome of their session.
  ///
  /// - Returns: nil where the standing is committed. Otherwise the welcome has to wait for the shard's journal, and the
  ///   caller calls the returned closure when the welcome has been sent.
  func addStanding(of player: PlayerID, to welcome: inout WireWelcome, for session: Session) -> (() -> Void)? {
    let (standing, isCommitted) = tally.standing(of: player)
    if let standing { welcome.player.add(standing) }
    guard isCommitted else {
      // The player's actions over another connection are on their way to the disk.
      gateway.journal.touch()
      return { [self] in confirm(standing?.school, of: session) }
    }
    if let standing { session.part(orAdd: Tapper()).school = standing.school }
    return nil
  }
}
