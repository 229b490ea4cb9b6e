// The walks of practice opponents in territory mode: laps from one place, each in another direction, wider with time.
// Part of `TerritoryGame`. Pure.

extension TerritoryGame {
  /// The sum of two sides of the first laps. Half a lap is then further away than a path must have been to close.
  private static let halfLapMm: Int64 = 52_000
  /// With so many laps all around, the next ones are wider by half of the first.
  private static let lapsOfRound: Int64 = 8

  /// Practice opponents walk around the middle of the arena.
  func walkingOrigin(near first: Coordinate?) -> Coordinate? { ground?.arena.center }

  func place(of walk: Walk) -> Coordinate {
    var restMm = walk.distanceMm
    var lap: Int64 = 0
    while restMm >= 2 * halfLapMm(lap) {
      restMm -= 2 * halfLapMm(lap)
      lap += 1
    }
    let halfMm = halfLapMm(lap)
    let draw = Walk.mixed(walk.draw &+ UInt64(lap))
    // The sides differ from lap to lap, their sum does not.
    let lengthMm = halfMm * (42 + Int64(draw >> 8 & 0xF)) / 100
    let offset = Self.offset(after: restMm, lengthMm, halfMm - lengthMm)
    // Five is prime to sixteen: a lap leads where the ones before did not.
    return place(walk.start + offset.turned(by: walk.draw >> 4 &+ UInt64(lap) &* 5))
  }

  /// A cell's corner is not its middle: a lap around cells that are wide is wide as well.
  private func halfLapMm(_ lap: Int64) -> Int64 {
    let first = max(Self.halfLapMm, 3 * Int64(plan.cellM) * 1_000)
    return first + first / 2 * (lap / Self.lapsOfRound)
  }

  /// The place on a rectangle from its corner.
  private static func offset(after wayMm: Int64, _ lengthMm: Int64, _ widthMm: Int64) -> Walk.Offset {
    switch wayMm {
    case ..<lengthMm: Walk.Offset(eastMm: wayMm, northMm: 0)
    case ..<(lengthMm + widthMm): Walk.Offset(eastMm: lengthMm, northMm: wayMm - lengthMm)
    case ..<(2 * lengthMm + widthMm): Walk.Offset(eastMm: 2 * lengthMm + widthMm - wayMm, northMm: widthMm)
    default: Walk.Offset(eastMm: 0, northMm: 2 * (lengthMm + widthMm) - wayMm)
    }
  }

  /// A place as near to this one as the arena allows.
  private func place(_ offset: Walk.Offset) -> Coordinate {
    guard let arena = ground?.arena else { preconditionFailure("a walk has the arena's middle as its origin") }
    let insideMm = Int64(arena.sideMm / 2) - 1_000
    let x = Int64(arena.sideMm / 2) + min(max(offset.eastMm, -insideMm), insideMm)
    let y = Int64(arena.sideMm / 2) + min(max(offset.northMm, -insideMm), insideMm)
    return arena.coordinate(ArenaPoint(x: Int32(x), y: Int32(y)))
  }
}
