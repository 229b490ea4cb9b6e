// The bounds of a piece of a path: a cheap check that excludes most pairs of steps. A value.

/// The bounds of some points.
struct Box: Sendable {
  private var lowX: Int32
  private var highX: Int32
  private var lowY: Int32
  private var highY: Int32

  init(_ a: ArenaPoint, _ b: ArenaPoint) {
    lowX = min(a.x, b.x)
    highX = max(a.x, b.x)
    lowY = min(a.y, b.y)
    highY = max(a.y, b.y)
  }

  mutating func add(_ point: ArenaPoint) {
    lowX = min(lowX, point.x)
    highX = max(highX, point.x)
    lowY = min(lowY, point.y)
    highY = max(highY, point.y)
  }

  /// Whether they have a point in common, including on their edges.
  func meets(_ other: Box) -> Bool {
    lowX <= other.highX && other.lowX <= highX && lowY <= other.highY && other.lowY <= highY
  }
}
