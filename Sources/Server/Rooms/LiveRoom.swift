// A room with people in it: the rules' room, its attending sessions, and its journal.
//
// Owned by one shard. The rules decide; this object feeds them, records each input, and carries out the effects.
// LiveRoomTicks.swift has the messages to its players, LiveRoomSessions.swift their sessions.
// Decisions: 031, 128 (docs/decisions).
import Game
import Gateway
import Locks
import MadangProtocol
import Net
import Store

final class LiveRoom: RecordLog {
  // First what each position and each tick looks at, so that it shares lines of the processor's cache.
  let id: RoomID
  let context: RoomContext
  /// The room's state and journal. This file changes them; others look at `played`.
  private let ownPlayed: Exclusive<JournaledRoom>
  var played: JournaledRoom { _read { yield ownPlayed.value } }
  /// A copy of the room, for everything that is rarer than positions and ticks.
  var room: Room { played.copy }
  /// The room's number among those of its shard; timers name it.
  let number: Int
  private(set) var isClosed = false
  /// Players ask the host to let them in.
  var hasAsks = false
  /// The room goes on on another shard.
  var hasMoved = false
  /// A message for one player alone waits for a tick.
  var hasNotifications = false
  /// Whether a game is on; every position looks at it.
  private(set) var isPlaying: Bool
  /// The number of the newest committed event: ticks carry none beyond.
  private(set) var committedEvent: UInt32
  /// By place, seats at even and spectators at odd indices, up to the highest attended one.
  private(set) var attendees: ContiguousArray<Attendee?> = []
  /// The hints of the attendees' connections.
  private(set) var hints = AttendeeHints()
  let schedule: SnapshotSchedule
  var timer: TimerID?
  /// The time of the next timer: a moment of the room's tick.
  var tickDue: Instant?
  let tickIntervalMs: Int64
  /// The number of members who wait for a tick even if nothing changes any more.
  var awaitingCount = 0
  /// The attendees' connections, whose moves are read right before a tick.
  let readGroup = ReadGroup()
  /// The tick before had such moves: more of them are expected for the next one.
  var expectsMoves = false

  let place: RoomPlace
  /// Nil for a restored room.
  let creator: RoomCreator?
  /// The pace of members who have asked for none.
  let pace: TickPace
  /// See `TickPace.isLarge`.
  let isLarge: Bool
  /// In a large room: the newest broadcast with rows; members may lack some of them.
  var rowsBroadcast: UInt64 = 0
  /// The parts of the present tick that are still to be sent.
  var deliveries: [TickDelivery] = []
  // For operators.
  private(set) var refusedFixes = RefusedFixes()
  /// The players of whom webhooks were told that they are suspect.
  var suspects: Set<PlayerID> = []
  /// The room's figures in the shard's census.
  private(set) var figures: RoomCensus.Entry

  /// A new room.
  init(
    _ context: RoomContext,
    _ id: RoomID,
    _ place: RoomPlace,
    number: Int,
    _ configuration: RoomConfiguration,
    by creator: RoomCreator,
    seed: UInt64
  ) {
    self.context = context
    self.id = id
    self.place = place
    self.number = number
    self.creator = creator
    schedule = SnapshotSchedule()
    tickIntervalMs = configuration.tickInterval.wholeMilliseconds
    pace = TickPace(configuration)
    isLarge = TickPace.isLarge(configuration)
    ownPlayed = Exclusive(JournaledRoom(configuration, seed: seed, at: context.now))
    figures = RoomCensus.Entry(ownPlayed.value.copy)
    isPlaying = false
    committedEvent = 0
    context.journal.add(RoomChange.open(RoomRow(id: id, code: place.code.bits, openedAt: context.now)))
    context.journal.note(self)
    context.notify(.roomOpened(id, configuration.mode, isSolo: configuration.solo))
    context.census.add(figures)
    arm()
  }

