// One player's fixes in a game that is over, replayed from the room's journal. A value;
// replaying takes up to a second.

/// A player's accepted fixes, and whether they are believed.
package struct PlayerTrack: Sendable {
  /// In the order of the fixes' times.
  package let places: [Coordinate]
  /// Whether the player was never suspect in the game, sent no mocked fix, and withheld no more than a ranking takes.
  package let isBelieved: Bool
  package let result: GameResult

  /// The version of the rules that the game was begun by is not the present one.
  package struct OtherRules: Error {}

  /// The track of a seat's player in game `number` of a room's journal.
  ///
  /// - Throws: `JournalFault` where the journal does not have the game, `OtherRules`.
  package init(ofSeat seat: Int, inGame number: UInt32, of journal: [UInt8]) throws {
    var replay = try GameReplay(number, in: journal)
    guard replay.rulesVersion == RulesVersion.current else { throw OtherRules() }
    var places: [Coordinate] = []
    var isForged = false
    var effects = Effects()
    while let (input, _) = try replay.next(into: &effects) {
      guard replay.room.gameNumber == number else { continue }
      input.forEachJudgedFix(in: effects) { from, fix, verdict in
        guard from == seat else { return }
        if verdict == .accepted { places.append(fix.coordinate) }
        if verdict == .mocked { isForged = true }
      }
      for case .verdict(.seat(seat), _, suspect: true) in effects.outputs { isForged = true }
      if replay.room.isSuspect(seat: seat) { isForged = true }
    }
    guard let result = replay.result else { throw JournalFault(.noEnd, at: journal.count) }
    let withheldPercent = result.board.first { $0.seat == seat }?.withheldPercent ?? 0
    let withheldPercentMax = replay.room.configuration.withheldPercentMax
    self.places = places
    self.result = result
    isBelieved = !isForged && Int(withheldPercent) <= Int(withheldPercentMax)
  }
}
