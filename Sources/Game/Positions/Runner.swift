// The hot state of one seat: its player, their position, their distance. A value, changed in place by the room's game
// for each fix. It outlives the player's leaving within a game, so that they find everything unchanged.

/// The state of a seat's player in the newest game.
struct Runner: Sendable {
  // First what each position looks at, so that it shares lines of the processor's cache.
  /// The last accepted position in this game.
  private(set) var position: Coordinate?
  private(set) var distanceMm: Int64 = 0
  /// The order of the newest change of points, from a counter of all such changes in the room.
  var pointsOrder: UInt64 = 0
  /// The broadcast that last carried this seat's row; 0 for none in this game.
  var rowBroadcast: UInt64 = 0
  /// The player's fixes of this game, as far as they count.
  private(set) var punctuality = Punctuality()
  /// Whether fixes from the time without a connection may still come.
  private(set) var gap = FixGap.none
  private var filter: FixFilter

  /// The player of this game, who may come back to this seat; nil when the seat was free at the start, and in the
  /// lobby.
  private(set) var id: PlayerID?
  /// The nickname as the room showed it last.
  private(set) var nickname = ""
  /// The time at which they came in, or came back; nil while they are absent.
  private var presentSince: Instant?
  private var presentMs: Int64 = 0
  /// Whether they have left the game by their own act, and not come back.
  private(set) var hasQuit = false
  private var connected = ConnectedSpans()

  init(speedMaxMmPerS: Int) {
    filter = FixFilter(speedMaxMmPerS: speedMaxMmPerS)
  }

  /// Whether its written state is that of a seat that was never taken.
  var isAsMade: Bool {
    id == nil && presentMs == 0 && !hasQuit && position == nil && distanceMm == 0 && pointsOrder == 0
      && rowBroadcast == 0 && punctuality.isAsMade && gap == .none
      && connected.isAsMade && filter.isAsMade
  }

  var isSuspect: Bool { filter.isSuspect }
  /// The time of the newest judged fix: none is judged whose time is not after it.
  var judgedThrough: Instant? { filter.judged?.time }
  /// The newest accepted fix, of any game.
  var lastFix: PositionSample? { filter.newest }
  var isPresent: Bool { presentSince != nil }

  /// The player's time in the game up to `end`.
  func presentMs(upTo end: Instant) -> Int64 {
    // A player can come back behind the end.
    presentMs + (presentSince.map { max(0, end.milliseconds - $0.milliseconds) } ?? 0)
  }

  /// Forgets the phone's fixes: the seat is free for another, or the player is forgotten.
  mutating func forgetFixes(speedMaxMmPerS: Int) {
    filter = FixFilter(speedMaxMmPerS: speedMaxMmPerS)
  }

  /// Forgets where the player has been in the game; distance and points stay, as numbers.
  mutating func forgetPlaces() {
    position = nil
    rowBroadcast = 0
  }

  /// Starts a game, with `player` in the seat or nobody. The player's suspicion and fixes stay: the rules against
  /// forged positions span games.
  mutating func start(_ player: Occupant?, at time: Instant) {
    clear()
    id = player?.id
    nickname = player?.nickname ?? ""
    presentSince = player == nil ? nil : time
    if let player, player.heldSince == nil { connected.begin(at: time) }
  }

  /// Clears the seat: nobody has played, covered or scored anything.
  mutating func clear() {
    release()
    presentMs = 0
    position = nil
    distanceMm = 0
    pointsOrder = 0
    rowBroadcast = 0
    punctuality = Punctuality()
    gap = .none
    connected = ConnectedSpans()
  }

  /// Ends the game and frees the seat for anybody. Position and points stay visible until the next start.
  mutating func release() {
    id = nil
    nickname = ""
    presentSince = nil
    hasQuit = false
  }

  mutating func leave(byOwnAct: Bool, at time: Instant) {
    hasQuit = byOwnAct
    presentMs = presentMs(upTo: time)
    presentSince = nil
    connected.end(at: time)
  }

  /// Moves the game's clock, which stood still for this long.
  mutating func moveClock(byMs ms: Int64) {
    presentSince?.milliseconds += ms
  }

