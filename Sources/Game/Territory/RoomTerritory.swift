// Territory mode in a room: whose fix lays the arena, whose points change. Part of `Room`.

extension Room {
  /// A player's fix counts, and has taken them from one place to another.
  mutating func walk(
    _ seat: Int,
    from before: Coordinate?,
    to coordinate: Coordinate,
    at now: Instant,
    into outputs: inout [Effect]
  ) {
    if seat == hostSeat { territory?.lay(around: coordinate) }
    guard let area = territory?.walk(seat, from: before, to: coordinate, at: now, into: &outputs) else { return }
    pointsOrder += 1
    while let changed = territory?.popChangedSeat() {
      changedSeats.insert(changed)
      runners[changed].pointsOrder = pointsOrder
    }
    record(.captured(seat: seat, .area(m2: area)), at: now)
  }

  /// The arena of territory mode, with its middle if that is known; nil in other modes.
  package var arena: ArenaPlan? { territory?.knownPlan }

  /// The open path of a seat, in order; empty where there is none.
  package func path(of seat: Int) -> [Coordinate] {
    guard phase == .playing, let arena = territory?.ground?.arena, let paths = territory?.paths,
      paths.indices.contains(seat), let path = paths[seat]
    else { return [] }
    return path.points[path.startIndex...].map(arena.coordinate)
  }

  /// Appends all cells that anybody holds.
  package func appendCells(to tick: inout Tick) {
    territory?.ground?.grid.append(to: &tick)
  }
}
