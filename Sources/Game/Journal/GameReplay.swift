// One game, replayed from its room's journal. A value that advances input by input, so that its holder sees every
// moment of the game. It plays by the rules of this build; its holder compares them with the game's own version.
// Decisions: 040 (docs/decisions).

/// Replays a game.
package struct GameReplay: Sendable {
  /// The version of the rules that the game was played by.
  package let rulesVersion: UInt32
  /// The room after the newest input.
  package private(set) var room: Room
  /// The game's result; nil before its end.
  package private(set) var result: GameResult?

  private let number: UInt32
  private var reader: JournalReader
  /// Whether ticks can be gathered. The replay then carries its own room on: a state in the journal has carried other
  /// ticks.
  private let isGathered: Bool
  private var gathered: (broadcast: UInt64, event: UInt32) = (0, 0)
  private var gathering = Effects()

  /// Finds the game's beginning: the newest state before its start. `gather` requires `isGathered`.
  package init(_ number: UInt32, in journal: [UInt8], isGathered: Bool = false) throws(JournalFault) {
    self.isGathered = isGathered
    var reader = JournalReader(journal)
    let beginning = try reader.skip(
      toLast: { UInt64($0.gameNumber) + 1 == UInt64(number) },
      before: { $0.gameNumber >= number }
    )
    guard let beginning else { throw JournalFault(.noBeginning, at: 0) }
    self.number = number
    room = beginning.room
    self.reader = beginning.reader
    rulesVersion = beginning.reader.rulesVersion
  }

  /// Applies the next input and returns it; nil after the input that ended the game. A state on the way must equal the
  /// result of the inputs.
  package mutating func next(into effects: inout Effects) throws(JournalFault) -> (input: Input, at: Instant)? {
    while result == nil {
      guard let record = try reader.next() else { throw JournalFault(.noEnd, at: reader.position) }
      switch record {
      case .created: throw JournalFault(.impossible("second beginning"), at: reader.position)
      case .snapshot(let snapshot):
        guard !room.isClosed, room.isSameGame(as: snapshot) else {
          throw JournalFault(.differs, at: reader.position)
        }
        if !isGathered { room = snapshot }
      // A later game's.
      case .beginning: continue
      case .input(let input, let time):
        // After a restart, earlier changes are in no tick any more.
        if isGathered, case .restart = input { tickAtOnce() }
        try room.replay(input, at: time, into: &effects, from: reader)
        for case .gameEnded(let ended) in effects.outputs where ended.number == number {
          result = ended
        }
        return (input, time)
      }
    }
    return nil
  }

  /// Marks all changes since the last call as gathered, for a reader that has just seen the whole room.
  package mutating func skipGathering() {
    tickAtOnce()
    gathered = (room.broadcastNumber, room.lastEventNumber)
  }

  /// The number of events that are not gathered yet.
  package var ungatheredEvents: UInt32 { room.lastEventNumber - gathered.event }

  /// Gathers the changes since the last call as one tick; empty without changes. The game continues unchanged: the room
  /// gets the tick at the time of its newest input, when no deadline is due.
  ///
  /// - Throws: A fault when some of the events are kept no longer.
  package mutating func gather(into tick: inout Tick) throws(JournalFault) {
    tickAtOnce()
    guard room.mergeTicks(afterBroadcast: gathered.broadcast, afterEvent: gathered.event, into: &tick) else {
      throw JournalFault(.gap, at: reader.position)
    }
    gathered = (room.broadcastNumber, max(gathered.event, room.carriedEventNumber))
  }

  private mutating func tickAtOnce() {
    precondition(isGathered, "a replay that is not gathered takes the ticks of its journal")
    guard !room.isClosed, room.nextDeadline.map({ $0 > room.latest }) ?? true else { return }
    room.apply(.tick(through: .max), at: room.latest, into: &gathering)
  }
}
