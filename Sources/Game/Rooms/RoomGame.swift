// The newest game of a room: its players by seat, their positions, and their state by the rules of the room's mode. A
// value, owned by its room. It raises no events and has no deadlines: those are the room's.

/// The newest game of a room, or the next one.
struct RoomGame: Sendable {
  // First what each position and each tick looks at, so that it shares lines of the processor's cache.
  /// A fix may be this old while the server runs.
  private let lateMs: Int64
  /// By seat, up to the highest that has been taken: see `makeSeat`.
  var runners: ContiguousArray<Runner> = []
  /// The newest start of the server in this game: until then nobody could send fixes.
  private(set) var restartedAt: Instant?
  /// The game by the mode's rules. Its methods change it in place; a large one lies in storage of its own.
  var mode: any ModeRules
  /// Seats whose position or points no tick has carried yet.
  var changedSeats: SlotSet
  /// The counter of changes of points, of all seats.
  var pointsOrder: UInt64 = 0
  /// The order of the best, as ticks tell it.
  var order = PlayerOrder()

  let capacity: Int
  let speedMaxMmPerS: Int
  let isSolo: Bool
  /// Whether members get far rows more seldom.
  let isLarge: Bool
  /// The time in this game for which the server did not run.
  private(set) var downtimeMs: Int64 = 0
  /// The board, best first, from the game's end to the next start.
  var board: [BoardRow] = []
  /// Nil in a room without practice opponents.
  var walkers: Walkers?

  init(_ configuration: RoomConfiguration) {
    capacity = configuration.capacity
    speedMaxMmPerS = configuration.speedMaxMmPerS
    isSolo = configuration.solo
    isLarge = TickPace.isLarge(configuration)
    lateMs = configuration.late.wholeMilliseconds
    mode = configuration.modeSettings.makeGame(configuration.gameTerms)
    changedSeats = SlotSet(count: configuration.capacity)
    walkers = Walkers(configuration)
  }

  /// Makes the state of a seat that was never taken; an untaken seat has none.
  mutating func makeSeat(_ seat: Int) {
    while runners.count <= seat { runners.append(Runner(speedMaxMmPerS: speedMaxMmPerS)) }
    mode.makeSeats(runners.count)
  }

  /// Starts a game: points, positions, distances and the board are reset.
  mutating func start(_ roster: Roster, at now: Instant) {
    reset()
    mode.start()
    for seat in runners.indices {
      runners[seat].start(roster[.seat(seat)], at: now)
    }
  }

  /// Forgets the previous game.
  mutating func clear() {
    reset()
    mode.clear()
    for seat in runners.indices {
      runners[seat].clear()
    }
  }

  private mutating func reset() {
    board = []
    pointsOrder = 0
    order = PlayerOrder()
    downtimeMs = 0
    restartedAt = nil
    walkers?.reset()
    changedSeats.removeAll()
  }

  /// Ends the game, and makes the board.
  mutating func end(at time: Instant) {
    board = ranked(at: time)
    order = PlayerOrder()
    mode.end()
  }

  /// Whether fixes of a player in the room may still come, from before the end of the game.
  func awaitsFixes(_ roster: Roster, at end: Instant) -> Bool {
    runners.indices.contains { runners[$0].gap.isOpen(at: end) && roster[.seat($0)] != nil }
  }

  /// The wait for fixes when the time of the game is up; nil when none may still come.
  mutating func waitForFixes(of roster: Roster, at end: Instant) -> Duration? {
    let isSilent = isSolo && awaitSilentPlayer(at: end)
    guard awaitsFixes(roster, at: end) else { return nil }
    guard isSolo else { return Deadlines.boardWait }
    return isSilent ? Deadlines.silentWait : RoomConfiguration.soloWait
  }

  /// Begins a wait for a connected solo player who has sent no fix for a while: the connection may have stalled,
  /// without anybody knowing yet.
  private mutating func awaitSilentPlayer(at end: Instant) -> Bool {
    let since = end - Deadlines.silenceMax
    guard let seat = runners.indices.first(where: { runners[$0].isPresent }), runners[seat].gap == .none,
      let judged = runners[seat].judgedThrough, judged < since
    else { return false }
    runners[seat].awaitFixes(from: end)
    return true
  }

  /// Makes all seats that are free now available to anybody.
  mutating func release(_ roster: Roster) {
    for seat in runners.indices {
      runners[seat].release()
      if roster[.seat(seat)] == nil { forgetFixes(of: seat) }
    }
  }

  /// Handles a seat's player who leaves, by their own act or since their hold is over; what they have stays.
  mutating func leave(_ seat: Int, byOwnAct: Bool, at time: Instant) {
    runners[seat].leave(byOwnAct: byOwnAct, at: time)
    notePresence(of: seat)
    mode.leave(seat)
  }

