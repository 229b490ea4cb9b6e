// The public view of footprint mode in a room. Part of `Room`.

extension Room {
  /// The places where a seat has scored in the newest game, from south to north.
  package func footprints(seat: Int) -> [Coordinate] {
    game.runners.indices.contains(seat) ? Array(game.mode.footprints(of: seat).footprints) : []
  }
}