  /// Changes the shown nickname.
  mutating func rename(to nickname: String) {
    self.nickname = nickname
  }

  mutating func comeBack(nickname: String, at time: Instant) {
    self.nickname = nickname
    presentSince = time
    hasQuit = false
    regainConnection(at: time)
  }

  /// The connection is lost: the player's fixes from now on may come later.
  mutating func loseConnection(at time: Instant) {
    gap = .open
    connected.end(at: time)
  }

  /// The server has ended: all connections did.
  mutating func endConnection(at time: Instant) {
    connected.end(at: time)
  }

  /// The player is connected again. Where the connection takes the place of another, whose loss was not noticed, fixes
  /// may have been kept too.
  mutating func regainConnection(at time: Instant) {
    if gap == .open || connected.isPresent { gap = .waitsForFixes(since: time) }
    connected.end(at: time)
    connected.begin(at: time)
  }

  /// The player is connected, and fixes from before `end` may still come.
  mutating func awaitFixes(from end: Instant) {
    gap = .waitsForFixes(since: end)
  }

  /// The player has said that there are more fixes.
  mutating func continueGap(at time: Instant) {
    if gap != .open { gap = .waitsForFixes(since: time) }
  }

  /// The player has said that there are no more fixes.
  mutating func closeGap() {
    if gap != .open { gap = .none }
  }

  /// Takes a fix: moves the player if it is believed, and adds to the distance if it counts.
  @inline(__always)
  mutating func take(_ fix: Fix, of time: Instant, at now: Instant, lateMs: Int64) -> FixFilter.Judgement {
    let judgement = filter.judge(fix, of: time, at: now, lateMs: lateMs)
    // Fixes come in the order of their times: none from before the return is judged any more.
    if case .waitsForFixes(let since) = gap, let judged = filter.judged, judged.time >= since { gap = .none }
    guard let sample = judgement.sample else { return judgement }
    punctuality.note(sample, at: now)
    let coordinate = sample.coordinate
    if judgement.counts, let position, let stepMm = Geodesy.distanceMm(position, coordinate),
      stepMm <= PositionRules.stepMaxMm
    {
      distanceMm += stepMm
    }
    position = coordinate
    return judgement
  }

  /// Notes a late fix that has come over a connection which has answered since `aliveSince`. It was withheld if this
  /// connection or an earlier one answered when it was taken.
  ///
  /// - Returns: whether it was withheld.
  mutating func noteLate(_ sample: PositionSample, aliveSince: Instant) -> Bool {
    let isWithheld = sample.time >= aliveSince || connected.contains(sample.time, before: aliveSince)
    if isWithheld { punctuality.noteWithheld() }
    return isWithheld
  }
}

// In a journal, with the seat's footprints among it. The broadcast that carried the seat's row is written with the
// room's ticks.
extension Runner {
  func write(_ footprints: FootprintScoring, to state: inout RecordWriter) {
    state.bytes.flag(id != nil)
    if let id {
      state.id(id)
      state.text(nickname, .shown, by: id)
      state.past(presentSince)
      state.bytes.flag(hasQuit)
    }
    state.bytes.number(presentMs)
    state.bytes.flag(position != nil)
    if let position { state.coordinate(position) }
    state.bytes.number(distanceMm)
    footprints.write(to: &state)
    state.bytes.number(pointsOrder)
    punctuality.write(to: &state)
    gap.write(to: &state)
    connected.write(to: &state)
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
      // Version 5 does not tell a player who left from one whose hold ran out.
      hasQuit = state.rulesVersion >= 6 ? try state.bytes.flag() : presentSince == nil
    }
    presentMs = try state.tally("time in a game")
    if try state.bytes.flag() {
      position = try state.coordinateOnMap()
    }
    distanceMm = try state.tally("distance")
    footprints = try FootprintScoring(from: &state)
    pointsOrder = UInt64(try state.tally("order of points"))
    punctuality = try Punctuality(from: &state)
    gap = try FixGap(from: &state)
    connected = try ConnectedSpans(from: &state)
    filter = try FixFilter(speedMaxMmPerS: speedMaxMmPerS, from: &state)
  }
}
