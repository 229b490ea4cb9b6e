// Fixes of players' positions, from the wire to the rules.
//
// On the shard's thread. The hottest way of the server: a fix in its usual form allocates nothing.
import Game
import MadangProtocol
import Net

extension PlayService {
  /// A `move` in its usual form.
  func receive(_ move: MoveFix, from session: PlaySession) {
    guard session.state.identity != nil else { return session.refuse(move.id, .helloFirst) }
    take(
      Fix(
        latE7: move.latE7,
        lngE7: move.lngE7,
        accuracyM: move.accuracyM,
        time: move.timeMs.map(Instant.init(milliseconds:)),
        mocked: move.mocked
      ),
      move.id,
      session
    )
  }

  /// A `move` in any other form that its schema allows.
  func receive(_ request: WireMove, _ id: UInt32?, _ session: PlaySession) {
    guard request.hasLatE7 else { return session.refuse(id, .outOfRange, "latE7: missing") }
    guard request.hasLngE7 else { return session.refuse(id, .outOfRange, "lngE7: missing") }
    take(
      Fix(
        latE7: request.latE7,
        lngE7: request.lngE7,
        accuracyM: request.hasAccuracyM ? request.accuracyM : nil,
        time: request.hasTimeMs ? Instant(milliseconds: request.timeMs) : nil,
        mocked: request.mocked
      ),
      id,
      session
    )
  }

  /// A position lasts as the game does that it is part of; its answer waits for nothing.
  private func take(_ fix: Fix, _ id: UInt32?, _ session: PlaySession) {
    guard let room = session.room, let place = session.place else { return session.refuse(id, .notInRoom) }
    // Where somebody is outside of a game of theirs is nobody's business: it does not even come into a journal.
    guard case .seat = place else { return session.refuse(id, .seatNeeded) }
    guard room.room.phase == .playing else { return session.reply(to: id, .ok(WireOk())) }
    // Games go on in memory while the store fails, up to what it may be owed.
    guard !journal.isFull else { return session.refuseForStore(id) }
    session.state.fixesPaid -= 1
    if session.state.fixesPaid < 0, !payForFixes(id, session) { return }
    switch room.apply(.move(place, fix)) {
    case .ok, .joined, .none: session.reply(to: id, .ok(WireOk()))
    case .refused(let refusal): session.refuse(id, refusal)
    }
  }

  /// What a fix takes in a journal, its share of headers included; bytes.
  private static let fixBytes: Int64 = 24
  /// So many fixes are paid for at once.
  private static let fixesPerPayment: Int32 = 32

  /// Pays for the next fixes; false, and the fix is refused, when the player's or the address's budget is spent.
  private func payForFixes(_ id: UInt32?, _ session: PlaySession) -> Bool {
    session.state.fixesPaid = 0
    guard let identity = session.state.identity,
      refuseWithoutJournal(PlayerRequest(id: id, session: session, asker: identity))
    else { return false }
    chargeJournal(of: session, bytes: Int64(Self.fixesPerPayment) * Self.fixBytes)
    session.state.fixesPaid = Self.fixesPerPayment - 1
    return true
  }
}
