// Journals are bounded for each player and each address: what requests write there is charged to who sent them.
//
// On the shard's thread. A request is let through as long as anything is left, and charged with what it came to.
// Decisions: 027 (docs/decisions).
import MadangProtocol
import Net

extension ShardGateway {
  /// What a request takes in a journal beside its own bytes: its share of headers and of row changes.
  package static let requestOverheadBytes: Int64 = 64
  /// False, and the request is refused, when the player's or the address's journals are used up for now.
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

  /// Charges so many bytes to the player and the address.
  package func chargeJournal(of session: Session, bytes: Int64) {
    guard let player = session.state.identity?.player else { return }
    budgets.charge(
      Charge(budget: .journal, payer: .player(player), units: bytes),
      Charge(budget: .journalOfAddress, payer: .address(session.connection.address.ip), units: bytes),
      at: core.now
    )
  }
}
