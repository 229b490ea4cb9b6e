// A tree over boxes, so that those near a place are found without a look at each: packed once from its leaves up, and
// never changed. A value; equal boxes in equal order make equal trees.

/// A tree over boxes on the map, each with a number.
struct BoxTree: Sendable {
  /// Bounds in 1e-7 degree. None lies across the antimeridian: a box there has two entries.
  private struct Node: Sendable {
    var south: Int32
    var north: Int32
    var west: Int32
    var east: Int32

    func meets(_ other: Node) -> Bool {
      south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }

    mutating func include(_ other: Node) {
      south = min(south, other.south)
      north = max(north, other.north)
      west = min(west, other.west)
      east = max(east, other.east)
    }
  }

  private static let childrenMax = 16

  /// The leaves, then each level above them, up to the root.
  private var nodes: ContiguousArray<Node> = []
  /// The first node of each level.
  private var levels: [Int] = []
  /// The number of each leaf's box.
  private var numbers: ContiguousArray<Int32> = []

  /// A tree over boxes, numbered from 0.
  init(_ boxes: some Sequence<FenceBox>) {
    var leaves: [(node: Node, number: Int32)] = []
    for (number, box) in boxes.enumerated() {
      leaves += Self.nodes(of: box).map { ($0, Int32(number)) }
    }
    Self.packInTiles(&leaves)
    nodes = ContiguousArray(leaves.map(\.node))
    numbers = ContiguousArray(leaves.map(\.number))
    levels = [0]
    var level = 0..<nodes.count
    while level.count > 1 {
      levels.append(nodes.count)
      for first in stride(from: level.lowerBound, to: level.upperBound, by: Self.childrenMax) {
        var parent = nodes[first]
        for child in first..<min(first + Self.childrenMax, level.upperBound) { parent.include(nodes[child]) }
        nodes.append(parent)
      }
      level = levels[levels.count - 1]..<nodes.count
    }
  }

  /// Visits the number of each box that meets another one; a number comes twice where both its parts do.
  func forEach(meeting box: FenceBox, body: (Int32) -> Void) {
    guard !nodes.isEmpty else { return }
    for window in Self.nodes(of: box) { visit(levels.count - 1, nodes.count - 1, window, body) }
  }

  private func visit(_ level: Int, _ index: Int, _ window: Node, _ body: (Int32) -> Void) {
    guard nodes[index].meets(window) else { return }
    guard level > 0 else { return body(numbers[index]) }
    let first = levels[level - 1] + (index - levels[level]) * Self.childrenMax
    for child in first..<min(first + Self.childrenMax, levels[level]) { visit(level - 1, child, window, body) }
  }

  private static func nodes(of box: FenceBox) -> [Node] {
    box.parts.map { part in
      Node(
        south: Int32(clamping: box.southE7),
        north: Int32(clamping: box.northE7),
        west: Int32(clamping: part.westE7),
        east: Int32(clamping: part.eastE7)
      )
    }
  }

  /// Orders leaves so that those in a row are near each other: in columns of about as many leaves as the columns have
  /// rows of nodes, each column from south to north (Leutenegger, Lopez and Edgington's sort-tile-recursive).
  private static func packInTiles(_ leaves: inout [(node: Node, number: Int32)]) {
    let parents = (leaves.count + childrenMax - 1) / childrenMax
    var columns = 1
    while columns * columns < parents { columns += 1 }
    let columnCount = childrenMax * ((parents + columns - 1) / columns)
    leaves.sort { Self.key($0.node.west, $0.node.east, $0.number) < Self.key($1.node.west, $1.node.east, $1.number) }
    for first in stride(from: 0, to: leaves.count, by: max(1, columnCount)) {
      leaves[first..<min(first + columnCount, leaves.count)].sort {
        Self.key($0.node.south, $0.node.north, $0.number) < Self.key($1.node.south, $1.node.north, $1.number)
      }
    }
  }

  /// Twice the middle of an extent, then the number.
  private static func key(_ low: Int32, _ high: Int32, _ number: Int32) -> (Int64, Int32) {
    (Int64(low) + Int64(high), number)
  }
}
