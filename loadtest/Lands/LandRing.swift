// A land as a room's state names it: a ring of vertices, on a plane of its own.
//
// A value.
import MadangProtocol

package struct LandRing: Sendable {
  package let id: String
  package let plane: Plane
  /// The vertices in order; the last is followed by the first.
  package let vertices: [Spot]

  /// The distance from a vertex within which a run begins, and beyond which the server warns.
  static let nearM = 10.0
  /// The margin within which a decision is too close to call.
  static let unclearM = 0.2

  /// Nil without a vertex.
  package init?(_ land: WireRoomLand) {
    guard let latE7 = land.latE7.first, let lngE7 = land.lngE7.first, land.latE7.count == land.lngE7.count else {
      return nil
    }
    id = land.landID
    let plane = Plane(latE7: latE7, lngE7: lngE7)
    self.plane = plane
    vertices = zip(land.latE7, land.lngE7).map { plane.spot(latE7: $0, lngE7: $1) }
  }

  package var lengthM: Double {
    vertices.indices.reduce(0) { $0 + vertices[$1].metres(to: vertices[($1 + 1) % vertices.count]) }
  }

  /// The number of vertices that must be visited: more than 95 of 100.
  package var needed: Int { vertices.count * 95 / 100 + 1 }

  func metres(to spot: Spot) -> Double {
    vertices.reduce(.infinity) { min($0, $1.metres(to: spot)) }
  }

  /// The nearest vertex.
  func vertex(nearest spot: Spot) -> Int {
    vertices.indices.min { vertices[$0].metres(to: spot) < vertices[$1].metres(to: spot) } ?? 0
  }

  /// The mean of its vertices.
  var middle: Spot {
    let sum = vertices.reduce(Spot(x: 0, y: 0)) { Spot(x: $0.x + $1.x, y: $0.y + $1.y) }
    return Spot(x: sum.x / Double(vertices.count), y: sum.y / Double(vertices.count))
  }
}