  /// A restored room, whose clock has stood still for `downtime`.
  init(_ context: RoomContext, _ restored: RestoredRoom, _ place: RoomPlace, number: Int, downtime: Duration) {
    self.context = context
    id = restored.id
    self.place = place
    self.number = number
    creator = nil
    ownPlayed = Exclusive(JournaledRoom(restored.room, nextChunk: restored.nextChunk))
    tickIntervalMs = restored.room.configuration.tickInterval.wholeMilliseconds
    pace = TickPace(restored.room.configuration)
    isLarge = TickPace.isLarge(restored.room.configuration)
    figures = RoomCensus.Entry(restored.room)
    isPlaying = restored.room.phase == .playing
    schedule = SnapshotSchedule(restoredWith: restored.visitors)
    committedEvent = restored.room.lastEventNumber
    context.census.add(figures)
    suspects = suspectMembers
    _ = apply(.restart(downtime: downtime))
  }

  /// A lobby that has come from another shard, with everything committed. It has no timer before its players are there.
  init(_ context: RoomContext, _ moved: MovedRoom, number: Int) {
    self.context = context
    id = moved.id
    place = RoomPlace(code: moved.code, shard: context.core.index)
    self.number = number
    creator = moved.creator
    ownPlayed = Exclusive(JournaledRoom(moved.room, nextChunk: moved.nextChunk))
    tickIntervalMs = moved.room.configuration.tickInterval.wholeMilliseconds
    pace = TickPace(moved.room.configuration)
    isLarge = TickPace.isLarge(moved.room.configuration)
    figures = RoomCensus.Entry(moved.room)
    isPlaying = false
    schedule = SnapshotSchedule(moved.schedule)
    committedEvent = moved.room.lastEventNumber
    rowsBroadcast = moved.rowsBroadcast
    refusedFixes = moved.refusedFixes
    suspects = moved.suspects
    context.census.add(figures)
  }

  /// Feeds the rules with one input and carries out their effects.
  func apply(_ input: Input) -> Effects.Answer {
    precondition(!isClosed && !hasMoved, "a room that is closed or elsewhere takes no input")
    let context = context
    let now = context.now
    let applied =
      input.startsGame
      ? applyStart(input, at: now) : ownPlayed.value.apply(input, at: now, into: &context.effects.value)
    if applied.isFirstRecord { context.journal.note(self) }
    if applied.isKept { noteKept() }
    // Nobody waits for the commit of a position alone.
    if applied.hasEvents || applied.isKept && !input.isMove { context.journal.touch() }
    // The room is silent about the verdicts on a batch, which its answer has.
    if applied.hasOutputs || applied.hasVerdicts { noteFindings(input, applied.author) }
    if applied.hasOutputs { carryOut(context.effects.value.outputs) }
    // A fix that changes the census also notifies its player.
    if applied.hasOutputs || applied.isDue || !(input.isTick || input.isMove) { recount() }
    if applied.hasEvents, hasAsks, !isClosed { context.hostMayHaveChanged(place.code) }
    // The next tick is set behind the broadcast of this one.
    if !input.isTick { arm() }
    return applied.answer
  }

  /// Updates the shard's census to the room's present state.
  private func recount() {
    let now = RoomCensus.Entry(room)
    if now.kind.phase == .playing, !isPlaying { context.gameBegan() }
    isPlaying = now.kind.phase == .playing
    guard now != figures, !isClosed else { return }
    context.census.remove(figures)
    context.census.add(now)
    figures = now
  }

  private func carryOut(_ outputs: [Effect]) {
    for output in outputs {
      switch output {
      case .verdict(let place, let verdict, let isSuspect):
        if verdict == nil { context.statistics.value.clearances += 1 }
        notify(place, .verdict(WireVerdict(verdict, isSuspect: isSuspect)))
        noteSuspicion(of: place, isSuspect)
      case .path(let place, let change): notify(place, .path(WirePath(change)))
      case .run(let place, let progress):
        notify(place, .run(WireRun(progress, room.configuration.lands)))
      case .landRun(let result, let capturedAt):
        // A fix may be a little ahead of the server.
        context.journal.add(RoomChange.addLandRun(result, at: min(capturedAt, context.now)))
      case .placed(let player, let newPlace):
        context.journal.add(RoomChange.addPresence(player, id))
        schedule.note(visitor: player)
        move(player, to: newPlace)
      case .removed(let player, let oldPlace):
        tellBelief(of: player, at: oldPlace)
        endSuspicion(of: player)
        context.directory.leave(player, place.group)
        let attendee = attendee(at: oldPlace)
        if attendee?.session.state.identity?.player == player {
          set(nil, at: oldPlace)
          exit(attendee)
        }
      case .gameEnded(let result):
        for attendee in attendees { attendee?.forgetGoingOn() }
        endGame(result)
      case .closed: close()
      }
    }
  }

