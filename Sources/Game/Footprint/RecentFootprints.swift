// The newest footprints of one player, in the order in which they scored. A value, owned by a `FootprintScoring`. No
// judgement of the rules depends on more than the newest of them: whole states show the others.

/// A ring of the newest footprints.
struct RecentFootprints: Sendable {
  /// The greatest number of them. A long game has thousands, and a state shows a few.
  static let countMax = 64

  private var ring: ContiguousArray<Coordinate> = []
  /// The newest one, near which a walker mostly is.
  private(set) var newest: Coordinate?
  /// The index of the oldest once the ring is full; the next one replaces it.
  private var oldest: UInt8 = 0

  var isEmpty: Bool { ring.isEmpty }

  mutating func append(_ footprint: Coordinate) {
    newest = footprint
    guard ring.count == Self.countMax else {
      if ring.isEmpty { ring.reserveCapacity(Self.countMax) }
      return ring.append(footprint)
    }
    ring[Int(oldest)] = footprint
    oldest = oldest + 1 < Self.countMax ? oldest + 1 : 0
  }

  /// The newest ones, oldest first, at most this many.
  func newest(_ count: Int) -> ArraySlice<Coordinate> {
    (Array(ring[Int(oldest)...]) + ring[..<Int(oldest)]).suffix(count)
  }
}

// In a journal: oldest first. Their number follows from that of all footprints.
extension RecentFootprints {
  func write(to state: inout RecordWriter) {
    for footprint in newest(Self.countMax) { state.coordinate(footprint) }
  }

  init(of footprintCount: Int, from state: inout RecordReader) throws(JournalFault) {
    for _ in 0..<min(footprintCount, Self.countMax) { append(try state.coordinateOnMap()) }
  }
}
