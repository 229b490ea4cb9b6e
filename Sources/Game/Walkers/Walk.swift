// The way of a practice opponent: where they are after so many millimetres. Pure, whole numbers only, so that a replay
// walks the same way on every machine. A mode whose ground decides the way has its own (`ModeRules.place(of:)`).

/// One practice opponent's walk in one game.
struct Walk: Hashable, Sendable {
  /// The place around which everybody walks.
  let origin: Coordinate
  /// The length of the way so far.
  let distanceMm: Int64
  let seat: Int
  /// Numbers drawn for the game, and for this walk alone.
  let gameDraw: UInt64
  let draw: UInt64

  init(seat: Int, game: UInt32, seed: UInt64, origin: Coordinate, distanceMm: Int64) {
    self.origin = origin
    self.distanceMm = distanceMm
    self.seat = seat
    gameDraw = Self.mixed(seed &+ Self.mixed(UInt64(game)))
    draw = Self.mixed(gameDraw &+ UInt64(seat) &+ 1)
  }

  /// A number of the same chance as any other (SplitMix64).
  static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A place seen from the origin.
  struct Offset: Hashable, Sendable {
    var eastMm: Int64
    var northMm: Int64

    /// The offset turned by sixteenths of a full turn, to the left.
    func turned(by sixteenths: UInt64) -> Offset {
      let cosine = Self.cosine(sixteenths)
      let sine = Self.cosine(sixteenths &+ 12)
      return Offset(
        eastMm: (eastMm * cosine - northMm * sine) >> Self.fractionBits,
        northMm: (eastMm * sine + northMm * cosine) >> Self.fractionBits
      )
    }

    static func + (left: Self, right: Self) -> Self {
      Offset(eastMm: left.eastMm + right.eastMm, northMm: left.northMm + right.northMm)
    }

    private static let fractionBits: Int64 = 14
    private static let cosines: [Int64] = [
      16_384, 15_137, 11_585, 6_270, 0, -6_270, -11_585, -15_137,
      -16_384, -15_137, -11_585, -6_270, 0, 6_270, 11_585, 15_137,
    ]

    private static func cosine(_ sixteenths: UInt64) -> Int64 { cosines[Int(sixteenths & 15)] }
  }

  /// The beginning of the walk: 30 to 45 m from the origin, in another direction than the neighbouring seats'.
  var start: Offset {
    let awayMm = 30_000 + Int64(draw >> 8 & 0xFF) * 15_000 / 255
    return Offset(eastMm: awayMm, northMm: 0).turned(by: gameDraw &+ UInt64(seat) &* 5)
  }

  /// A coordinate on the plane around the origin.
  func coordinate(_ offset: Offset) -> Coordinate {
    Plane(around: origin).coordinate(eastMm: offset.eastMm, northMm: offset.northMm)
  }

  /// The place on a spiral with right angles, which leads over new ground all the time.
  var placeOnSpiral: Coordinate {
    var offset = Offset(eastMm: 0, northMm: 0)
    var restMm = distanceMm
    var leg: Int64 = 0
    while restMm > 0 {
      let stepMm = min(restMm, (leg / 2 + 1) * Self.spiralGapMm)
      switch leg & 3 {
      case 0: offset.eastMm += stepMm
      case 1: offset.northMm += stepMm
      case 2: offset.eastMm -= stepMm
      default: offset.northMm -= stepMm
      }
      restMm -= stepMm
      leg += 1
    }
    return coordinate(start + offset.turned(by: draw >> 16))
  }

  /// The distance between neighbouring arms of the spiral.
  private static let spiralGapMm: Int64 = 12_000
}
