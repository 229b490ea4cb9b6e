// Territory mode in a room: what is shown of its arena, cells and paths. Part of `Room`.

extension RoomConfiguration {
  /// Where territory mode is played; nil in other modes.
  package var arena: ArenaPlan? {
    if case .territory(let settings) = modeSettings { settings.arena } else { nil }
  }

  /// In territory mode, an opponent who crosses an open path cuts it.
  package var cutting: Bool {
    if case .territory(let settings) = modeSettings { settings.cutting } else { false }
  }
}

extension Room {
  /// The arena of territory mode, with its middle if that is known; nil in other modes.
  package var arena: ArenaPlan? { game.mode.territory?.knownPlan }

  /// The open path of a seat, in order; empty where there is none.
  package func path(of seat: Int) -> [Coordinate] {
    guard phase == .playing, let territory = game.mode.territory, let arena = territory.ground?.arena,
      territory.paths.indices.contains(seat), let path = territory.paths[seat]
    else { return [] }
    return path.points[path.startIndex...].map(arena.coordinate)
  }

  /// Appends all cells that anybody holds.
  package func appendCells(to tick: inout Tick) {
    game.mode.territory?.ground?.grid.append(to: &tick)
  }
}
