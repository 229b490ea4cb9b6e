// A room: its members, phases and games as one pure value. Inputs go in with their time, effects come out as data, and
// the same inputs at the same times give the same effects, byte for byte. Owned by one shard at a time. It never reads
// a clock, knows neither sockets nor storage, and never traps on a peer's input.
// Decisions: 018 (docs/decisions).

/// A room in which games are played.
///
/// `apply` first carries out the due deadlines, each at its exact time, then takes the input. Notifications for all
/// members become numbered events; those, the rows of seats that moved and the cursors that moved wait for the next
/// tick. Memory grows with members, footprints and events that wait for a tick; a warm room allocates nothing else.
package struct Room: Sendable {
  // First what each position and each tick looks at, so that it shares lines of the processor's cache.
  /// The earliest deadline: the end of the game or of a hold, the passing of the host's part, the return to the lobby,
  /// the end of the room.
  package internal(set) var nextDeadline: Instant?
  package internal(set) var phase = Phase.lobby
  /// Whether the room has closed for good.
  package internal(set) var isClosed = false
  /// The number of the start event of the newest game; 0 before the first.
  var startEvent: UInt32 = 0
  /// The number of the newest broadcast: one more for each tick that is not empty.
  package internal(set) var broadcastNumber: UInt64 = 0
  var clock: RoomClock
  /// The time of the newest input; none comes before it.
  package private(set) var latest: Instant
  /// The beginning of the newest game, by the wall clock.
  package internal(set) var startedAt: Instant
  var log = EventLog()
  var deadlines = Deadlines()
  var roster: Roster
  var game: RoomGame

  package let configuration: RoomConfiguration
  /// The seed of this room's randomness. Footprint mode has none; a replay needs it all the same.
  package let seed: UInt64
  /// The number of the newest game; 0 before the first.
  package internal(set) var gameNumber: UInt32 = 0

  /// An empty room in the lobby. The first player to join is the host, in seat 0; without one it closes after a minute.
  package init(_ configuration: RoomConfiguration, seed: UInt64, at time: Instant) {
    self.configuration = configuration
    self.seed = seed
    clock = RoomClock(tickInterval: configuration.tickInterval, zero: time)
    latest = time
    startedAt = time
    deadlines.desertedSince = time
    roster = Roster(capacity: configuration.capacity, spectatorsMax: configuration.spectatorsMax)
    game = RoomGame(configuration)
    nextDeadline = earliest?.at
  }

  /// Carries out the deadlines up to `now`, then takes the input; `effects` is emptied first, then filled.
  ///
  /// The caller ensures that `now` never goes back, and that nothing is applied to a closed room. An input whose place
  /// is empty by then is refused with `notInRoom`. An input that names the old place of a spectator whom a deadline has
  /// just seated is applied to the seat.
  package mutating func apply(_ input: Input, at now: Instant, into effects: inout Effects) {
    precondition(!isClosed, "a closed room takes no input")
    precondition(now >= latest, "time does not run backwards")
    if case .restart(let downtime) = input {
      // Before any deadline: a time that expired while the server was down has not expired for the room.
      moveClocks(by: min(downtime, now - latest), at: now)
    }
    latest = now
    effects.reset()

    guard let due = nextDeadline, due <= now else { return take(input, at: now, into: &effects) }
    let sender = input.place.flatMap { roster[$0]?.id }
    fireDeadlines(through: now, into: &effects)
    guard input.place != nil else { return take(input, at: now, into: &effects) }
    guard let sender, let place = roster.place(of: sender) else {
      effects.answer = .refused(isClosed ? .closed : .notInRoom)
      return
    }
    take(input.from(place), at: now, into: &effects)
  }

  private mutating func take(_ input: Input, at now: Instant, into effects: inout Effects) {
    guard !isClosed else {
      // Only an input without a place can come in the very call that closed the room.
      if case .tick = input { effects.answer = .none } else { effects.answer = .refused(.closed) }
      return
    }
    guard roster.admits(input) else {
      effects.answer = .refused(.notInRoom)
      return
    }
    switch input {
    case .tick(let last): tick(through: last, at: now, into: &effects.tick)
    case .move(let place, let fix): effects.answer = move(fix, from: place, at: now, into: &effects.outputs)
    case .moves(let place, let batch): effects.answer = moves(batch, from: place, at: now, into: &effects)
    case .chat(let place, let text): effects.answer = chat(text, from: place, at: now)
    case .readChat(let place, let number): effects.answer = readChat(upTo: number, from: place)
    case .join(let id, let nickname), .watch(let id, let nickname):
      effects.answer = join(id, nickname: nickname, isWatching: input.isWatch, at: now, into: &effects.outputs)
    case .leave(let place): effects.answer = leave(place, at: now, into: &effects.outputs)
    case .lose(let place): effects.answer = lose(place, at: now)
    case .comeBack(let place): effects.answer = comeBack(place, at: now, into: &effects.outputs)
    case .startGame(let place): effects.answer = startGame(from: place, at: now)
    case .playAgain(let place): effects.answer = playAgain(from: place, at: now, into: &effects.outputs)
    case .giveUpRun(let place): effects.answer = giveUpRun(from: place, at: now, into: &effects.outputs)
    case .kick(let place, let id):
      effects.answer = RoomEntry.kick(id, from: place, in: &self, at: now, into: &effects.outputs)
    case .lock(let place, let isLocked): effects.answer = RoomEntry.lock(isLocked, from: place, in: &self, at: now)
    case .restart: effects.answer = restart(at: now)
    case .bar(let id):
      if let place = roster.bar(id) { remove(place, byOwnAct: true, at: now, into: &effects.outputs) }
      effects.answer = .ok
    case .erase(let id):
      game.erase(id, at: roster.eraseNickname(of: id))
      log.rewrite { $0.erase(id) }
      effects.answer = .ok
    case .close:
      close(into: &effects.outputs)
      effects.answer = .ok
    }
    switch input {
    case .tick, .move, .moves, .chat, .readChat, .erase, .giveUpRun, .lock: break
    case .join, .watch, .leave, .lose, .comeBack, .startGame, .playAgain, .restart, .bar, .kick:
      // A room that waited for a held player may have been empty for too long when that player leaves or is removed.
      fireDeadlines(through: now, into: &effects)
    case .close: nextDeadline = nil
    }
  }

  /// The room's clock: milliseconds since the newest start of a game, before the first since the room was made. It
  /// continues after a game's end, and stops at the greatest number.
  package func clockMs(at time: Instant) -> UInt32 {
    clock.ms(at: time)
  }

  /// The end of the running game, on the room's clock.
  package var endsAtMs: UInt32? {
    deadlines.endsAt.map(clockMs(at:))
  }

  /// The time at which the board stands at the latest, on the room's clock; nil unless the time of the game is up.
  package var boardAtMs: UInt32? {
    deadlines.boardAt.map(clockMs(at:))
  }

  /// Gives an event its number; the next tick carries it.
  mutating func record(_ body: Event.Body, at time: Instant) {
    log.append(body, atMs: clockMs(at: time))
    if log.lastNumber >= RoomNumbers.eventEnd { nextDeadline = earliest?.at }
  }

  /// The host's seat; nil only while no seat is taken.
  package var hostSeat: Int? { roster.hostSeat }

  /// Whether the host has closed the room for newcomers.
  package var isLocked: Bool { roster.isLocked }

  /// The last game's board, best first, from its end to the next start.
  package var board: [BoardRow] { game.board }

  /// The sizes of the kept events and of the kept chats' texts; bytes. See `EventRules`.
  package var eventBytes: (events: Int, chats: Int) { (log.bytes, log.chatTextBytes) }
}
