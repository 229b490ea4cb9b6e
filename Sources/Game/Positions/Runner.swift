// The hot state of one seat: whose game it is, where they are, what they have covered. A value, changed in place by the
// room's game for each fix. It outlives the player's leaving within a game, so that they find everything as it was.

/// What a seat's player has done in the newest game.
struct Runner: Sendable {
  /// Who plays in this game, and so may come back to this seat; nil when the seat was free at the start, and in the lobby.
  private(set) var id: PlayerID?
  /// The nickname as the room showed it last.
  private(set) var nickname = ""
  /// When they came in, or came back; nil while they are not there.
  private var presentSince: Instant?
  private var presentMs: Int64 = 0

  /// The last accepted position in this game.
  private(set) var position: Coordinate?
  private(set) var distanceMm: Int64 = 0
  /// When the points have last changed, as a number that counts up with every change in the room.
  var pointsOrder: UInt64 = 0
  /// The broadcast that last carried this seat's row; 0 for none in this game.
  var rowBroadcast: UInt64 = 0

  private var filter: FixFilter

  init(speedMaxMmPerS: Int) {
    filter = FixFilter(speedMaxMmPerS: speedMaxMmPerS)
  }

  /// Nothing is written of it that is not written of a seat which was never taken.
  var isAsMade: Bool {
    id == nil && presentMs == 0 && position == nil && distanceMm == 0 && pointsOrder == 0
      && rowBroadcast == 0 && filter.isAsMade
  }

  var isSuspect: Bool { filter.isSuspect }
  /// The newest fix that was taken, in whichever game.
  var lastFix: Sighting? { filter.newest }
  var isPresent: Bool { presentSince != nil }

  /// How long the player has been in the game up to `end`.
  func presentMs(upTo end: Instant) -> Int64 {
    presentMs + (presentSince.map { end.milliseconds - $0.milliseconds } ?? 0)
  }

  /// What the player's phone has sent is not to be known any more: the seat is free for another, or they are forgotten.
  mutating func forgetFixes(speedMaxMmPerS: Int) {
    filter = FixFilter(speedMaxMmPerS: speedMaxMmPerS)
  }

  /// Where the player has been in the game is not to be known any more; what they covered and scored stays, as numbers.
  mutating func forgetPlaces() {
    position = nil
    rowBroadcast = 0
  }

  /// A game starts, with `player` in the seat or nobody. Whether the player is suspect, and where they were, stays: the
  /// rules against forged positions know no games.
  mutating func start(_ player: Occupant?, at time: Instant) {
    clear()
    id = player?.id
    nickname = player?.nickname ?? ""
    presentSince = player == nil ? nil : time
  }

  /// Nobody has played, covered or scored anything.
  mutating func clear() {
    release()
    presentMs = 0
    position = nil
    distanceMm = 0
    pointsOrder = 0
    rowBroadcast = 0
  }

  /// The game is over and its seats are anybody's. Position and points stay to be seen until the next start.
  mutating func release() {
    id = nil
    nickname = ""
    presentSince = nil
  }

  mutating func leave(at time: Instant) {
    presentMs = presentMs(upTo: time)
    presentSince = nil
  }

  /// The game's clock stood still for so long.
  mutating func moveClock(byMs ms: Int64) {
    presentSince?.milliseconds += ms
  }

  /// Another nickname is to be shown.
  mutating func rename(to nickname: String) {
    self.nickname = nickname
  }

  mutating func comeBack(nickname: String, at time: Instant) {
    self.nickname = nickname
    presentSince = time
  }

  /// Takes a fix: moves the player, if it is believed, and adds to the distance, if it counts.
  mutating func take(_ fix: Fix, at now: Instant) -> FixFilter.Judgement {
    let judgement = filter.judge(fix, at: now)
    guard case .accepted(let sighting, let counts) = judgement else { return judgement }
    let coordinate = sighting.coordinate
    if counts, let position, let stepMm = Geodesy.distanceMm(position, coordinate), stepMm <= PositionRules.stepMaxMm {
      distanceMm += stepMm
    }
    position = coordinate
    return judgement
  }
}

// In a journal, with the seat's footprints in the midst. Which broadcast carried the seat's row is written with the
// room's ticks.
extension Runner {
  func write(_ footprints: FootprintScoring, to state: inout RecordWriter) {
    state.bytes.flag(id != nil)
    if let id {
      state.id(id)
      state.text(nickname, .shown, by: id)
      state.past(presentSince)
    }
    state.bytes.number(presentMs)
    state.bytes.flag(position != nil)
    if let position { state.coordinate(position) }
    state.bytes.number(distanceMm)
    footprints.write(to: &state)
    state.bytes.number(pointsOrder)
    filter.write(to: &state)
  }

  init(
    speedMaxMmPerS: Int,
    _ footprints: inout FootprintScoring,
    from state: inout RecordReader
  ) throws(JournalFault) {
    if try state.bytes.flag() {
      let id = try state.id()
      self.id = id
      nickname = try state.text(of: id)
      presentSince = try state.pastIfAny()
    }
    presentMs = try state.tally("time in a game")
    if try state.bytes.flag() {
      position = try state.coordinateOnMap()
    }
    distanceMm = try state.tally("distance")
    footprints = try FootprintScoring(from: &state)
    pointsOrder = UInt64(try state.tally("order of points"))
    filter = try FixFilter(speedMaxMmPerS: speedMaxMmPerS, from: &state)
  }
}
