// The outline of a polygon in a few vertices, for pictures of it: the shape itself has up to a thousand.

extension FencePolygon {
  /// Up to `verticesMax` of the corners in order, at least three: the ones that matter most for the shape. The last is
  /// followed by the first.
  package func outline(verticesMax: Int) -> [Coordinate] {
    let corners = corners
    let points = ContiguousArray(corners.map { PlanePoint($0, from: corners[0]) })
    return RingOutline.corners(of: points, toleranceMm: 0, cornersMax: verticesMax).map { corners[$0] }
  }
}
