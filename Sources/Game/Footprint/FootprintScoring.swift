// Scoring of footprint mode for one player: a point for each new place. A value, owned by the `FootprintGame`. Other
// players' points do not matter to it, and it allocates for new footprints only.

/// The footprints of one player in one game.
struct FootprintScoring: Sendable {
  /// The least distance of a footprint from all others; a worse accuracy of the fix replaces it.
  static let apartMinMm: Int64 = 5_000
  /// The rate at which fixes are judged, by their own times: once a second on average, twice at once. A faster phone
  /// gains nothing, and a jittery one loses nothing.
  private static let rate = TokenRate(burst: 2, tokenMs: 1_000)

  /// One point for each footprint. Each tick tells it, so it is kept apart from the footprints.
  private(set) var points: UInt32 = 0
  /// The number of footprints that scored and whose places are forgotten.
  private var forgottenCount: UInt32 = 0
  private var bucket = TokenBucket(rate)
  private var recent = RecentFootprints()
  /// Sorted by latitude: the candidates near a fix lie side by side, a few out of the thousands of a long game.
  private(set) var footprints: ContiguousArray<Coordinate> = []

  /// Whether no judgement is still known.
  var isAsMade: Bool {
    footprints.isEmpty && forgottenCount == 0 && bucket == TokenBucket(Self.rate)
  }

  /// Starts again from nothing.
  mutating func reset() {
    footprints.removeAll(keepingCapacity: true)
    recent = RecentFootprints()
    points = 0
    forgottenCount = 0
    bucket = TokenBucket(Self.rate)
  }

  /// Forgets the places of the footprints; their points stay.
  mutating func forgetPlaces() {
    let points = points
    reset()
    footprints = []
    self.points = points
    forgottenCount = points
  }

  /// Judges a fix: true if it scores, and it then becomes a footprint. The first fix always scores.
  @inline(__always)
  mutating func judge(_ sample: PositionSample) -> Bool {
    guard bucket.take(at: sample.time, Self.rate) else { return false }
    let coordinate = sample.coordinate
    let apartMm = max(Self.apartMinMm, Int64(sample.accuracyM) * 1_000)
    if let newest = recent.newest, Geodesy.isCertainlyWithin(apartMm - 1, newest, coordinate) { return false }
    guard !isAnyCloser(than: apartMm, to: coordinate) else { return false }
    points += 1
    recent.append(coordinate)
    footprints.insert(coordinate, at: firstIndex(fromLatE7: Int64(coordinate.latE7)))
    return true
  }

  /// The newest footprints in the order in which they scored, at most this many and ``RecentFootprints/countMax``.
  func newest(_ count: Int) -> ArraySlice<Coordinate> { recent.newest(count) }

  private func isAnyCloser(than limitMm: Int64, to coordinate: Coordinate) -> Bool {
    let span = Geodesy.spanE7(of: limitMm, around: coordinate)
    let northernmostE7 = Int64(coordinate.latE7) + span.latE7
    for footprint in footprints[firstIndex(fromLatE7: Int64(coordinate.latE7) - span.latE7)...] {
      guard Int64(footprint.latE7) <= northernmostE7 else { return false }
      guard Geodesy.longitudeDeltaE7(footprint, coordinate) <= span.lngE7 else { continue }
      if let squared = Geodesy.squaredDistanceMm2(footprint, coordinate), squared < limitMm * limitMm {
        return true
      }
    }
    return false
  }

  /// The index of the first footprint at this latitude or north of it, by binary search.
  private func firstIndex(fromLatE7 latE7: Int64) -> Int {
    var range = 0..<footprints.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if Int64(footprints[middle].latE7) < latE7 {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}

// In a journal: the footprints from south to north, then the newest of them in the order in which they scored.
extension FootprintScoring {
  private static let forgottenMax = UInt32.max / 2

  func write(to state: inout RecordWriter) {
    bucket.write(to: &state)
    state.bytes.number(forgottenCount)
    state.bytes.number(footprints.count)
    for footprint in footprints { state.coordinate(footprint) }
    recent.write(to: &state)
  }

  init(from state: inout RecordReader) throws(JournalFault) {
    bucket = try TokenBucket(Self.rate, from: &state)
    forgottenCount = try state.bytes.number(in: 0...Self.forgottenMax, "number of forgotten footprints")
    let count = try state.bytes.count(bytesEach: 8, "number of footprints")
    footprints.reserveCapacity(count)
    // Version 6 has the number of each in the order in which they scored, version 5 knows no order.
    var numbers: [UInt32] = []
    for _ in 0..<count {
      let footprint = try state.coordinateOnMap()
      try state.require(footprints.last.map { $0.latE7 <= footprint.latE7 } ?? true, "order of footprints")
      footprints.append(footprint)
      guard state.rulesVersion < 7 else { continue }
      var number = UInt32(footprints.count)
      if state.rulesVersion == 6 { number = try state.bytes.number(in: 1...UInt32(count), "number of a footprint") }
      numbers.append(number)
    }
    points = forgottenCount + UInt32(count)
    guard state.rulesVersion < 7 else {
      recent = try RecentFootprints(of: count, from: &state)
      return
    }
    for index in numbers.indices.sorted(by: { numbers[$0] < numbers[$1] }) { recent.append(footprints[index]) }
  }
}
