// A capsule in a watch, in eight bytes: a player in a dense city has 256 of them. A plain value.
// Decisions: 111 (docs/decisions).

/// A capsule by its offset from the centre of the watch's area, its number, and whether it can be opened.
struct WatchedCapsule: Hashable, Sendable {
  /// From the highest bit: the offset to the north, the offset to the east, the number, the flag.
  private var bits: UInt64

  private static let northBits = 18
  /// A kilometre at 85° is 1,032,000 of the 1,048,575 that they can hold.
  private static let eastBits = 21
  private static let flagBits = 1

  /// Nil for one that is too far from the centre: nothing within 1,000 m is.
  init?(_ capsule: NearCapsule, around center: Coordinate) {
    let northE7 = Int64(capsule.place.latE7) - Int64(center.latE7)
    let eastE7 = Geodesy.eastE7(from: center, to: capsule.place)
    guard Self.fits(northE7, Self.northBits), Self.fits(eastE7, Self.eastBits) else { return nil }
    let north = UInt64(bitPattern: northE7) << UInt64(64 - Self.northBits)
    let east = UInt64(bitPattern: eastE7) << UInt64(64 - Self.eastBits)
    bits = north | (east >> UInt64(Self.northBits)) | (UInt64(capsule.number) << UInt64(Self.flagBits))
  }

  private static func fits(_ offset: Int64, _ bits: Int) -> Bool {
    offset >> Int64(bits - 1) == (offset < 0 ? -1 : 0)
  }

  /// The offset from the centre, in 1e-7 degree.
  var northE7: Int64 { Int64(bitPattern: bits) >> Int64(64 - Self.northBits) }
  var eastE7: Int64 { Int64(bitPattern: bits << UInt64(Self.northBits)) >> Int64(64 - Self.eastBits) }

  var number: UInt32 { UInt32(truncatingIfNeeded: bits >> UInt64(Self.flagBits)) & Self.numberMask }
  private static let numberMask: UInt32 = (1 << UInt32(CapsuleID.numberBits)) - 1

  var isOpenable: Bool {
    get { bits & 1 == 1 }
    set { bits = bits & ~1 | (newValue ? 1 : 0) }
  }

  /// Whether both are the same capsule, whatever can be opened.
  func isSame(as other: WatchedCapsule) -> Bool { (bits ^ other.bits) >> UInt64(Self.flagBits) == 0 }

  /// The place, by the centre with which it was made.
  func place(around center: Coordinate) -> Coordinate {
    Coordinate(
      latE7: Int32(truncatingIfNeeded: Int64(center.latE7) + northE7),
      lngE7: Geodesy.longitudeE7(Int64(center.lngE7) + eastE7)
    )
  }

  func capsule(around center: Coordinate) -> NearCapsule {
    NearCapsule(number: number, place: place(around: center))
  }

  /// The order of equally near ones: by number, then by place.
  static func isBefore(_ left: WatchedCapsule, _ right: WatchedCapsule) -> Bool {
    (left.number, left.bits) < (right.number, right.bits)
  }
}
