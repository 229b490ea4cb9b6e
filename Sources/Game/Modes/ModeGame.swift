// The game of a room, in any mode. A value, owned by the room's `RoomGame`. Only this part of a game distinguishes
// modes.
// Decisions: 100 (docs/decisions).

/// A game by the rules of its mode.
enum ModeGame: Sendable {
  case footprint(FootprintGame)
  case territory(Boxed<TerritoryGame>)
  case land(Boxed<LandGame>)

  init(_ configuration: RoomConfiguration) {
    switch configuration.modeSettings {
    case .footprint:
      self = .footprint(FootprintGame())
    case .territory(let settings):
      self = .territory(Boxed(TerritoryGame(settings, seats: configuration.capacity)))
    case .land(let settings):
      self = .land(
        Boxed(
          LandGame(
            settings.lands,
            ranksRuns: configuration.ranksRuns,
            withheldPercentMax: configuration.withheldPercentMax,
            speedMaxMmPerS: configuration.speedMaxMmPerS,
            seats: configuration.capacity
          )
        )
      )
    }
  }

  /// Reads the game, with one query for each mode: dispatched at compile time, for each position and tick.
  @inline(__always)
  private func ask<Answer>(
    _ footprint: (borrowing FootprintGame) -> Answer,
    _ territory: (borrowing TerritoryGame) -> Answer,
    _ land: (borrowing LandGame) -> Answer
  ) -> Answer {
    switch self {
    case .footprint(let game): footprint(game)
    case .territory(let game): game.ask(territory)
    case .land(let game): game.ask(land)
    }
  }

  /// Changes the game, with one change for each mode: dispatched at compile time, for each position and tick. The game
  /// is taken out of its case and put back: a change in the case would copy its arrays.
  @inline(__always)
  private mutating func change<Answer>(
    _ footprint: (inout FootprintGame) -> Answer,
    _ territory: (inout TerritoryGame) -> Answer,
    _ land: (inout LandGame) -> Answer
  ) -> Answer {
    switch consume self {
    case .footprint(var game):
      defer { self = .footprint(game) }
      return footprint(&game)
    case .territory(var game):
      defer { self = .territory(game) }
      return game.change(territory)
    case .land(var game):
      defer { self = .land(game) }
      return game.change(land)
    }
  }

  /// The game, for queries that are rarer than ticks.
  private var rules: any ModeRules {
    switch self {
    case .footprint(let game): game
    case .territory(let game): game.value
    case .land(let game): game.value
    }
  }

  /// Changes the game, for changes that are rarer than ticks.
  private mutating func update<Answer, Fault>(
    _ body: (inout any ModeRules) throws(Fault) -> Answer
  ) throws(Fault) -> Answer {
    switch consume self {
    case .footprint(var game):
      defer { self = .footprint(game) }
      return try game.update(body)
    case .territory(var game):
      defer { self = .territory(game) }
      return try game.change { game throws(Fault) in try game.update(body) }
    case .land(var game):
      defer { self = .land(game) }
      return try game.change { game throws(Fault) in try game.update(body) }
    }
  }
}

extension ModeRules {
  /// Changes the game as a game of any mode.
  fileprivate mutating func update<Answer, Fault>(
    _ body: (inout any ModeRules) throws(Fault) -> Answer
  ) throws(Fault) -> Answer {
    var rules: any ModeRules = self
    defer {
      guard let game = rules as? Self else { preconditionFailure("a change keeps the mode") }
      self = game
    }
    return try body(&rules)
  }
}

// The calls of each position and tick.
extension ModeGame {
  @inline(__always)
  mutating func take(_ fix: CountedFix, into outputs: inout [Effect]) -> Score {
    change(
      { $0.take(fix, into: &outputs) },
      { $0.take(fix, into: &outputs) },
      { $0.take(fix, into: &outputs) }
    )
  }

  mutating func disbelieve(_ seat: Int, isRefused: Bool, into outputs: inout [Effect]) {
    change(
      { $0.disbelieve(seat, isRefused: isRefused, into: &outputs) },
      { $0.disbelieve(seat, isRefused: isRefused, into: &outputs) },
      { $0.disbelieve(seat, isRefused: isRefused, into: &outputs) }
    )
  }

  func points(of seat: Int) -> UInt32 {
    ask({ $0.points(of: seat) }, { $0.points(of: seat) }, { $0.points(of: seat) })
  }

  mutating func popChangedSeat() -> Int? {
    change({ $0.popChangedSeat() }, { $0.popChangedSeat() }, { $0.popChangedSeat() })
  }

  var hasChanges: Bool { ask({ $0.hasChanges }, { $0.hasChanges }, { $0.hasChanges }) }

  mutating func carry(into tick: inout Tick, broadcast: UInt64) {
    change(
      { $0.carry(into: &tick, broadcast: broadcast) },
      { $0.carry(into: &tick, broadcast: broadcast) },
      { $0.carry(into: &tick, broadcast: broadcast) }
    )
  }

  func append(after broadcast: UInt64, to tick: inout Tick) {
    ask(
      { $0.append(after: broadcast, to: &tick) },
      { $0.append(after: broadcast, to: &tick) },
      { $0.append(after: broadcast, to: &tick) }
    )
  }

  mutating func forgetChanges() {
    change({ $0.forgetChanges() }, { $0.forgetChanges() }, { $0.forgetChanges() })
  }
}

// All other calls.
extension ModeGame: ModeRules {
  mutating func makeSeats(_ count: Int) { update { $0.makeSeats(count) } }
  var seatsTaken: Int { rules.seatsTaken }
  mutating func start() { update { $0.start() } }
  mutating func clear() { update { $0.clear() } }
  mutating func end() { update { $0.end() } }

  mutating func giveUp(_ seat: Int, at now: Instant, into outputs: inout [Effect]) -> Bool {
    update { $0.giveUp(seat, at: now, into: &outputs) }
  }

  mutating func leave(_ seat: Int) { update { $0.leave(seat) } }
  mutating func forgetPlaces(of seat: Int) { update { $0.forgetPlaces(of: seat) } }
  func tieTimeMs(of seat: Int) -> Int64 { rules.tieTimeMs(of: seat) }
  var isCompleted: Bool { rules.isCompleted }
  func completionMs(of seat: Int) -> Int64? { rules.completionMs(of: seat) }

  func write(to state: inout RecordWriter) { rules.write(to: &state) }

  mutating func read(from state: inout RecordReader) throws(JournalFault) {
    try update { game throws(JournalFault) in try game.read(from: &state) }
  }

  func writeTicks(to state: inout RecordWriter) { rules.writeTicks(to: &state) }

  mutating func readTicks(broadcastMax: UInt64, from state: inout RecordReader) throws(JournalFault) {
    try update { game throws(JournalFault) in try game.readTicks(broadcastMax: broadcastMax, from: &state) }
  }
}

// The games of single modes, for mode-specific access.
extension ModeGame {
  var territory: TerritoryGame? { if case .territory(let game) = self { game.value } else { nil } }
  var land: LandGame? { if case .land(let game) = self { game.value } else { nil } }

  /// The footprints of a seat; none in other modes, whose journals write them all the same.
  func footprints(of seat: Int) -> FootprintScoring {
    if case .footprint(let game) = self { game[seat] } else { FootprintScoring() }
  }

  /// Sets the footprints of a seat, read from a journal.
  mutating func setFootprints(_ footprints: FootprintScoring, of seat: Int) {
    guard case .footprint(var game) = self else { return }
    game[seat] = footprints
    self = .footprint(game)
  }
}
