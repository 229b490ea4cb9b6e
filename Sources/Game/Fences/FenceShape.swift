// The two shapes of a fence under one name. A plain value.

/// The shape of a fence.
package enum FenceShape: Hashable, Sendable {
  case circle(FenceCircle)
  case polygon(FencePolygon)

  /// How deep a place on the map lies inside, in mm: the distance to the edge, negative outside. Of a polygon at most
  /// `FencePolygon.depthMaxMm` to either side.
  package func depthMm(of place: Coordinate) -> Int64 {
    switch self {
    case .circle(let circle): circle.depthMm(of: place)
    case .polygon(let polygon): polygon.depthMm(of: place)
    }
  }

  /// The area divided by the perimeter, in mm: half the radius of a circle.
  package var halfDepthMm: Int64 {
    switch self {
    case .circle(let circle): circle.halfDepthMm
    case .polygon(let polygon): polygon.halfDepthMm
    }
  }

  /// The box around it.
  var box: FenceBox {
    switch self {
    case .circle(let circle): circle.box
    case .polygon(let polygon): polygon.box
    }
  }
}
