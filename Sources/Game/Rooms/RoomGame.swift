// The newest game of a room: its players by seat, their positions, and their state by the rules of the room's mode. A
// value, owned by its room. It raises no events and has no deadlines: those are the room's.

/// The newest game of a room, or the next one.
struct RoomGame: Sendable {
  let capacity: Int
  let speedMaxMmPerS: Int
  let isSolo: Bool

  /// By seat, up to the highest that has been taken: see `makeSeat`.
  var runners: ContiguousArray<Runner> = []
  /// The state of the mode's rules.
  var mode: ModeGame
  /// The counter of changes of points, of all seats.
  var pointsOrder: UInt64 = 0
  /// The board, best first, from the game's end to the next start.
  var board: [BoardRow] = []
  /// Seats whose position or points no tick has carried yet.
  var changedSeats: SlotSet

  init(_ configuration: RoomConfiguration) {
    capacity = configuration.capacity
    speedMaxMmPerS = configuration.speedMaxMmPerS
    isSolo = configuration.solo
    mode = ModeGame(configuration)
    changedSeats = SlotSet(count: configuration.capacity)
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
    changedSeats.removeAll()
  }

  /// Ends the game, and makes the board.
  mutating func end(at time: Instant) {
    board = ranked(at: time)
    mode.end()
  }

  /// Makes all seats that are free now available to anybody.
  mutating func release(_ roster: Roster) {
    for seat in runners.indices {
      runners[seat].release()
      if roster[.seat(seat)] == nil { forgetFixes(of: seat) }
    }
  }

  /// Handles a seat's player who leaves; what they have stays.
  mutating func leave(_ seat: Int, at time: Instant) {
    runners[seat].leave(at: time)
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

  /// Moves the game's clock, which stood still for this long.
  mutating func moveClocks(by downtime: Duration) {
    for seat in runners.indices {
      runners[seat].moveClock(byMs: downtime.wholeMilliseconds)
    }
    mode.moveClocks(by: downtime)
  }
}

// Fixes: the hottest path of a room. A fix in a warm room must not allocate, so one runner is changed in place.
extension RoomGame {
  /// Takes a fix of a seat's player; the sender of a refused one is notified by a verdict.
  @inline(__always)
  mutating func take(
    _ fix: Fix,
    of seat: Int,
    isHost: Bool,
    at now: Instant,
    into outputs: inout [Effect]
  ) -> Score {
    let before = runners[seat].position
    let wasSuspect = runners[seat].isSuspect
    switch runners[seat].take(fix, at: now) {
    case .ignored: return .nothing
    case .accepted(let sample, let counts):
      changedSeats.insert(seat)
      if wasSuspect, !runners[seat].isSuspect { outputs.append(.verdict(.seat(seat), nil, suspect: false)) }
      guard counts else {
        mode.disbelieve(seat, isRefused: false, into: &outputs)
        return .nothing
      }
      let player = runners[seat].id
      return score(
        CountedFix(seat: seat, player: player, isHost: isHost, before: before, sample: sample),
        at: now,
        into: &outputs
      )
    case .refused(let refusal):
      outputs.append(.verdict(.seat(seat), refusal, suspect: runners[seat].isSuspect))
      if runners[seat].isSuspect { mode.disbelieve(seat, isRefused: true, into: &outputs) }
      return .nothing
    }
  }

  /// Scores a fix that counts, by the mode's rules.
  @inline(__always)
  private mutating func score(_ fix: CountedFix, at now: Instant, into outputs: inout [Effect]) -> Score {
    let score = mode.take(fix, at: now, into: &outputs)
    if case .nothing = score { return score }
    pointsOrder += 1
    runners[fix.seat].pointsOrder = pointsOrder
    guard case .captured = score else { return score }
    while let changed = mode.popChangedSeat() {
      changedSeats.insert(changed)
      runners[changed].pointsOrder = pointsOrder
    }
    return score
  }
}
