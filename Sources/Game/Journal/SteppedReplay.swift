// One game, replayed in steps of a second: each step gives the changes since the one before as one merged tick. A value
// that advances step by step. Operators' tracks and players' tracks are made of it.
// Decisions: 041 (docs/decisions).

/// Replays a game second by second.
package struct SteppedReplay: Sendable {
  /// The time of the game's start.
  package let startedAt: Instant
  private var replay: GameReplay
  /// The journal of a running game just ends.
  private let isRunning: Bool
  private var effects = Effects()
  private var dueMs = stepMs
  private var hasBegun = false
  private var isOver = false

  private static let stepMs: UInt32 = 1_000
  /// Far below the number of events that a room keeps.
  private static let eventsMax: UInt32 = 100

  /// The reason why a game can't be replayed, besides a fault of its journal.
  package enum Fault: Error, Sendable {
    /// The journal does not reach the game's start.
    case noStart
    /// The version of the rules that the game was begun by is not the present one.
    case otherRules(UInt32)
  }

  /// Plays up to the game's start.
  ///
  /// - Throws: `JournalFault`, `Fault`.
  package init(_ number: UInt32, in journal: [UInt8], isRunning: Bool = false) throws {
    replay = try GameReplay(number, in: journal, isGathered: true)
    guard replay.rulesVersion == RulesVersion.current else { throw Fault.otherRules(replay.rulesVersion) }
    self.isRunning = isRunning
    var startedAt: Instant?
    while startedAt == nil, let (_, at) = try Self.next(&replay, &effects, isRunning) {
      if replay.room.gameNumber == number { startedAt = at }
    }
    guard let startedAt else { throw Fault.noStart }
    self.startedAt = startedAt
  }

  /// The room after the newest step.
  package var room: Room { replay.room }

  /// The game's result; nil before its end.
  package var result: GameResult? { replay.result }

  /// Plays on until there are changes of about a second, and gathers them; false after the last ones. `took` is called
  /// with each input, its time, its effects, and the room behind it.
  package mutating func next(
    into tick: inout Tick,
    _ took: (Input, Instant, Effects, Room) -> Void = { _, _, _, _ in }
  ) throws -> Bool {
    if !hasBegun {
      hasBegun = true
      replay.skipGathering()
    }
    guard !isOver else { return false }
    while let (input, at) = try Self.next(&replay, &effects, isRunning) {
      took(input, at, effects, replay.room)
      let clockMs = replay.room.clockMs(at: at)
      guard clockMs >= dueMs || replay.ungatheredEvents >= Self.eventsMax else { continue }
      try replay.gather(into: &tick)
      dueMs = clockMs - clockMs % Self.stepMs + Self.stepMs
      if !tick.isEmpty { return true }
    }
    isOver = true
    try replay.gather(into: &tick)
    return !tick.isEmpty
  }

  /// Plays the next input; nil after the last.
  private static func next(
    _ replay: inout GameReplay,
    _ effects: inout Effects,
    _ isRunning: Bool
  ) throws(JournalFault) -> (input: Input, at: Instant)? {
    do throws(JournalFault) {
      return try replay.next(into: &effects)
    } catch {
      guard isRunning, error.reason == .noEnd else { throw error }
      return nil
    }
  }
}
