// The feature of accounts on one shard: hello, login and resume, e-mail and password, nickname, blocked players, and
// the end of an account.
//
// Owned by one shard and used on its queue, except for hashing, which has a thread of its own.
import Gateway
import MadangProtocol
import Net

package final class Accounts: Feature {
  package unowned let gateway: ShardGateway
  let rooms: Rooms
  let taps: Taps
  let webhooks: Webhooks
  let moderation: Moderation
  let passwords: HashingQueue
  let notify: @Sendable (OperatorNotification) -> Void
  private let find: @Sendable (ShardCore) -> Accounts
  package var statistics = AccountStatistics()

  /// Makes the feature. `rooms` finds the room of a returning player; `taps` adds their school;
  /// `webhooks` are told of deletions; `moderation` tells warnings.
  init(
    _ gateway: ShardGateway,
    _ context: ServerContext,
    rooms: Rooms,
    taps: Taps,
    webhooks: Webhooks,
    moderation: Moderation,
    _ find: @escaping @Sendable (ShardCore) -> Accounts
  ) {
    self.gateway = gateway
    self.rooms = rooms
    self.taps = taps
    self.webhooks = webhooks
    self.moderation = moderation
    passwords = context.passwords
    notify = context.notify
    self.find = find
    gateway.handleOpen { [unowned self] in hello($0, $1) }
    gateway.handleOpen { [unowned self] in resume($0, $1) }
    gateway.handleOpen { [unowned self] in login($0, $1) }
    gateway.handle { [unowned self] in register($0, $1) }
    gateway.handle { [unowned self] in logout($0, $1) }
    gateway.handle { [unowned self] in setNickname($0, $1) }
    gateway.handle { [unowned self] in setPassword($0, $1) }
    gateway.handle { [unowned self] in block($0, $1) }
    gateway.handle { [unowned self] in unblock($0, $1) }
    gateway.handleQuery { [unowned self] in answerBlockedPlayers($0, $1) }
    gateway.handle { [unowned self] in deleteAccount($0, $1) }
    gateway.handleHTTP(
      "v1/password-reset",
      { $1.answer(.notFound) },
      bodies: { [unowned self] in admitReset($0, on: $1) }
    )
  }

  package static var parts: [any SessionPart.Type] { [AccountSession.self] }
  package static let name: String? = "accounts"
  package static var metrics: [Metric] { Metric.ofAccounts }
  package static var budgets: [Budget] { Budget.ofAccounts }

  package var shards: ServiceShards<Accounts> { ServiceShards(gateway.core.siblings, find) }

  package func closed(_ session: Session) {
    session.part(AccountSession.self)?.cancelPassword()
  }

  package func deadlinePassed(_ session: Session) {
    if session.part(AccountSession.self)?.erasure != nil {
      answerDeletion(session, isErased: false)
    } else {
      noteUse(of: session)
    }
  }

  package func peerEnded(_ session: Session) {
    guard let part = session.part(AccountSession.self), part.awaitsPassword else { return }
    part.cancelPassword()
    _ = session.resumed()
  }
}
