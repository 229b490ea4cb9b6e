// All fences of a server, and the way from a place to those near it. An object that never changes: a change of fences
// makes a new one. Every player's watch reads it, on any shard.

/// All fences at one time.
///
/// About 350 bytes for a circle, and 8 a corner more for a polygon: 10,000 fences take 3 to 4 MB.
package final class FenceCatalogue: Sendable {
  /// The fences near a place.
  package struct Near: Hashable, Sendable {
    /// Their indices in `fences`, the nearest first; of equally near ones the one with the lowest identifier.
    package var indices: ContiguousArray<Int32>
    /// The distance of each, in mm; 0 inside.
    package var distancesMm: ContiguousArray<Int64>
    /// Whether there may be more within the distance that was asked for.
    package var isFull: Bool
  }

  /// Two catalogues with the same number have the same fences: each change of fences takes another one.
  package let generation: UInt64
  /// In the order of their identifiers.
  package let fences: ContiguousArray<Fence>
  private let boxes: ContiguousArray<FenceBox>
  private let tree: BoxTree

  /// The most fences of a catalogue: a watch has their indices in 16 bits.
  package static let countMax = 65_536

  /// A catalogue of some fences, up to `countMax`; of two with one identifier the later one counts.
  package init(_ fences: some Sequence<Fence>, generation: UInt64) {
    self.generation = generation
    var newest: [FenceID: Fence] = [:]
    for fence in fences { newest[fence.id] = fence }
    precondition(newest.count <= Self.countMax, "more fences than a watch can name")
    self.fences = ContiguousArray(newest.values.sorted { $0.id < $1.id })
    boxes = ContiguousArray(self.fences.map { $0.shape.box })
    tree = BoxTree(boxes)
  }

  /// The index of the fence with this identifier; nil without one.
  package func index(of id: FenceID) -> Int32? {
    var (low, high) = (0, fences.count)
    while low < high {
      let middle = (low + high) / 2
      if fences[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < fences.count && fences[low].id == id ? Int32(low) : nil
  }

  /// The fences whose boxes meet a box on the map, by their indices. It goes from its western side, `westE7`, so far to
  /// the east; all in 1e-7 degree.
  package func indices(southE7: Int64, northE7: Int64, westE7: Int64, widthE7: Int64) -> [Int32] {
    // A box across the antimeridian is found twice.
    var found: Set<Int32> = []
    tree.forEach(meeting: FenceBox(southE7: southE7, northE7: northE7, westE7: westE7, widthE7: widthE7)) {
      found.insert($0)
    }
    return found.sorted()
  }

  /// The height of a fence's box from south to north, in 1e-7 degree.
  package func heightE7(of index: Int32) -> Int64 {
    boxes[Int(index)].northE7 - boxes[Int(index)].southE7
  }

  /// The fences whose edge or inside is at most `withinMm`, up to 2 km, from a place on the map, at most `most` of
  /// them; none that has closed at `time`.
  package func nearest(to place: Coordinate, withinMm: Int64, most: Int, at time: Instant) -> Near {
    var candidates: [(leastMm: Int64, index: Int32)] = []
    let window = FenceBox(around: place, reachMm: withinMm + withinMm / 100 + 1_000)
    let cosine = Cosine.ofLatitude(latE7: max(abs(window.southE7), abs(window.northE7)))
    tree.forEach(meeting: window) { index in
      candidates.append((leastMm(to: place, of: Int(index), cosine: cosine), index))
    }
    candidates.sort { $0 < $1 }
    var found: [(distanceMm: Int64, index: Int32)] = []
    var last: (distanceMm: Int64, index: Int32) = (withinMm, .max)
    for (number, candidate) in candidates.enumerated() {
      // No further candidate can be nearer than the last one that has a place.
      guard (candidate.leastMm, candidate.index) <= last else { break }
      // A box across the antimeridian is found twice.
      if number > 0, candidates[number - 1].index == candidate.index { continue }
      let fence = fences[Int(candidate.index)]
      guard !fence.hasClosed(at: time) else { continue }
      let distance = (max(0, -fence.shape.depthMm(of: place)), candidate.index)
      guard distance <= last else { continue }
      found.append(distance)
      if found.count >= 2 * most { Self.keepNearest(&found, most, &last) }
    }
    Self.keepNearest(&found, most, &last)
    return Near(
      indices: ContiguousArray(found.map(\.index)),
      distancesMm: ContiguousArray(found.map(\.distanceMm)),
      isFull: found.count == most
    )
  }

  /// Keeps the nearest ones, in order.
  private static func keepNearest(
    _ found: inout [(distanceMm: Int64, index: Int32)],
    _ most: Int,
    _ last: inout (distanceMm: Int64, index: Int32)
  ) {
    found.sort { $0 < $1 }
    guard found.count > most else { return }
    found.removeSubrange(most...)
    if let furthest = found.last { last = furthest }
  }

  /// At most the distance from a place to a fence, from its box alone. `cosine` is that of the outermost latitude.
  private func leastMm(to place: Coordinate, of index: Int, cosine: Int64) -> Int64 {
    let (latE7, lngE7) = boxes[index].offsetsE7(of: place)
    let northMm = Geodesy.mm(ofE7: latE7)
    let eastMm = Geodesy.mm(ofE7: lngE7, times: cosine)
    let distanceMm = Geodesy.roundedSquareRoot(northMm * northMm + eastMm * eastMm)
    return max(0, distanceMm - distanceMm / 50 - 1_000)
  }
}
