// Bounds on journals for each player and each address: a request's bytes there are charged to its sender.
//
// On the shard's queue. A request passes as long as any budget is left, and is charged with its real size.
// Decisions: 027 (docs/decisions).
import MadangProtocol
import Net

extension ShardGateway {
  /// False, and the request is refused, when the player's or the address's journal budget is used up for now.
  package func refuseWithoutJournal(_ request: PlayerRequest) -> Bool {
    let wait = budgets.wait(
      Charge(budget: .journal, payer: .player(request.player)),
      Charge(budget: .journalOfAddress, payer: .address(request.session.connection.address.ip)),
      at: core.now
    )
    guard let wait else { return true }
    request.refuse(.rateLimited, "too much to keep from this player or address", retryAfterMs: wait)
    return false
  }

  /// Charges this number of bytes to the player and the address.
  package func chargeJournal(of session: Session, bytes: Int64) {
    budgets.charge(journalCharges(of: session, bytes: bytes), at: core.now)
  }

  /// Gives back bytes that were charged and did not come to be.
  package func giveBackJournal(of session: Session, bytes: Int64) {
    budgets.giveBack(journalCharges(of: session, bytes: bytes))
  }

  private func journalCharges(of session: Session, bytes: Int64) -> [Charge] {
    guard let player = session.state.identity?.player else { return [] }
    return [
      Charge(budget: .journal, payer: .player(player), units: bytes),
      Charge(budget: .journalOfAddress, payer: .address(session.connection.address.ip), units: bytes),
    ]
  }
}
