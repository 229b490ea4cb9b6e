// One-time links by which players of accounts set new passwords, as operators offer them.
//
// Any thread may call. The offer and its row of the audit log are one commit, and the link is known behind it alone:
// only the digest of its secret is kept.
import Game
import Gateway
import Store

struct OfferingResets: Sendable {
  let server: GameServer

  /// Makes a link whose secret stands behind the `#`, which browsers send to nobody.
  func offer(to player: PlayerID, _ task: OperatorTask) {
    server.begin(task) { service in
      let context = service.gateway.context
      let now = service.gateway.now
      let secret = SessionToken(drawnBy: context.configuration.random)
      let change = AccountChange.offerReset(
        player,
        digest: secret.digest,
        expiresAt: context.expiry.beginOfTerm(now) + Accounts.resetTime,
        task.entry(at: now)
      )
      service.gateway.journal.add(change) { outcome in
        switch outcome {
        case .ok:
          server.context.notify(.operatorActed(.offeredReset(player)))
          task.done(
            "player \(player) sets a new password by this link, once and within 24 hours"
              + (server.context.joinBase.hasPublicURL
                ? "" : "; it names the listener's address, for --public-url is not set"),
            link: "\(server.context.joinBase.common)/reset#\(secret.text)"
          )
        case .unavailable: task.refuseForDamage()
        default: task.refuse("there is no account \(player)", code: "ACCOUNT_NOT_FOUND")
        }
      }
    }
  }
}
