// Fixes of players' positions, from the wire to the rules.
//
// On the shard's queue. The server's hottest path: a fix in its usual form allocates nothing.
import Game
import Gateway
import MadangProtocol
import Net

extension Rooms {
  /// Receives a `move` in its usual form.
  func receive(_ move: MoveFix, from session: Session) {
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

  /// Receives a `move` in any other form that its schema allows.
  func receive(_ move: WireMove, _ request: PlayerRequest) {
    guard move.hasLatE7 else { return request.refuse(.outOfRange, "latE7: missing") }
    guard move.hasLngE7 else { return request.refuse(.outOfRange, "lngE7: missing") }
    take(
      Fix(
        latE7: move.latE7,
        lngE7: move.lngE7,
        accuracyM: move.hasAccuracyM ? move.accuracyM : nil,
        time: move.hasTimeMs ? Instant(milliseconds: move.timeMs) : nil,
        mocked: move.mocked
      ),
      request.id,
      request.session
    )
  }

  /// Feeds a fix to the room. A position is as durable as its game; its answer waits for no commit.
  private func take(_ fix: Fix, _ id: UInt32?, _ session: Session) {
    guard let attendee = session.attendee, let room = attendee.room, let place = attendee.place else {
      return session.refuse(id, session.state.identity == nil ? .helloFirst : .notInRoom)
    }
    // A player's position outside a game of theirs is private: it does not even enter a journal.
    guard case .seat = place else { return session.refuse(id, .seatNeeded) }
    guard room.isPlaying else { return session.replyOK(to: id) }
    // Games go on in memory while the store fails, up to the bound of waiting bytes.
    guard !roomContext.journal.isFull else { return session.refuseForStore(id) }
    attendee.fixesPaid -= 1
    if attendee.fixesPaid < 0, !payForFixes(id, attendee) { return }
    switch room.apply(.move(place, fix)) {
    case .ok, .joined, .none: session.replyOK(to: id)
    case .refused(let refusal): session.refuse(id, refusal)
    }
  }

  /// The bytes of a fix in a journal, its share of headers included.
  private static let fixBytes: Int64 = 24
  /// The number of fixes in one payment.
  private static let fixesPerPayment: Int32 = 32

  /// Pays for the next fixes; false, and the fix is refused, when the player's or the address's budget is spent.
  private func payForFixes(_ id: UInt32?, _ attendee: Attendee) -> Bool {
    let session = attendee.session
    attendee.fixesPaid = 0
    guard let identity = session.state.identity,
      gateway.refuseWithoutJournal(PlayerRequest(id: id, session: session, asker: identity))
    else { return false }
    gateway.chargeJournal(of: session, bytes: Int64(Self.fixesPerPayment) * Self.fixBytes)
    attendee.fixesPaid = Self.fixesPerPayment - 1
    return true
  }
}
