// One player's run around a land: the vertices that the segments between their fixes have passed. A value; the caller
// knows the positions of the land's vertices.

/// A run around a land.
struct LandRun: Sendable {
  /// The index of the land in the room.
  let land: Int
  /// The time of the fix that began it.
  let beganAt: Instant
  private let vertexCount: Int
  private var visited: SlotSet
  private(set) var visitedCount = 0
  /// Its fixes that counted, the first one among them, and those of them that were withheld.
  private var fixCount: Int64 = 1
  private var withheldCount: Int64
  /// Whether the newest fix was too far from every vertex.
  var isWarned = false
  /// The newest fix that counted, if the segment to the next one may count.
  var last: PositionSample?

  /// A segment visits a vertex that it passes within this distance …
  static let visitReachMm: Int64 = 5_000
  /// … if its two fixes are at most this far apart in time.
  static let stepMaxMs: Int64 = 3_000

  init(of land: Int, vertices: Int, from sample: PositionSample, isWithheld: Bool) {
    self.land = land
    beganAt = sample.time
    vertexCount = vertices
    visited = SlotSet(count: vertices)
    withheldCount = isWithheld ? 1 : 0
    last = sample
  }

  /// The share of its fixes that were withheld, in per cent; rounded up.
  var withheldPercent: Int { Punctuality.percent(withheldCount, of: fixCount) }

  /// Continues to a fix: visits the vertices that the segment to it passes.
  mutating func walk(to sample: PositionSample, isWithheld: Bool, past land: Land) {
    fixCount += 1
    if isWithheld { withheldCount += 1 }
    defer { last = sample }
    guard let last, sample.time.milliseconds - last.time.milliseconds <= Self.stepMaxMs,
      let segment = LineSegment(from: last.coordinate, to: sample.coordinate, reachMm: Self.visitReachMm)
    else { return }
    land.forEachStretch {
      segment.mayPass($0, withinMm: $1)
    } body: { stretch in
      for vertex in stretch where segment.passes(land.vertices[vertex]) && !visited.contains(vertex) {
        visited.insert(vertex)
        visitedCount += 1
      }
    }
  }

  /// The time from its beginning to another moment; 0 if that is earlier, for fixes may be ahead of the server.
  func timeMs(at moment: Instant) -> Int64 {
    max(0, moment.milliseconds - beganAt.milliseconds)
  }
}

// In a journal.
extension LandRun {
  func write(to state: inout RecordWriter) {
    state.bytes.number(land)
    state.near(beganAt)
    state.bytes.number(fixCount)
    state.bytes.number(withheldCount)
    // A large land has thousands of vertices: one bit each.
    for first in stride(from: 0, to: vertexCount, by: 8) {
      state.bytes.byte(
        (first..<min(first + 8, vertexCount)).reduce(0) { $0 | (visited.contains($1) ? 1 << UInt8($1 - first) : 0) }
      )
    }
    state.bytes.flag(isWarned)
    state.bytes.flag(last != nil)
    last?.write(to: &state)
  }

  /// A run around one of these lands.
  init(in lands: [Land], from state: inout RecordReader) throws(JournalFault) {
    land = try state.bytes.number(in: 0...lands.count - 1, "land")
    beganAt = try state.near()
    fixCount = try state.tally("number of fixes")
    withheldCount = try state.bytes.number(in: 0...fixCount, "number of withheld fixes")
    vertexCount = lands[land].vertices.count
    visited = SlotSet(count: vertexCount)
    for first in stride(from: 0, to: vertexCount, by: 8) {
      let bits = try state.bytes.byte()
      try state.require(bits.leadingZeroBitCount >= 8 - min(8, vertexCount - first), "vertex")
      for bit in 0..<8 where bits >> UInt8(bit) & 1 == 1 { visited.insert(first + bit) }
    }
    visitedCount = visited.count
    isWarned = try state.bytes.flag()
    last = try state.bytes.flag() ? try PositionSample(from: &state) : nil
  }
}
