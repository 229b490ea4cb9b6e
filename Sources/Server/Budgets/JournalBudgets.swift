// Journals are bounded for each player and each address: what requests write there is charged to who sent them.
//
// On the shard's thread. A request is let through as long as anything is left, and charged with what it came to.
// Decisions: 027 (docs/decisions).
import MadangProtocol
import Net

extension PlayService {
  /// What a request takes in a journal beside its own bytes: its share of headers and of row changes.
  static let requestOverheadBytes: Int64 = 64
  /// The size of a room's rows in the store, of a game's with its results, and of a change of an account; bytes.
  static let roomRowBytes: Int64 = 512
  static let gameRowBytes: Int64 = 1_024
  static let accountRowBytes: Int64 = 512

  /// False, and the request is refused, when the player's or the address's journals are used up for now.
  func refuseWithoutJournal(_ request: PlayerRequest) -> Bool {
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
  func chargeJournal(of session: PlaySession, bytes: Int64) {
    guard let player = session.state.identity?.player else { return }
    budgets.charge(
      Charge(budget: .journal, payer: .player(player), units: bytes),
      Charge(budget: .journalOfAddress, payer: .address(session.connection.address.ip), units: bytes),
      at: core.now
    )
  }

  /// Charges what `action` adds to a room's journal.
  func charging<Result>(_ session: PlaySession, for live: LiveRoom, _ action: () -> Result) -> Result {
    let before = live.gatheredBytes
    let result = action()
    chargeJournal(of: session, bytes: Int64(max(0, live.gatheredBytes - before)) + Self.requestOverheadBytes)
    return result
  }
}
