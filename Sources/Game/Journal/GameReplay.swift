// One game, played again from its room's journal. A value that goes on input by input, so that whoever holds it sees every
// moment of the game. It plays by the rules of this build; whether they are the game's own is its holder's to compare.

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

  /// Finds the game's beginning: the newest state before its start.
  package init(_ number: UInt32, in journal: [UInt8]) throws(JournalFault) {
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
        room = snapshot
      case .input(let input, let time):
        try room.replay(input, at: time, into: &effects, from: reader)
        for case .gameEnded(let ended) in effects.outputs where ended.number == number {
          result = ended
        }
        return (input, time)
      }
    }
    return nil
  }
}
