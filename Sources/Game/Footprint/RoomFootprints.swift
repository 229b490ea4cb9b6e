// Footprint mode in a room: its settings, its part of a journal, and the public view of footprints. Part of `Room`.

extension ModeSettings {
  package static let footprint = ModeSettings(.footprint)
}

extension RoomGame {
  /// The footprints of a seat; none in other modes, whose journals write them all the same.
  func footprints(of seat: Int) -> FootprintScoring {
    (mode as? FootprintGame)?[seat] ?? FootprintScoring()
  }

  /// Sets the footprints of a seat, read from a journal.
  mutating func setFootprints(_ footprints: FootprintScoring, of seat: Int) {
    guard var game = mode as? FootprintGame else { return }
    game[seat] = footprints
    mode = game
  }
}

extension Room {
  /// The places where a seat has scored in the newest game, from south to north.
  package func footprints(seat: Int) -> [Coordinate] {
    game.runners.indices.contains(seat) ? Array(game.footprints(of: seat).footprints) : []
  }
}
