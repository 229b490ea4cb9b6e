// The feature of operations on one shard: the operators' view of it, and their actions on its players and rooms.
//
// Owned by one shard and used on its queue. It looks into other features, for operators' listeners are part of the
// program.
import Game
import Gateway
import Net

package final class Operations: Feature {
  package unowned let gateway: ShardGateway
  let context: ServerContext
  let rooms: Rooms
  let accounts: Accounts
  let taps: Taps
  private let find: @Sendable (ShardCore) -> Operations
  /// The newest announcements to everybody, oldest first.
  var announcements: [Announcement] = []

  init(
    _ gateway: ShardGateway,
    _ context: ServerContext,
    rooms: Rooms,
    accounts: Accounts,
    taps: Taps,
    _ find: @escaping @Sendable (ShardCore) -> Operations
  ) {
    self.gateway = gateway
    self.context = context
    self.rooms = rooms
    self.accounts = accounts
    self.taps = taps
    self.find = find
  }

  package static var metrics: [Metric] { Metric.ofServer }
  package static var budgets: [Budget] { Budget.ofOperations }
  package static var parts: [any SessionPart.Type] { [AnnouncementCursor.self] }

  package var shards: ServiceShards<Operations> { ServiceShards(gateway.core.siblings, find) }

  /// A later connection has not missed the announcements so far.
  package func opened(_ session: Session) {
    if let newest = announcements.last { session.part(orAdd: AnnouncementCursor()).lastAnnouncement = newest.number }
  }

  package func arrived(_ session: Session) {
    sendMissedAnnouncements(session)
  }

  /// The counts of this shard.
  var playStatistics: PlayStatistics {
    PlayStatistics(gateway: gateway.statistics, features: gateway.featureStatistics)
  }
}
