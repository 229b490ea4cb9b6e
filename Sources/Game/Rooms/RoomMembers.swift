// Members of a room: places, holds and the host. Part of `Room`. Each change raises its events in one fixed order, so
// that a reader of the events knows the members.
// Decisions: 159 (docs/decisions).

extension Room {
  /// Everyone in the room, held ones included: seats, then spectators, by number.
  package var members: [Member] { roster.members }

  /// The number of members, held ones included.
  package var memberCount: Int { roster.occupantCount }
  /// Whether somebody is in it who plays or may play: one of them is the host, or becomes it.
  package var hasPeople: Bool { roster.occupants.contains { !$0.occupant.isWatching } }

  /// The place of a player, connected or held; nil when they are not in the room.
  package func place(of id: PlayerID) -> Place? { roster.place(of: id) }

  /// The member in a place, connected or held.
  package func member(at place: Place) -> Member? { roster.member(at: place) }

  /// The time at which each member came in, held ones included; in the order of their places.
  package var entrances: [(player: PlayerID, at: Instant)] { roster.entrances }

  // Inputs.

  /// Lets a player in.
  ///
  /// A held player gets their place back. In the lobby, others get the smallest free seat, or `roomFull`. Outside it, a
  /// player who had a seat in this game gets that back; all others watch and take a seat in the lobby, even where one
  /// is free before: until then a seat and its row on the board are one player's. They get `roomFull` without a free
  /// place to watch, and `gameOn` where watching is off. A newcomer who watches alone gets no seat in any phase.
  ///
  /// Events: `joined`, then `host` where there was none; `back` for a held player.
  mutating func join(
    _ id: PlayerID,
    nickname: String,
    isWatching: Bool,
    at now: Instant,
    into outputs: inout [Effect]
  ) -> Effects.Answer {
    if let place = roster.place(of: id) {
      guard !roster.isConnected(place) else { return .refused(.alreadyInRoom) }
      _ = comeBack(place, at: now, into: &outputs)
      return .joined(roster.place(of: id) ?? place)
    }
    guard !roster.barred.contains(id) else { return .refused(.barred) }
    guard !roster.isLocked else { return .refused(.locked) }
    let checked: Nickname
    do throws(TextFault) {
      checked = try Nickname(journaled: nickname)
    } catch {
      return .refused(.badText(error.description))
    }

    let own = isWatching ? nil : game.runners.firstIndex { $0.id == id }.map(Place.seat)
    let isSeated = own != nil || phase == .lobby && !isWatching
    guard isSeated || configuration.spectators else { return .refused(isWatching ? .noSpectators : .gameOn) }
    guard let free = own ?? roster.freePlace(isSeat: isSeated) else { return .refused(.roomFull) }

    let others = game.nicknames(ofLeftBut: id, roster).union(roster.occupants.map(\.occupant.nickname))
    roster.enter(free, id: id, nickname: checked.numbered(beside: others), isWatching: isWatching, at: now)
    welcome(free, at: now, into: &outputs)
    deadlines.desertedSince = nil
    return .joined(free)
  }

  /// Lets a player go. Events: see `remove`.
  mutating func leave(_ place: Place, at now: Instant, into outputs: inout [Effect]) -> Effects.Answer {
    remove(place, byOwnAct: true, at: now, into: &outputs)
    return .ok
  }

  /// Holds the place of a connected member. Event: `held`.
  mutating func lose(_ place: Place, at now: Instant) -> Effects.Answer {
    hold(place, at: now)
    deadlines.noteDesertion(of: roster, at: now)
    return .ok
  }

  /// Holds a place. Behind the end of a game a solo player's loss prolongs the wait: their last fixes may still come.
  mutating func hold(_ place: Place, at time: Instant) {
    roster[place]?.heldSince = time
    record(.held(place), at: time)
    guard case .seat(let seat) = place, phase == .playing else { return }
    guard deadlines.boardAt == nil || configuration.solo else { return }
    game.runners[seat].loseConnection(at: time)
    let end = deadlines.boardAt == nil ? nil : deadlines.endsAt
    if let end { awaitFixes(until: end + RoomConfiguration.soloWait, at: time) }
  }

  /// Gives a held place back; a connected member only has another connection now. Events: `back`, then `host` when the
  /// host's part was waiting for a connected player. A spectator who is back in the lobby takes a free seat.
  mutating func comeBack(_ place: Place, at now: Instant, into outputs: inout [Effect]) -> Effects.Answer {
    if case .seat(let seat) = place, phase == .playing { game.runners[seat].regainConnection(at: now) }
    guard !roster.isConnected(place) else { return .ok }
    roster[place]?.heldSince = nil
    deadlines.desertedSince = nil
    record(.back(place), at: now)
    passHost(at: now)
    if phase == .lobby { seatSpectators(at: now, into: &outputs) }
    return .ok
  }

  // Shared by several inputs and deadlines.

  /// Removes a member, by their own act or at the end of their hold. An operator's removal counts as the former, the
  /// host's as the latter.
  ///
  /// Events: `left`; `host` if they were it; then the end of a game that has too few players left; in the lobby,
  /// spectators who take the free seat.
  mutating func remove(_ place: Place, byOwnAct: Bool, at time: Instant, into outputs: inout [Effect]) {
    guard let occupant = roster[place] else { return }
    roster.remove(place)
    outputs.append(.removed(occupant.id, place))
    record(.left(place), at: time)
    if case .seat(let seat) = place {
      // Behind the end of the game nobody leaves it any more.
      if deadlines.boardAt == nil { game.leave(seat, byOwnAct: byOwnAct, at: time) }
      if phase == .lobby { game.forgetFixes(of: seat) }
      if hostSeat == seat {
        roster.hostSeat = nil
        passHost(at: time)
        // The next player in a seat becomes the host, with an event of their own.
        if hostSeat == nil { record(.host(seat: nil), at: time) }
      }
    }
    RoomEntry.openWithoutHost(&self, at: time)
    deadlines.noteDesertion(of: roster, at: time)
    switch phase {
    case .playing where deadlines.boardAt != nil: endWaitIfOver(at: time, into: &outputs)
    case .playing where !game.goesOn(roster, of: configuration.playersMin): timeIsUp(at: time, into: &outputs)
    case .lobby: seatSpectators(at: time, into: &outputs)
    case .playing, .ended: break
    }
  }

  /// Seats connected spectators in the lobby, the longest present first, but none who watch alone. Events for each:
  /// `left`, `joined`, and `host` where there was none.
  mutating func seatSpectators(at time: Instant, into outputs: inout [Effect]) {
    while let seat = roster.freeSeat, let watching = roster.longestWaiting {
      roster.move(from: watching, to: seat)
      record(.left(watching), at: time)
      welcome(seat, at: time, into: &outputs)
    }
  }

  /// Passes the host's part on if it is due. Event: `host`.
  mutating func passHost(at time: Instant) {
    if let seat = roster.passHost(at: time) { record(.host(seat: seat), at: time) }
  }

  /// Reports that a player has taken a place, and makes their game begin or continue.
  private mutating func welcome(_ place: Place, at time: Instant, into outputs: inout [Effect]) {
    guard let occupant = roster[place] else { return }
    outputs.append(.placed(occupant.id, place))
    record(.joined(Member(occupant, at: place)), at: time)
    roster[place]?.joinedEvent = log.lastNumber
    guard case .seat(let seat) = place else { return }
    game.makeSeat(seat)
    if phase == .playing {
      game.runners[seat].comeBack(nickname: occupant.nickname, at: time)
      game.notePresence(of: seat)
    }
    passHost(at: time)
  }
}