  /// Keeps fixes that the player is notified of, for operators.
  private func noteFindings(_ input: Input, _ author: PlayerID?) {
    if case .move(.seat(let seat), let fix) = input, case .judged(let verdict) = context.effects.value.answer {
      noteFinding(verdict, fix, seat, author)
    } else if case .moves(.seat(let seat), let batch) = input {
      for (fix, verdict) in zip(batch.fixes, context.effects.value.verdicts) { noteFinding(verdict, fix, seat, author) }
    }
  }

  private func noteFinding(_ verdict: FixVerdict, _ fix: Fix, _ seat: Int, _ author: PlayerID?) {
    guard verdict.isNotified, let author, let member = room.member(at: .seat(seat)) else { return }
    let refusal = RefusedFixes.Refusal(verdict, of: fix, at: context.now, after: room.lastFix(seat: seat))
    refusedFixes.note(refusal, of: author, member.nickname)
    context.fixRefused()
  }

  func forgetOldRefusedFixes() { refusedFixes.forgetOld(at: context.now) }

  /// Keeps a message for one player until the next tick.
  func notify(_ place: Place, _ notification: WireServerMessage.OneOf_Body) {
    guard let attendee = attendee(at: place) else { return }
    // At a game's start clients drop the messages of the game before, so its notifications come after the start.
    let leavesSoon = attendee.keepsUp && played.isSendable(through: committedEvent)
    if attendee.sendWithTick(notification, isSoon: leavesSoon) { hasNotifications = true }
  }

  func exit(_ attendee: Attendee?) {
    guard let attendee else { return }
    setAwaiting(attendee, false)
    attendee.exit()
  }

  private func close() {
    isClosed = true
    disarm()
    context.journal.add(RoomChange.close(id))
    for member in room.members { tellBelief(of: member.id, at: member.place) }
    for player in suspects.sorted() { endSuspicion(of: player) }
    context.census.remove(figures)
    for member in room.members { context.directory.leave(member.id, place.group) }
    for index in attendees.indices {
      guard let attendee = attendees[index] else { continue }
      exit(attendee)
      attendees[index] = nil
      // A player who has not got the room's state yet is answered that there is no room.
      if attendee.awaitsState { continue }
      attendee.session.send(.roomClosed(WireRoomClosed()), after: context.journal)
    }
    context.notify(.roomClosed(id))
    context.directory.removeGroup(place.group.id)
    context.openRooms.remove(by: creator)
    context.roomClosed(place.code)
  }

  /// A game is on, or its end is still to be sent.
  var isAwaited: Bool { room.phase == .playing || room.phase == .ended && room.hasChanges(through: .max) }

  func set(_ attendee: Attendee?, at place: Place) {
    let index = place.attendeeIndex
    while attendees.count <= index, attendee != nil { attendees.append(nil) }
    if attendees.indices.contains(index) { attendees[index] = attendee }
    hints = hints.with(attendee?.sendingHints, at: index)
    attendee?.setHints(in: self)
  }

  /// The hints of the room itself, for its shard.
  var ownHints: GroupHints {
    let played = MemoryHint(ownPlayed.memory(bytes: JournaledRoom.hotBytes))
    return GroupHints(MemoryHint(self, bytes: 160), played, MemoryHint(schedule, bytes: 48))
  }
}

// The journal.
extension LiveRoom {
  /// The bytes of the journal that no piece has yet. Snapshots don't count: they are written in proportion to received
  /// inputs.
  var gatheredBytes: Int { played.inputBytes }

  private func noteKept() {
    if !isClosed, schedule.noteInput(), !played.isClosed { writeSnapshot() }
  }

