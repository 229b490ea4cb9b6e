// Rooms of the rules as rooms of the wire: values in, messages out.
//
// Pure. Field by field, so that the forms of both sides stay independent.
import Game
import Gateway
import MadangProtocol

extension WireRoom {
  /// A room as a mere viewer sees it.
  init(
    _ room: Room,
    _ id: RoomID,
    withholding blocked: Set<PlayerID>,
    code: String,
    joinURL: String,
    at now: Instant
  ) {
    self.init()
    let configuration = room.configuration
    self.code = code
    self.joinURL = joinURL
    phase = WirePhase(room.phase)
    mode = WireMode(configuration.mode)
    lastEvent = room.lastEventNumber
    tick = room.lastTickNumber
    tickMs = configuration.tickInterval.wireMilliseconds
    gameMs = room.clockMs(at: now)
    if let end = room.endsAtMs { endsAtGameMs = end }
    if let boardAt = room.boardAtMs { boardAtGameMs = boardAt }
    lateS = configuration.late.wireMilliseconds / 1_000
    holdS = configuration.hold.wireMilliseconds / 1_000
    durationS = configuration.duration.wireMilliseconds / 1_000
    capacity = UInt32(configuration.capacity)
    hostOnly = configuration.hostOnly
    accountsOnly = configuration.accountsOnly
    consent = configuration.consent
    locked = room.isLocked
    solo = configuration.solo
    spectators = configuration.spectators
    if let seat = room.hostSeat { host = UInt32(seat) }
    players = RoomWalkers.shownMembers(of: room).map(WirePlayer.init)
    if configuration.fill > 0 {
      fill = UInt32(configuration.fill)
      fillStrength = WireWalkerStrength(configuration.fillStrength)
    }
    var rows = Tick()
    room.appendPositions(to: &rows)
    seats = rows.seats
    latE7 = rows.latE7
    lngE7 = rows.lngE7
    points = rows.points
    order = ToldOrder.seats(in: room)
    let footprints = FootprintColumns(of: room)
    footprintSeats = footprints.seats
    footprintCounts = footprints.counts
    footprintLatE7 = footprints.latE7
    footprintLngE7 = footprints.lngE7
    chats = room.chats.map { WireEvent($0, of: id, withholding: blocked) }
    board = room.board.map(WireBoardRow.init)
    if room.gameNumber > 0 { gameID = GameID(room: id, number: room.gameNumber).description }
    if let arena = room.arena {
      self.arena = WireArena(arena)
      room.appendCells(to: &rows)
      cellStarts = rows.cellStarts
      cellCounts = rows.cellCounts
      cellSeats = rows.cellSeats
      cutting = configuration.cutting
    }
    lands = zip(configuration.lands, room.landHolders).map(WireRoomLand.init)
  }

  /// The part of a room for the player in `place` alone.
  init(own room: Room, for place: Place, at now: Instant) {
    self.init()
    add(room, for: place, at: now)
  }

  /// Adds the part for the player in `place` alone.
  mutating func add(_ room: Room, for place: Place, at now: Instant) {
    you = WirePlace(place)
    guard case .seat(let seat) = place else { return }
    let path = room.path(of: seat)
    pathLatE7 = path.map(\.latE7)
    pathLngE7 = path.map(\.lngE7)
    if let run = room.run(of: seat, at: now) { self.run = WireRun(run, room.configuration.lands) }
    suspect = room.isSuspect(seat: seat)
    if let through = room.judgedThrough(seat: seat) { throughMs = through.milliseconds }
  }
}

extension WireRoomLand {
  init(_ land: Land, _ holder: (seat: Int, time: Duration)?) {
    self.init()
    landID = land.id.description
    name = land.name
    latE7 = land.vertices.map(\.latE7)
    lngE7 = land.vertices.map(\.lngE7)
    guard let holder else { return }
    self.holder = UInt32(holder.seat)
    timeMs = holder.time.wireMilliseconds
  }
}

extension WirePlayer {
  init(_ member: Member) {
    self.init()
    switch member.place {
    case .seat(let seat): self.seat = UInt32(seat)
    case .spectator(let number): spectator = UInt32(number)
    }
    if member.id.isWalker { walker = true } else { playerID = member.id.description }
    nickname = member.nickname
    held = member.isHeld
    readUpTo = member.readUpTo
    watching = member.isWatching
  }
}

extension WirePlace {
  init(_ place: Place) {
    self.init()
    switch place {
    case .seat(let seat): self.seat = UInt32(seat)
    case .spectator(let number): spectator = UInt32(number)
    }
  }
}

extension WireEvent {
  /// An event of a room, for the wire. Chats of blocked players come with their text withheld, so that numbers have no
  /// gaps.
  init(_ event: Event, of room: RoomID, withholding blocked: Set<PlayerID> = []) {
    self.init()
    number = event.number
    atMs = event.atMs
    switch event.body {
    case .joined(let member): joined = WirePlayer(member)
    case .left(let place): left = WirePlace(place)
    case .held(let place): held = WirePlace(place)
    case .back(let place): back = WirePlace(place)
    case .host(let seat): host = seat.map { WirePlace(.seat($0)) } ?? WirePlace()
    case .phase(let change): phase = WirePhaseChanged(change, of: room)
    case .timeUp(let boardAtGameMs): timeUp.boardAtGameMs = boardAtGameMs
    case .chat(let place, let author, let text):
      chat = blocked.contains(author) ? WireChat(withheldFrom: place) : WireChat(place, text)
    case .captured(let seat, let capture): captured = WireCaptured(seat, capture)
    case .kicked(let place): hostAct.kicked = WirePlace(place)
    case .locked(let isLocked): hostAct.locked = isLocked
    }
  }
}

