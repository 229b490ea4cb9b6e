// Ticks, and messages to one player beside them, on the wire.
//
// Pure. A tick's columns go straight from the rules' arrays into the frame.
import Game
import Gateway
import MadangProtocol

extension Subprotocol {
  /// Appends a room's tick as a whole `ServerMessage`, blocked players' chats without their text.
  package func append(
    _ tick: borrowing Tick,
    of room: RoomID,
    withholding blocked: Set<PlayerID> = [],
    to bytes: inout [UInt8]
  ) {
    appendTick(
      number: tick.number,
      gameMs: tick.gameMs,
      seats: tick.seats,
      latE7: tick.latE7,
      lngE7: tick.lngE7,
      points: tick.points,
      events: tick.events.map { WireEvent($0, of: room, withholding: blocked) },
      cursors: tick.cursors.map(WireCursor.init),
      skipped: tick.skipped,
      cellStarts: tick.cellStarts,
      cellCounts: tick.cellCounts,
      cellSeats: tick.cellSeats,
      arena: tick.arena.map(WireArena.init),
      order: tick.order,
      to: &bytes
    )
  }
}

extension WireCursor {
  init(_ cursor: Cursor) {
    self.init()
    switch cursor.place {
    case .seat(let seat): self.seat = UInt32(seat)
    case .spectator(let number): spectator = UInt32(number)
    }
    upTo = cursor.upTo
  }
}

extension Tick {
  /// Whether anybody has chatted.
  var hasChats: Bool {
    events.contains { if case .chat = $0.body { true } else { false } }
  }

  /// Whether one of these players has chatted.
  func hasChats(of players: Set<PlayerID>) -> Bool {
    guard !players.isEmpty else { return false }
    return events.contains { event in
      if case .chat(_, let author, _) = event.body { players.contains(author) } else { false }
    }
  }
}

extension WireChat {
  init(_ place: Place, _ text: String) {
    self.init()
    switch place {
    case .seat(let seat): self.seat = UInt32(seat)
    case .spectator(let number): spectator = UInt32(number)
    }
    self.text = text
  }

  /// A chat of a player whom the receiver has blocked.
  init(withheldFrom place: Place) {
    self.init(place, "")
    withheld = true
  }
}

extension WireVerdict {
  /// A verdict on a fix; without one, a suspicion is over.
  init(_ verdict: FixVerdict?, isSuspect: Bool) {
    self.init()
    suspect = isSuspect
    if let verdict { fix = WireFixVerdict(verdict) }
  }
}

extension WireFixVerdict {
  init(_ verdict: FixVerdict) {
    self =
      switch verdict {
      case .accepted: .accepted
      case .repeated: .repeated
      case .setAside: .setAside
      case .inaccurate: .inaccurate
      case .tooOften: .tooOften
      case .outsideGame: .outsideGame
      case .notAfterLast: .notAfterLast
      case .tooFarAhead: .tooFarAhead
      case .tooOld: .tooOld
      case .offTheMap: .offTheMap
      case .mocked: .mocked
      case .tooFast: .tooFast
      case .jumping: .jumping
      }
  }
}

extension WireMoved {
  /// Counts verdicts. They are listed too for a player who asked for explanations.
  init(_ verdicts: some Sequence<FixVerdict>, through: Instant, explained: Bool) {
    self.init()
    throughMs = through.milliseconds
    var refusals = Counts<FixVerdict>()
    for verdict in verdicts {
      switch verdict {
      case .accepted: accepted += 1
      case .repeated: repeated += 1
      case .setAside: setAside += 1
      default:
        refused += 1
        refusals[verdict] += 1
      }
      if explained { self.verdicts.append(WireFixVerdict(verdict)) }
    }
    guard refused > 0 else { return }
    for verdict in FixVerdict.allCases where refusals[verdict] > 0 {
      var reason = WireFixCount()
      reason.verdict = WireFixVerdict(verdict)
      reason.count = UInt32(clamping: refusals[verdict])
      reasons.append(reason)
    }
  }
}

extension WirePath {
  init(_ change: PathChange) {
    self.init()
    switch change {
    case .opened: state = .open
    case .closed(let taken, let isEmpty):
      state = .taken
      areaM2 = taken
      if taken == 0 { reason = isEmpty ? .noCell : .alreadyYours }
    case .tooSmallLoop(let area):
      state = .looped
      areaM2 = area
    case .neverAwayLoop(let area):
      state = .looped
      reason = .neverAway
      areaM2 = area
    case .dropped(let end):
      state = .dropped
      reason =
        switch end {
        case .outsideArena: .outsideArena
        case .tooLong: .tooLong
        case .cut: .cut
        case .disbelieved: .suspected
        case .tooSmall: .tooSmall
        }
    }
  }
}

extension WireRun {
  /// A notification of a run around one of these lands.
  init(_ progress: RunProgress, _ lands: [Land]) {
    self.init()
    state =
      switch progress.state {
      case .tooFar: .tooFar
      case .running: .running
      case .warned: .warned
      case .captured: .captured
      case .givenUp: .givenUp
      }
    guard let index = progress.land else { return }
    landID = lands[index].id.description
    visited = UInt32(progress.visited)
    needed = UInt32(lands[index].visitsMin)
    elapsedMs = progress.time.wireMilliseconds
  }
}

extension WireArena {
  init(_ plan: ArenaPlan) {
    self.init()
    if let center = plan.center {
      latE7 = center.latE7
      lngE7 = center.lngE7
    }
    cellM = UInt32(plan.cellM)
    cells = UInt32(plan.cells)
  }
}