  /// Writes a snapshot, from which the room can be rebuilt without earlier records.
  func writeSnapshot() {
    if ownPlayed.value.writeSnapshot(at: context.now) { context.journal.note(self) }
    context.journal.add(RoomChange.markSnapshot(id))
    schedule.begin(with: room, gathered: played.inputBytes)
  }

  /// The subset of these players whom the room shows, or whom its journal since the newest snapshot may name.
  func known(of players: Set<PlayerID>) -> Set<PlayerID> {
    var known = players.intersection(schedule.visitors)
    for player in refusedFixes.entries.keys where players.contains(player) { known.insert(player) }
    room.forEachShown { if players.contains($0) { known.insert($0) } }
    return known
  }

  /// Erases players' texts and paths, here and from later records; earlier records are not needed any more. Returns the
  /// bytes of the journal that this takes.
  @discardableResult
  func erase(_ players: [PlayerID]) -> Int {
    let known = known(of: Set(players))
    guard !known.isEmpty else { return 0 }
    let before = played.journalBytes
    for player in players where known.contains(player) && !isClosed {
      refusedFixes.forget(player)
      _ = apply(.erase(player))
    }
    if !isClosed { writeSnapshot() }
    return played.journalBytes - before
  }

  /// Starts a game. Its journal begins with the room before the start, with which a replay begins too.
  private func applyStart(_ input: Input, at now: Instant) -> JournaledRoom.Applied {
    var hasSnapshot = false
    let applied = ownPlayed.value.applyStart(input, at: now, into: &context.effects.value) { before, journal in
      hasSnapshot = schedule.allows(
        snapshotOf: JournalWriter.bytesExpected(ofSnapshot: before),
        gathered: journal.inputBytes
      )
      if hasSnapshot {
        journal.append(snapshotOf: before, at: now)
        schedule.begin(with: before, gathered: journal.inputBytes)
      } else {
        journal.append(beginningOf: before, at: now)
      }
    }
    guard applied.answer == .ok else { return applied }
    if hasSnapshot { context.journal.add(RoomChange.markSnapshot(id)) }
    let (room, game) = (room, GameID(room: id, number: room.gameNumber))
    context.journal.add(RoomChange.beginGame(game))
    context.notify(.gameBegan(game, players: room.members.count))
    disarm()
    return applied
  }

  private func endGame(_ result: GameResult) {
    let row = GameRow(
      id: GameID(room: id, number: result.number),
      mode: room.configuration.mode,
      startedAt: result.startedAt,
      endedAt: result.endedAt,
      rulesVersion: RulesVersion.current,
      playersCount: result.board.count,
      fingerprint: result.fingerprint,
      land: room.configuration.lands.count == 1 ? room.configuration.lands.first?.id : nil
    )
    context.notify(.gameEnded(row.id, players: row.playersCount, after: result.endedAt - result.startedAt))
    context.journal.add(GameChange.end(row, result.rows(of: row))) { [self] outcome in
      guard case .awarded(let awards) = outcome else { return }
      for award in awards { attendee(of: award.player)?.session.send(badge: award.badge) }
    }
    noteEnd(row, result.board)
  }

  /// Moves the records that no segment has into one, and returns the number of the room's newest event.
  func moveRecords(to segment: inout Segment) -> UInt32 {
    var taken = JournaledRoom.TakenChunk()
    segment.append(id) { taken = ownPlayed.value.takeChunk(into: &$0) }
    schedule.take(taken.inputBytes)
    return taken.lastEvent
  }

  /// Every event up to this one is committed.
  func committed(throughEvent number: UInt32) {
    committedEvent = max(committedEvent, number)
    arm()
  }
}

extension Place {
  /// The place's index among a room's attendees: even for seats, odd for spectators.
  var attendeeIndex: Int {
    switch self {
    case .seat(let seat): seat << 1
    case .spectator(let number): number << 1 | 1
    }
  }
}

extension Input {
  fileprivate var isTick: Bool { if case .tick = self { true } else { false } }
  fileprivate var isMove: Bool { if case .move = self { true } else { false } }
  fileprivate var startsGame: Bool { if case .startGame = self { true } else { false } }
}
