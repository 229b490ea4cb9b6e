// One game, played again from its room's journal. A value that goes on input by input, so that whoever holds it sees every
// moment of the game. It plays by the rules of this build; whether they are the game's own is its holder's to compare.
// Decisions: 040 (docs/decisions).

/// Plays a game again.
package struct GameReplay: Sendable {
  /// The version of the rules that the game was played by.
  package let rulesVersion: UInt32
  /// The room as it is behind the newest input.
  package private(set) var room: Room
  /// How the game came out; nil before its end.
  package private(set) var result: GameResult?

  private let number: UInt32
  private var reader: JournalReader
  /// What the room has told is gathered on the way: a state in the journal has told other ticks.
  private let isGathered: Bool
  private var gathered: (broadcast: UInt64, event: UInt32) = (0, 0)
  private var gathering = Effects()

  /// Finds the game's beginning: the newest state before its start. With `isGathered`, `gather` may be called.
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

  /// Applies the next input and tells which it was; nil behind the one that ended the game. A state on the way must be what
  /// the inputs have led to.
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
      // Of a later game.
      case .beginning: continue
      case .input(let input, let time):
        // What has changed is not told any more behind a restart.
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

  /// What has changed since this was called last is taken for told: for who has just looked at the whole room.
  package mutating func skipGathering() {
    tickAtOnce()
    gathered = (room.broadcastNumber, room.lastEventNumber)
  }

  /// How many events have happened since.
  package var ungatheredEvents: UInt32 { room.lastEventNumber - gathered.event }

  /// Gathers what has changed since this was called last, as one tick; empty when nothing has. The game goes on as it would
  /// have: the room is asked at the time of the newest input, when nothing is left that time alone would do.
  ///
  /// - Throws: when some of the events are kept no longer.
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
