// Territory mode in a room: the public view of its arena, cells and paths. Part of `Room`.

extension RoomConfiguration {
  /// The plan of the arena; nil in other modes.
  package var arena: ArenaPlan? {
    if case .territory(let settings) = modeSettings { settings.arena } else { nil }
  }

  /// Whether an opponent who crosses an open path cuts it, in territory mode.
  package var cutting: Bool {
    if case .territory(let settings) = modeSettings { settings.cutting } else { false }
  }
}

extension Room {
  /// The arena of territory mode, with its middle if known; nil in other modes.
  package var arena: ArenaPlan? { game.mode.territory?.knownPlan }

  /// The open path of a seat, in order; empty where there is none.
  package func path(of seat: Int) -> [Coordinate] {
    guard phase == .playing, let territory = game.mode.territory, let arena = territory.ground?.arena,
      territory.paths.indices.contains(seat), let path = territory.paths[seat]
    else { return [] }
    return path.points[path.startIndex...].map(arena.coordinate)
  }

  /// Appends all owned cells.
  package func appendCells(to tick: inout Tick) {
    game.mode.territory?.ground?.grid.append(to: &tick)
  }
}
