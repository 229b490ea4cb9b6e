// A run of fixes that agree with each other: the player can have reached each from the ones before. A value that keeps
// the newest fix and about one a second of the last 30 s, in half a KB that is allocated with the first fix.

/// A fix with the time that the rules have admitted: at most 2 s ahead of the server.
package struct PositionSample: Hashable, Sendable {
  var coordinate: Coordinate
  /// Metres; of an accepted fix at most `PositionRules.accuracyMaxM`.
  var accuracyM: UInt32
  /// The fix's own time, or that of its arrival if it has none.
  var time: Instant

  /// The time from this fix to a later moment.
  func ageMs(at moment: Instant) -> Int64 {
    moment.milliseconds - time.milliseconds
  }
}

/// An accepted fix in 16 bytes: a trail has 32 of them.
private struct KeptSample: Sendable {
  private let coordinate: Coordinate
  /// The time in milliseconds, and eight bits of accuracy, which has at most 50 m.
  private let timeAndAccuracy: Int64

  init(_ sample: PositionSample) {
    coordinate = sample.coordinate
    timeAndAccuracy = sample.time.milliseconds << 8 | Int64(UInt8(clamping: sample.accuracyM))
  }

  var sample: PositionSample {
    PositionSample(
      coordinate: coordinate,
      accuracyM: UInt32(truncatingIfNeeded: timeAndAccuracy & 0xFF),
      time: Instant(milliseconds: timeAndAccuracy >> 8)
    )
  }
}

/// A run of fixes that agree with each other.
struct FixTrail: Sendable {
  /// The number of fixes so far.
  private(set) var count = 0
  private(set) var newest: PositionSample?
  private var oldestTime = Instant(milliseconds: 0)
  /// A ring of fixes at least a second apart, made with the first fix.
  private var samples: ContiguousArray<KeptSample> = []
  private var sampleCount = 0

  /// The least time between samples: 32 of them reach back 31 s or more.
  private static let sampleIntervalMs: Int64 = 1_000
  private static let samplesKept = 32

  /// The time from the first fix to the newest.
  var spanMs: Int64 {
    newest.map { $0.time.milliseconds - oldestTime.milliseconds } ?? 0
  }

  /// Whether `sample` was taken after the newest fix and is reachable at `speedMaxMmPerS` from it and from the fixes
  /// of about 10 s and 30 s ago. In a younger trail, its oldest sample replaces those.
  func agrees(with sample: PositionSample, speedMaxMmPerS: Int64) -> Bool {
    guard let newest else { return true }
    return sample.time > newest.time
      && Self.reaches(newest, sample, speedMaxMmPerS)
      && Self.reaches(reference(atLeastOldMs: PositionRules.shortPaceMs, at: sample.time), sample, speedMaxMmPerS)
      && Self.reaches(reference(atLeastOldMs: PositionRules.longPaceMs, at: sample.time), sample, speedMaxMmPerS)
  }

  /// The metres by which a fix that was taken after the newest one is beyond reach from it: at least 0, and at most
  /// `PositionRules.jumpMMax`, also of an empty trail.
  func metresBeyondReach(of sample: PositionSample, speedMaxMmPerS: Int64) -> Int64 {
    let mostM = PositionRules.jumpMMax
    guard let newest, let distanceMm = Geodesy.distanceMm(newest.coordinate, sample.coordinate) else { return mostM }
    return max(0, min(mostM, (distanceMm - Self.limitMm(from: newest, to: sample, speedMaxMmPerS)) / 1_000))
  }

  /// Continues with a fix that agrees.
  mutating func append(_ sample: PositionSample) {
    if count == 0 {
      oldestTime = sample.time
    }
    if samples.isEmpty {
      samples = ContiguousArray(repeating: KeptSample(sample), count: Self.samplesKept)
    }
    count += 1
    newest = sample
    if sampleCount == 0 || stored(sampleCount - 1).ageMs(at: sample.time) >= Self.sampleIntervalMs {
      samples[sampleCount % Self.samplesKept] = KeptSample(sample)
      sampleCount += 1
    }
  }

  mutating func removeAll() {
    count = 0
    newest = nil
    sampleCount = 0
  }

  /// The newest sample that is at least `ageMs` old, else the oldest one.
  private func reference(atLeastOldMs ageMs: Int64, at now: Instant) -> PositionSample {
    // Samples are in the order of their times, and at least a second apart: this one is old enough, and with a fix a
    // second the wanted one is at most one further.
    var index = max(0, sampleCount - Self.samplesKept, sampleCount - 1 - Int(ageMs / Self.sampleIntervalMs))
    while index + 1 < sampleCount, stored(index + 1).ageMs(at: now) >= ageMs { index += 1 }
    return stored(index)
  }

  private func stored(_ index: Int) -> PositionSample {
    samples[index % Self.samplesKept].sample
  }

  /// Whether a player can have come from one fix to a later one.
  static func reaches(_ from: PositionSample, _ to: PositionSample, _ speedMaxMmPerS: Int64) -> Bool {
    Geodesy.isWithin(limitMm(from: from, to: to, speedMaxMmPerS), from.coordinate, to.coordinate)
  }

  private static func limitMm(from: PositionSample, to: PositionSample, _ speedMaxMmPerS: Int64) -> Int64 {
    // A day at the greatest allowed speed exceeds any distance that is calculated.
    let elapsedMs = min(from.ageMs(at: to.time), 86_400_000)
    let toleranceM = min(from.accuracyM, to.accuracyM, PositionRules.toleranceMaxM)
    return speedMaxMmPerS * elapsedMs / 1_000 + Int64(toleranceM) * 1_000
  }
}

// In a journal: only the part that may still be needed, so that equal trails have equal bytes.
extension FixTrail {
  func write(to state: inout RecordWriter) {
    state.bytes.number(count)
    guard let newest else { return }
    newest.write(to: &state)
    state.near(oldestTime)
    state.bytes.number(sampleCount)
    for index in max(0, sampleCount - Self.samplesKept)..<sampleCount {
      stored(index).write(to: &state)
    }
  }

  init(from state: inout RecordReader) throws(JournalFault) {
    count = Int(try state.tally("number of fixes"))
    guard count > 0 else { return }
    let newest = try PositionSample(from: &state)
    self.newest = newest
    oldestTime = try state.near()
    sampleCount = try state.bytes.number(in: 1...count, "number of samples")
    samples = ContiguousArray(repeating: KeptSample(newest), count: Self.samplesKept)
    for index in max(0, sampleCount - Self.samplesKept)..<sampleCount {
      samples[index % Self.samplesKept] = KeptSample(try PositionSample(from: &state))
    }
  }
}

extension PositionSample {
  func write(to state: inout RecordWriter) {
    state.coordinate(coordinate)
    state.bytes.number(accuracyM)
    state.near(time)
  }

  /// Reads an accepted fix.
  init(from state: inout RecordReader) throws(JournalFault) {
    try self.init(judgedFrom: &state)
    try state.require(PositionRules.isOnMap(coordinate), "coordinate")
    try state.require(accuracyM <= PositionRules.accuracyMaxM, "accuracy")
  }

  /// Reads a judged fix, whatever the verdict.
  init(judgedFrom state: inout RecordReader) throws(JournalFault) {
    coordinate = try state.coordinate()
    accuracyM = try state.bytes.number(in: 0...UInt32.max, "accuracy")
    time = try state.near()
  }
}
