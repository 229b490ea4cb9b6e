// The faults of a fence that is made or imported. A plain value: a fence with a fault is refused as a whole.

/// The reason why a fence is refused.
package enum FenceFault: Error, Hashable, Sendable, CustomStringConvertible {
  case name(TextFault)
  case topic(TextFault)
  /// The seconds until `dwelled` are not 1 to 86,400.
  case dwellOutOfRange(Int64)
  /// A time is before 1970 or too far ahead to calculate with.
  case timeOutOfRange
  case closesBeforeOpening
  /// Larger than 64 KiB, as text of a list or encoded.
  case tooLarge(bytes: Int)

  /// The radius is not 5 m to 50 km.
  case radiusOutOfRange(mm: Int64)
  /// The coordinate with this index, from 0, is not on Earth; of a circle the centre, 0. West of the antimeridian is up
  /// to 180°, east of it from -180° on.
  case offTheMap(Int)
  /// The same coordinate is beyond ±85°.
  case nearPole(Int)
  /// The last coordinate is not the first.
  case notClosed
  case tooFewCorners
  case tooManyVertices(Int)
  /// The coordinate with this index, from 0, is more than 100 km from the first.
  case tooWide(Int)
  /// Two sides meet; the indices, from 0, are of the coordinates that the sides begin at.
  case crossesItself(Int, Int)
  /// The area divided by the perimeter is too small for anybody to be inside.
  case tooNarrow(halfDepthMm: Int64)

  package var description: String {
    switch self {
    case .name(let fault): "its name: \(fault)"
    case .topic(let fault): "its topic: \(fault)"
    case .dwellOutOfRange(let seconds):
      "\(seconds) s of dwelling is not within 1 to \(FenceRules.dwellRangeS.upperBound) s"
    case .timeOutOfRange: "its opening or closing is before 1970 or too far ahead"
    case .closesBeforeOpening: "it closes before it opens"
    case .tooLarge(let bytes): "the fence has \(bytes) bytes, more than \(FenceRules.bytesMax)"
    case .radiusOutOfRange(let mm): "a radius of \(mm) mm is not within 5 m to 50 km"
    case .offTheMap(let number): "coordinate \(number) is not on Earth: up to 180° east and west, 90° north and south"
    case .nearPole(let number): "coordinate \(number) is beyond 85° north or south"
    case .notClosed: "the polygon is not closed: its last coordinate is not its first"
    case .tooFewCorners: "the polygon has fewer than three different corners"
    case .tooManyVertices(let count):
      "the polygon has \(count) vertices, more than \(FenceRules.cornersRange.upperBound)"
    case .tooWide(let number): "coordinate \(number) is more than 100 km from the first"
    case .crossesItself(let first, let second):
      "the polygon crosses or touches itself: the sides that begin at coordinates \(first) and \(second) meet"
    case .tooNarrow(let mm): "its area divided by its perimeter is \(mm) mm, less than 1 m"
    }
  }

  /// The name in operators' output.
  package var code: String {
    switch self {
    case .name: "FENCE_NAME"
    case .topic: "FENCE_TOPIC"
    case .dwellOutOfRange: "FENCE_DWELL_OUT_OF_RANGE"
    case .timeOutOfRange: "FENCE_TIME_OUT_OF_RANGE"
    case .closesBeforeOpening: "FENCE_CLOSES_BEFORE_OPENING"
    case .tooLarge: "FENCE_TOO_LARGE"
    case .radiusOutOfRange: "FENCE_RADIUS_OUT_OF_RANGE"
    case .offTheMap: "FENCE_OFF_THE_MAP"
    case .nearPole: "FENCE_NEAR_POLE"
    case .notClosed: "FENCE_NOT_CLOSED"
    case .tooFewCorners: "FENCE_TOO_FEW_CORNERS"
    case .tooManyVertices: "FENCE_TOO_MANY_VERTICES"
    case .tooWide: "FENCE_TOO_WIDE"
    case .crossesItself: "FENCE_CROSSES_ITSELF"
    case .tooNarrow: "FENCE_TOO_NARROW"
    }
  }

  /// The fault of a coordinate with this index; nil where it is on the map.
  static func ofPlace(_ place: Coordinate, number: Int) -> FenceFault? {
    guard !PositionRules.isOnMap(place) else { return nil }
    let isOnEarth =
      abs(Int64(place.latE7)) <= 900_000_000 && abs(Int64(place.lngE7)) <= Int64(PositionRules.lngMaxE7)
    return isOnEarth ? .nearPole(number) : .offTheMap(number)
  }
}
