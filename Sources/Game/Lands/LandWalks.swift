// The walks of practice opponents in land mode: each goes around one of the lands again and again. Part of `LandGame`.
// Pure.

extension LandGame {
  /// Lands are where they are.
  func walkingOrigin(near first: Coordinate?) -> Coordinate? { lands.first?.vertices.first }

  func place(of walk: Walk) -> Coordinate {
    let first = Int(walk.gameDraw % UInt64(lands.count))
    let land = (first + walk.seat) % lands.count
    let lengthMm = max(1, milestonesMm[land].last ?? 1)
    let startMm = Int64(walk.draw >> 1) % lengthMm
    let wayMm = (startMm + walk.distanceMm) % lengthMm
    return lands[land].place(onRingAt: walk.draw & 1 == 0 ? wayMm : lengthMm - wayMm, milestonesMm[land])
  }
}

extension Land {
  /// The way along the ring from its first vertex to the end of each edge; the last is the ring's length.
  var milestonesMm: [Int64] {
    var wayMm: Int64 = 0
    return vertices.indices.map { index in
      wayMm += Geodesy.distanceMm(vertices[index], vertices[(index + 1) % vertices.count]) ?? 0
      return wayMm
    }
  }

  /// The place this far along the ring, by its milestones.
  fileprivate func place(onRingAt wayMm: Int64, _ milestonesMm: [Int64]) -> Coordinate {
    // The first edge that ends there or behind, by binary search.
    var edges = 0..<vertices.count - 1
    while !edges.isEmpty {
      let middle = edges.lowerBound + edges.count / 2
      if milestonesMm[middle] < wayMm {
        edges = middle + 1..<edges.upperBound
      } else {
        edges = edges.lowerBound..<middle
      }
    }
    let edge = edges.lowerBound
    let beforeMm = edge > 0 ? milestonesMm[edge - 1] : 0
    let edgeMm = max(1, milestonesMm[edge] - beforeMm)
    let (vertex, next) = (vertices[edge], vertices[(edge + 1) % vertices.count])
    let northE7 = (Int64(next.latE7) - Int64(vertex.latE7)) * (wayMm - beforeMm) / edgeMm
    let eastE7 = Geodesy.eastE7(from: vertex, to: next) * (wayMm - beforeMm) / edgeMm
    return Coordinate(
      latE7: Int32(Int64(vertex.latE7) + northE7),
      lngE7: Geodesy.longitudeE7(Int64(vertex.lngE7) + eastE7)
    )
  }
}
