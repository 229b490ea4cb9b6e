// The players' accepted fixes in a game that is over, replayed from the room's journal. A value; replaying takes up to
// a second. A fix takes 16 bytes, and nothing else of the game is kept.

/// The tracks of a game.
package struct GameTracks: Sendable {
  /// A point of a player's track.
  package struct Point: Sendable {
    package let at: Instant
    package let coordinate: Coordinate

    package init(at: Instant, coordinate: Coordinate) {
      (self.at, self.coordinate) = (at, coordinate)
    }
  }

  /// The points of each seat, in the order in which they were judged.
  package let points: [[Point]]
  package let result: GameResult
  package let configuration: RoomConfiguration

  /// The tracks of a game whose replay stands at its beginning.
  ///
  /// - Throws: `JournalFault` when the journal does not have all of it.
  package init(_ beginning: GameReplay) throws(JournalFault) {
    var replay = beginning
    configuration = replay.room.configuration
    var points: [[Point]] = Array(repeating: [], count: configuration.capacity)
    var effects = Effects()
    while let (input, at) = try replay.next(into: &effects) {
      input.forEachJudgedFix(in: effects) { seat, fix, verdict in
        guard verdict == .accepted else { return }
        points[seat].append(Point(at: fix.time ?? at, coordinate: fix.coordinate))
      }
    }
    // A replay goes on until the result is there.
    guard let result = replay.result else { throw JournalFault(.noEnd, at: 0) }
    (self.points, self.result) = (points, result)
  }

  /// The tracks of game `number` of a room's journal.
  ///
  /// - Throws: `JournalFault` when the journal does not have it.
  package init(_ number: UInt32, in journal: [UInt8]) throws(JournalFault) {
    try self.init(try GameReplay(number, in: journal))
  }
}