extension WireCaptured {
  init(_ seat: Int, _ capture: Capture) {
    self.init()
    self.seat = UInt32(seat)
    switch capture {
    case .area(let m2): areaM2 = m2
    case .land(let id, let time):
      var land = WireLandCapture()
      land.landID = id.description
      land.timeMs = time.wireMilliseconds
      self.land = land
    }
  }
}

extension WirePhaseChanged {
  init(_ change: PhaseChange, of room: RoomID) {
    self.init()
    switch change {
    case .lobby:
      phase = .lobby
    case .playing(let game, let endsAtGameMs):
      phase = .playing
      gameID = GameID(room: room, number: game).description
      self.endsAtGameMs = endsAtGameMs
    case .ended(let board):
      phase = .ended
      self.board = board.map(WireBoardRow.init)
    }
  }
}

extension WireBoardRow {
  init(_ row: BoardRow) {
    self.init()
    seat = UInt32(row.seat)
    if row.id.isWalker { walker = true } else { playerID = row.id.description }
    nickname = row.nickname
    rank = row.givenRank.map(UInt32.init) ?? 0
    points = row.points
    distanceM = UInt32(clamping: row.distanceMm / 1_000)
    timeS = row.time.wireMilliseconds / 1_000
    won = row.won
    completed = row.completed
    latePercent = UInt32(row.latePercent)
    withheldPercent = UInt32(row.withheldPercent)
  }
}

extension WirePhase {
  init(_ phase: Phase) {
    switch phase {
    case .lobby: self = .lobby
    case .playing: self = .playing
    case .ended: self = .ended
    }
  }
}

extension WireMode {
  init(_ mode: Mode) {
    guard let known = WireMode.allCases.first(where: { $0.rawValue == mode.rawValue + 1 }) else {
      preconditionFailure("the schema has every mode")
    }
    self = known
  }
}

extension Mode {
  /// The mode; nil for an unknown one. An absent one is footprint.
  init?(_ mode: WireMode) {
    if mode == .unspecified { self = .footprint } else { self.init(rawValue: mode.rawValue &- 1) }
  }
}

extension WireWalkerStrength {
  init(_ strength: WalkerStrength) {
    guard let known = WireWalkerStrength(rawValue: strength.rawValue + 1) else {
      preconditionFailure("the schema has every strength")
    }
    self = known
  }
}

extension WalkerStrength {
  /// The strength; nil for an absent one and for an unknown one.
  fileprivate init?(_ strength: WireWalkerStrength) {
    self.init(rawValue: strength.rawValue &- 1)
  }

  /// Whether a request names one, or none.
  static func isKnown(_ strength: WireWalkerStrength) -> Bool {
    strength == .unspecified || WalkerStrength(strength) != nil
  }
}

extension ArenaPlan {
  /// Reads a creator's settings.
  init(_ arena: WireArena) throws(SettingOutOfRange) {
    try self.init(
      center: arena.hasLatE7 ? Coordinate(latE7: arena.latE7, lngE7: arena.lngE7) : nil,
      cellM: arena.hasCellM ? Int(arena.cellM) : nil,
      cells: arena.hasCells ? Int(arena.cells) : nil
    )
  }
}

extension RoomConfiguration {
  /// Reads a creator's settings; an absent one takes the server's default, else the rules'.
  ///
  /// - Throws: `SettingOutOfRange`, naming the first such field.
  init(
    _ request: WireCreateRoom,
    _ mode: Mode,
    lands: [Land],
    of server: ServerConfiguration
  ) throws(SettingOutOfRange) {
    let arena = request.hasArena ? try ArenaPlan(request.arena) : .standard
    let requested: [ModeSettings] = [
      .territory(TerritorySettings(arena: arena, cutting: request.cutting)), .land(LandSettings(lands: lands)),
    ]
    try self.init(
      mode: ModeSettings(mode, from: requested),
      capacity: request.hasCapacity ? Int(request.capacity) : nil,
      duration: request.hasDurationS ? .seconds(Int(request.durationS)) : nil,
      tickHz: request.hasTickHz ? Int(request.tickHz) : server.tickHz,
      hostOnly: request.hasHostOnly ? request.hostOnly : nil,
      accountsOnly: request.hasAccountsOnly ? request.accountsOnly : nil,
      consent: request.hasConsent ? request.consent : nil,
      solo: request.hasSolo ? request.solo : nil,
      spectators: request.hasSpectators ? request.spectators : nil,
      speedMaxMmPerS: request.hasSpeedMaxMmS ? Int(request.speedMaxMmS) : nil,
      lateS: request.hasLateS ? Int(request.lateS) : nil,
      holdS: request.hasHoldS ? Int(request.holdS) : nil,
      withheldPercentMax: server.withheldPercentMax,
      fill: request.hasFill ? Int(request.fill) : nil,
      fillStrength: WalkerStrength(request.fillStrength)
    )
  }
}
