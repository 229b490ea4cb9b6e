// The room of a running server, with the journal that its inputs go into: asked and changed in place, for thousands of
// positions a second. A value that can't be copied by accident. `Room` can: tests, replays and recovery compare its
// states. But another module that reads one member of a room in a class copies the whole room, so everything that a
// position or a tick asks for is asked here.
// Decisions: 102 (docs/decisions).

/// A room and its journal, which only `copy` copies.
package struct JournaledRoom: ~Copyable, Sendable {
  /// The result of an input, besides its effects.
  package struct Applied {
    /// The player in the input's place before it; nil for an input without a place, or of an empty one.
    package let author: PlayerID?
    /// Whether a deadline was due, so that the room has changed whatever became of the input.
    package let isDue: Bool
    /// Whether the journal has the input now.
    package var isKept = false
    /// Whether it is the first record since the last chunk.
    package var isFirstRecord = false
    // Of the effects, so that the caller looks at those only where there are any.
    package var answer = Effects.Answer.none
    package var hasOutputs = false
    package var hasVerdicts = false
    /// Whether it has made an event, which waits for its commit.
    package fileprivate(set) var hasEvents = false
  }

  /// The rest of a journal's chunk, besides its bytes.
  package struct TakenChunk {
    /// See `JournalWriter.inputBytes`.
    package fileprivate(set) var inputBytes = 0
    /// The number of the room's newest event.
    package fileprivate(set) var lastEvent: UInt32 = 0

    package init() {}
  }

  /// The number of its first bytes that positions and ticks look at, up to the order of the players.
  package static let hotBytes = 496

  // First what each position and each tick looks at, so that it shares lines of the processor's cache.
  private var journal: JournalWriter
  private var room: Room

  /// A new room. The journal begins with its making.
  package init(_ configuration: RoomConfiguration, seed: UInt64, at time: Instant) {
    room = Room(configuration, seed: seed, at: time)
    journal = JournalWriter()
    journal.create(configuration, seed: seed, at: time)
  }

  /// A restored room, whose journal continues with this chunk.
  package init(_ room: Room, nextChunk: UInt64) {
    self.room = room
    journal = JournalWriter(nextChunk: nextChunk)
  }

  /// A copy of the room, for requests that are rare.
  package var copy: Room { room }

  /// Applies an input, and appends it to the journal if it has changed the room.
  package mutating func apply(_ input: Input, at now: Instant, into effects: inout Effects) -> Applied {
    var applied = applyWithoutRecord(input, at: now, into: &effects)
    keep(input, &applied, at: now, isRefused: effects.answer.isRefusal)
    return consume applied
  }

  /// Applies the start of a game. If it starts, the journal gets `beginning` of the room before it, then the input.
  package mutating func applyStart(
    _ input: Input,
    at now: Instant,
    into effects: inout Effects,
    beginning: (_ before: Room, _ journal: inout JournalWriter) -> Void
  ) -> Applied {
    let before = room
    let isFirstRecord = journal.isEmpty
    var applied = applyWithoutRecord(input, at: now, into: &effects)
    if effects.answer == .ok { beginning(before.clearedForStart, &journal) }
    keep(input, &applied, at: now, isRefused: effects.answer.isRefusal)
    applied.isFirstRecord = isFirstRecord && !journal.isEmpty
    return applied
  }

  private mutating func applyWithoutRecord(_ input: Input, at now: Instant, into effects: inout Effects) -> Applied {
    let author = input.place.flatMap { room.roster.id(at: $0) }
    let isDue = room.nextDeadline.map { $0 <= now } ?? false
    let eventBefore = room.lastEventNumber
    room.apply(input, at: now, into: &effects)
    // Made at once: filled in step by step it would be copied.
    return Applied(
      author: author,
      isDue: isDue,
      answer: effects.answer,
      hasOutputs: !effects.outputs.isEmpty,
      hasVerdicts: !effects.verdicts.isEmpty,
      hasEvents: room.lastEventNumber != eventBefore
    )
  }

  /// Appends an input that has changed the room. A refused one has not, and a tick only reads, unless a deadline was
  /// due.
  private mutating func keep(_ input: Input, _ applied: inout Applied, at now: Instant, isRefused: Bool) {
    let isTick = if case .tick = input { true } else { false }
    guard applied.isDue || !isRefused && !isTick else { return }
    applied.isKept = true
    applied.isFirstRecord = journal.isEmpty
    if isRefused {
      journal.append(refused: input, at: now)
    } else {
      journal.append(input, from: applied.author, at: now)
    }
  }

  // The room.

  package var phase: Phase { room.phase }
  package var isClosed: Bool { room.isClosed }
  package var broadcastNumber: UInt64 { room.broadcastNumber }
  package var lastEventNumber: UInt32 { room.lastEventNumber }
  package var carriedEventNumber: UInt32 { room.carriedEventNumber }

  /// The number of the newest tick of this game, empty or not.
  package var lastTickNumber: UInt32 { room.lastTickNumber }
  /// Whether a player may not be in the room any more.
  package func isBarred(_ id: PlayerID) -> Bool { room.roster.barred.contains(id) }
  /// See `RoomGame.believedFix`.
  package func believedFix(seat: Int) -> PositionSample? { room.game.believedFix(seat: seat) }
  /// See `RoomGame.newestRows`.
  func newestRows(into rows: inout NewestRows) { room.game.newestRows(into: &rows) }

  /// See `Room.isSendable`, and the number of the newest event that a tick has carried.
  package func sending(through last: UInt32) -> (isAllowed: Bool, carriedEvent: UInt32) {
    (room.isSendable(through: last), room.carriedEventNumber)
  }

  /// See `Room.isSendable`.
  package func isSendable(through last: UInt32) -> Bool { room.isSendable(through: last) }

  /// See `Room.mergeTicks`.
  package func mergeTicks(
    afterBroadcast broadcast: UInt64,
    afterEvent number: UInt32,
    into tick: inout Tick
  ) -> Bool {
    room.mergeTicks(afterBroadcast: broadcast, afterEvent: number, into: &tick)
  }

  /// The next tick with work to do: the first boundary after `now` where changes wait or `isAwaited` is true, else the
  /// first at or after the next deadline. Nil when nothing is to come.
  package func nextTick(after now: Instant, through last: UInt32, isAwaited: Bool) -> Instant? {
    if isAwaited || room.hasChanges(through: last) { return room.nextTick(after: now) }
    // A deadline takes effect on the first tick at or after it.
    return room.nextDeadline.map { room.nextTick(after: Instant(milliseconds: max($0, now).milliseconds - 1)) }
  }

  // The journal.

  /// See `JournalWriter.byteCount`.
  package var journalBytes: Int { journal.byteCount }
  /// See `JournalWriter.inputBytes`.
  package var inputBytes: Int { journal.inputBytes }
  /// The number of the chunk that the gathered records, or the next ones, will be.
  package var nextChunk: UInt64 { journal.nextChunk }

  /// Writes the room down, so that it can be rebuilt without earlier records. Returns whether this is the first record
  /// since the last chunk.
  package mutating func writeSnapshot(at now: Instant) -> Bool {
    let isFirstRecord = journal.isEmpty
    journal.append(snapshotOf: room, at: now)
    return isFirstRecord
  }

  /// Appends the gathered records to `bytes` as one chunk.
  package mutating func takeChunk(into bytes: inout [UInt8]) -> TakenChunk {
    var taken = TakenChunk()
    taken.inputBytes = journal.inputBytes
    taken.lastEvent = room.lastEventNumber
    journal.take(into: &bytes)
    return taken
  }
}
