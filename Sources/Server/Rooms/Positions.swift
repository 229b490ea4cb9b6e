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
    take(Fix(move), move.id, session)
  }

  /// Receives a `move` in any other form that its schema allows.
  func receive(_ move: WireMove, _ request: PlayerRequest) {
    do throws(UnfitFixes) {
      take(try Fix(move), request.id, request.session)
    } catch {
      request.refuse(.outOfRange, error.text)
    }
  }

  /// Feeds a fix to the room. A position is as durable as its game; its answer waits for no commit.
  private func take(_ fix: Fix, _ id: UInt32?, _ session: Session) {
    let isInRoom = session.lookAtRoom { take(fix, id, session, $0, $1, at: $2) }
    if !isInRoom { session.refuse(id, session.state.identity == nil ? .helloFirst : .notInRoom) }
  }

  private func take(
    _ fix: Fix,
    _ id: UInt32?,
    _ session: Session,
    _ attendee: Attendee,
    _ room: LiveRoom,
    at place: Place
  ) {
    // A player's position outside a game of theirs is private: it does not even enter a journal.
    guard case .seat(let seat) = place else { return session.refuse(id, .seatNeeded) }
    guard room.isPlaying else {
      note(.outsideGame, on: fix, attendee, room)
      return session.replyOK(to: id)
    }
    attendee.connection.letNextWait()
    // Games go on in memory while the store fails, up to the bound of waiting bytes.
    guard !roomContext.isJournalFull else {
      roomContext.fixesRefusedAt = roomContext.now
      return session.refuseForStore(id)
    }
    let now = roomContext.now
    if roomContext.isOverloaded, !attendee.spacing.takes(fix, at: now) {
      note(.tooOften, on: fix, attendee, room)
      return session.replyOK(to: id)
    }
    attendee.fixesPaid -= 1
    if attendee.fixesPaid < 0, !payForFixes(id, attendee) { return }
    let input: Input
    if let time = fix.time, time.milliseconds < now.milliseconds - PositionRules.lateMs {
      // A late fix may have been withheld, which only a batch tells. Of further ones it says nothing.
      let aliveSince = roomContext.answers(since: attendee.attendsSince)
      input = .moves(place, FixBatch([fix], hasMore: room.room.mayHaveKeptFixes(seat: seat), aliveSince: aliveSince))
    } else {
      input = .move(place, fix)
    }
    switch room.apply(input) {
    case .judged(let verdict):
      if verdict != .accepted || attendee.explains { note(verdict, on: fix, attendee, room) }
      session.replyOK(to: id)
    case .ok, .joined, .none:
      // Of a batch the room tells no verdicts.
      if let verdict = roomContext.effects.value.verdicts.first {
        note(verdict, on: fix, attendee, room, isNotified: verdict.isNotified)
      }
      session.replyOK(to: id)
    case .refused(let refusal): session.refuse(id, refusal)
    }
    if attendee.fixesPaid == Self.fixesPerPayment - 1, let player = session.state.identity?.player {
      room.tellBelief(of: player, at: place)
    }
  }

  /// Counts the verdict on a fix that the room has just taken, and tells it to a player who is to be notified or has
  /// asked for explanations.
  private func note(
    _ verdict: FixVerdict,
    on fix: Fix,
    _ attendee: Attendee,
    _ room: LiveRoom,
    isNotified: Bool = false
  ) {
    roomContext.statistics.value.note(verdict)
    // The room notifies of the others by itself.
    guard isNotified || attendee.explains && !verdict.isNotified, attendee.room === room,
      case .seat(let seat)? = attendee.place
    else { return }
    var explanation = WireVerdict(verdict, isSuspect: room.room.isSuspect(seat: seat))
    if attendee.explains { explanation.timeMs = (fix.time ?? roomContext.now).milliseconds }
    room.notify(.seat(seat), .verdict(explanation))
    room.arm()
  }

  /// Receives the fixes that a phone has kept, and answers once their effects are durable. It looks itself whether the
  /// store fails, and notes it.
  func moves(_ wire: WireMoves, _ request: PlayerRequest) {
    guard let attendee = request.session.attendee, let room = attendee.room, let place = attendee.place else {
      return request.refuse(.notInRoom)
    }
    guard case .seat(let seat) = place else { return request.refuse(.seatNeeded) }
    let fixes: [Fix]
    do throws(UnfitFixes) {
      fixes = try [Fix](wire)
    } catch {
      return request.refuse(.outOfRange, error.text)
    }
    // The game may be over in memory alone, and the phone forgets what is answered.
    guard gateway.canPromise else {
      roomContext.fixesRefusedAt = roomContext.now
      return request.refuseForStore()
    }
    // As with a single fix, a position outside a game is private.
    guard room.isPlaying else {
      let verdicts = repeatElement(FixVerdict.outsideGame, count: fixes.count)
      let through = fixes.decided(through: nil, at: roomContext.now)
      let moved = WireMoved(verdicts, through: through, explained: attendee.explains)
      return request.reply(.moved(moved))
    }
    guard gateway.refuseWithoutJournal(request) else { return }
    let batch = FixBatch(fixes, hasMore: wire.more, aliveSince: roomContext.answers(since: attendee.attendsSince))
    if case .refused(let refusal) = charging(request.session, for: room, { room.apply(.moves(place, batch)) }) {
      return request.refuse(refusal)
    }
    let verdicts = roomContext.effects.value.verdicts
    for verdict in verdicts { roomContext.statistics.value.note(verdict) }
    let through = fixes.decided(through: room.room.judgedThrough(seat: seat), at: roomContext.now)
    let moved = WireMoved(verdicts, through: through, explained: attendee.explains)
    room.tellBelief(of: request.player, at: place)
    request.reply(.moved(moved), after: gateway.journal)
  }

  /// The bytes of a fix in a journal, its share of headers included.
  private static let fixBytes: Int64 = 24
  /// The number of fixes in one payment. The first of them is also told as what the room believes.
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
