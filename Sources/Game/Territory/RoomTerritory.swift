// Territory mode in a room: its settings, and the public view of its arena, cells and paths. Part of `Room`.

extension ModeSettings {
  package static func territory(_ settings: TerritorySettings) -> ModeSettings {
    ModeSettings(.territory, settings)
  }

  fileprivate var territory: TerritorySettings? { own as? TerritorySettings }
}

extension RoomConfiguration {
  /// The plan of the arena; nil in other modes.
  package var arena: ArenaPlan? { modeSettings.territory?.arena }

  /// Whether an opponent who crosses an open path cuts it, in territory mode.
  package var cutting: Bool { modeSettings.territory?.cutting ?? false }
}

extension RoomGame {
  /// The game of territory mode; nil in other modes.
  fileprivate var territory: TerritoryGame? { mode as? TerritoryGame }
}

extension Room {
  /// The arena of territory mode, with its middle if known; nil in other modes.
  package var arena: ArenaPlan? { game.territory?.knownPlan }

  /// The open path of a seat, in order; empty where there is none.
  package func path(of seat: Int) -> [Coordinate] {
    guard phase == .playing, let territory = game.territory, let arena = territory.ground?.arena,
      territory.paths.indices.contains(seat), let path = territory.paths[seat]
    else { return [] }
    return path.points[path.startIndex...].map(arena.coordinate)
  }

  /// Appends all owned cells.
  package func appendCells(to tick: inout Tick) {
    game.territory?.ground?.grid.append(to: &tick)
  }
}