  /// The nicknames of players who left, other than `id`: they are taken until the lobby, since the board shows them
  /// too.
  func nicknames(ofLeftBut id: PlayerID, _ roster: Roster) -> Set<String> {
    let left = runners.indices.filter { runners[$0].id != id && roster[.seat($0)] == nil }
    return Set(left.map { runners[$0].nickname })
  }

  /// Forgets the fixes of a seat's phone: the seat is free for another, or its player is forgotten.
  mutating func forgetFixes(of seat: Int) {
    runners[seat].forgetFixes(speedMaxMmPerS: speedMaxMmPerS)
  }

  /// Notes that the server has ended at this time, and all connections with it.
  mutating func endConnections(at time: Instant) {
    for seat in runners.indices { runners[seat].endConnection(at: time) }
  }

  /// Notes that the server did not run for this long: fixes from before its start may be later by that.
  mutating func noteDowntime(_ downtime: Duration, until start: Instant) {
    downtimeMs = min(downtimeMs + downtime.wholeMilliseconds, Self.downtimeMaxMs)
    restartedAt = start
  }

  /// A fix of this time may be this old.
  private func lateMs(of time: Instant) -> Int64 {
    guard let restartedAt, time < restartedAt else { return lateMs }
    return lateMs + downtimeMs
  }

  /// A hundred years.
  private static let downtimeMaxMs: Int64 = 100 * 366 * 86_400_000

  /// Moves the players' times in the game, whose clock stood still for this long. Everything that fixes have caused has
  /// their own times, which are the wall clock's.
  mutating func moveClocks(by downtime: Duration) {
    for seat in runners.indices {
      runners[seat].moveClock(byMs: downtime.wholeMilliseconds)
    }
  }
}

// Fixes: the hottest path of a room. A fix in a warm room must not allocate, so one runner is changed in place.
extension RoomGame {
  /// Takes a fix of a seat's player, who is notified of what the rules find in it.
  ///
  /// The answer to a batch has the verdicts on its fixes. A suspicion is notified of all the same.
  @inline(__always)
  mutating func take(
    _ fix: Fix,
    of seat: Int,
    isHost: Bool,
    time: Instant,
    at now: Instant,
    _ origin: FixOrigin,
    into outputs: inout [Effect]
  ) -> (verdict: FixVerdict, score: Score) {
    let before = runners[seat].position
    let judgement = runners[seat].take(fix, of: time, at: now, lateMs: lateMs(of: time))
    if judgement.verdict != .accepted || judgement.changesSuspicion {
      report(judgement, of: seat, origin, into: &outputs)
    }
    guard let sample = judgement.sample else { return (judgement.verdict, .nothing) }
    var isWithheld = false
    if case .kept(let aliveSince?) = origin, Punctuality.isLate(sample.time, at: now) {
      isWithheld = runners[seat].noteLate(sample, aliveSince: aliveSince)
    }
    changedSeats.insert(seat)
    guard judgement.counts else {
      mode.disbelieve(seat, isRefused: false, into: &outputs)
      return (.accepted, .nothing)
    }
    let counted = CountedFix(
      seat: seat,
      player: runners[seat].id,
      isHost: isHost,
      isWithheld: isWithheld,
      before: before,
      sample: sample
    )
    return (.accepted, score(counted, into: &outputs))
  }

  /// Notifies a player of a verdict, or of the beginning or the end of a suspicion. A suspect's fix that was not
  /// accepted still ends what they have begun.
  @inline(never)
  private mutating func report(
    _ judgement: FixFilter.Judgement,
    of seat: Int,
    _ origin: FixOrigin,
    into outputs: inout [Effect]
  ) {
    let isSuspect = runners[seat].isSuspect
    if judgement.verdict.isNotified, origin.isLive || judgement.changesSuspicion {
      outputs.append(.verdict(.seat(seat), judgement.verdict, suspect: isSuspect))
    } else if judgement.changesSuspicion {
      outputs.append(.verdict(.seat(seat), judgement.finding, suspect: isSuspect))
    }
    if isSuspect, judgement.verdict != .accepted { mode.disbelieve(seat, isRefused: true, into: &outputs) }
  }

  /// The newest accepted fix of the player in a seat; nil before the first, and while the player is suspect.
  func believedFix(seat: Int) -> PositionSample? {
    guard runners.indices.contains(seat), !runners[seat].isSuspect else { return nil }
    return runners[seat].lastFix
  }

  /// Scores a fix that counts, by the mode's rules.
  @inline(__always)
  private mutating func score(_ fix: CountedFix, into outputs: inout [Effect]) -> Score {
    let score = mode.take(fix, into: &outputs)
    if case .nothing = score { return score }
    pointsOrder += 1
    runners[fix.seat].pointsOrder = pointsOrder
    guard case .captured = score else {
      noteGain(of: fix.seat)
      return score
    }
    order.becomeStale()
    while let changed = mode.popChangedSeat() {
      changedSeats.insert(changed)
      runners[changed].pointsOrder = pointsOrder
    }
    return score
  }
}
