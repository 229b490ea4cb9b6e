// Footprint mode in a room: what is shown of it. Part of `Room`.

extension Room {
  /// Where a seat has scored in the newest game, from south to north.
  package func footprints(seat: Int) -> [Coordinate] {
    game.runners.indices.contains(seat) ? Array(game.mode.footprints(of: seat).footprints) : []
  }
}
