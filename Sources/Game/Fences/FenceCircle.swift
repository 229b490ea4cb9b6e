// A circle on the ground. A value; its maker has checked it.

/// A circle on the ground.
package struct FenceCircle: Hashable, Sendable {
  /// 5 m to 50 km.
  package static let radiusRangeMm: ClosedRange<Int64> = 5_000...50_000_000

  package let center: Coordinate
  package let radiusMm: Int64

  /// A circle around a centre on the map; it may reach beyond ±85°, where nobody is.
  ///
  /// - Throws: `offTheMap`, `nearPole` or `radiusOutOfRange`.
  package init(center: Coordinate, radiusMm: Int64) throws(FenceFault) {
    if let fault = FenceFault.ofPlace(center, number: 0) { throw fault }
    guard Self.radiusRangeMm.contains(radiusMm) else { throw .radiusOutOfRange(mm: radiusMm) }
    self.center = center
    self.radiusMm = radiusMm
  }

  /// How deep a place on the map lies inside, in mm; negative outside.
  func depthMm(of place: Coordinate) -> Int64 {
    radiusMm - (WideGeodesy.distanceMm(center, place) ?? WideGeodesy.farMm)
  }

  /// The area divided by the perimeter.
  var halfDepthMm: Int64 { radiusMm / 2 }

  var box: FenceBox { FenceBox(around: center, reachMm: radiusMm + radiusMm / 1_000 + 1_000) }
}
