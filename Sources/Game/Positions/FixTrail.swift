// A run of fixes that agree with each other: the player can have reached each from the ones before. A value that keeps
// the newest fix and about one a second of the last 30 s, in half a KB that is allocated with the first fix. Fixes that
// come more often need no look into it: the samples to compare with are kept beside it.

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
  static let none = KeptSample(
    PositionSample(coordinate: Coordinate(latE7: 0, lngE7: 0), accuracyM: 0, time: Instant(milliseconds: 0))
  )

  private let coordinate: Coordinate
  /// The time in milliseconds, and eight bits of accuracy, which has at most 50 m.
  private let timeAndAccuracy: Int64

  init(_ sample: PositionSample) {
    coordinate = sample.coordinate
    timeAndAccuracy = sample.time.milliseconds << 8 | Int64(UInt8(clamping: sample.accuracyM))
  }

  /// Milliseconds since the epoch.
  var timeMs: Int64 { timeAndAccuracy >> 8 }

  var sample: PositionSample {
    PositionSample(
      coordinate: coordinate,
      accuracyM: UInt32(truncatingIfNeeded: timeAndAccuracy & 0xFF),
      time: Instant(milliseconds: timeMs)
    )
  }
}

/// The sample that fixes are compared with until a time, in milliseconds since the epoch.
private struct ReferenceSample: Sendable {
  static let none = ReferenceSample(kept: .none, untilMs: .min)

  let kept: KeptSample
  let untilMs: Int64
}

/// A run of fixes that agree with each other.
struct FixTrail: Sendable {
  /// The number of fixes so far.
  private(set) var count = 0
  /// Without fixes it means nothing, and neither do the samples.
  private var keptNewest = KeptSample.none
  private var shortReference = ReferenceSample.none
  private var longReference = ReferenceSample.none
  private var newestSampleMs: Int64 = 0
  private var sampleCount = 0
  private var oldestTime = Instant(milliseconds: 0)
  /// A ring of fixes at least a second apart, made with the first fix.
  private var samples: ContiguousArray<KeptSample> = []

  /// The least time between samples: 32 of them reach back 31 s or more.
  private static let sampleIntervalMs: Int64 = 1_000
  private static let samplesKept = 32

  var newest: PositionSample? { count > 0 ? keptNewest.sample : nil }

  /// The time from the first fix to the newest.
  var spanMs: Int64 { count > 0 ? keptNewest.timeMs - oldestTime.milliseconds : 0 }

  /// Whether `sample` was taken after the newest fix and is reachable at `speedMaxMmPerS` from it and from the fixes
  /// of about 10 s and 30 s ago. In a younger trail, its oldest sample replaces those. The times of the samples that it
  /// is asked about never fall.
  mutating func agrees(with sample: PositionSample, speedMaxMmPerS: Int64) -> Bool {
    guard let newest else { return true }
    guard sample.time > newest.time, Self.reaches(newest, sample, speedMaxMmPerS) else { return false }
    let nowMs = sample.time.milliseconds
    if nowMs >= shortReference.untilMs { shortReference = reference(atLeastOldMs: PositionRules.shortPaceMs, nowMs) }
    guard Self.reaches(shortReference.kept.sample, sample, speedMaxMmPerS) else { return false }
    if nowMs >= longReference.untilMs { longReference = reference(atLeastOldMs: PositionRules.longPaceMs, nowMs) }
    return Self.reaches(longReference.kept.sample, sample, speedMaxMmPerS)
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
    count += 1
    keptNewest = KeptSample(sample)
    if sampleCount == 0 || sample.time.milliseconds - newestSampleMs >= Self.sampleIntervalMs { keepNewest() }
  }

  mutating func removeAll() {
    count = 0
    sampleCount = 0
    shortReference = .none
    longReference = .none
  }

  private mutating func keepNewest() {
    if samples.isEmpty {
      samples = ContiguousArray(repeating: keptNewest, count: Self.samplesKept)
    }
    samples[sampleCount % Self.samplesKept] = keptNewest
    sampleCount += 1
    newestSampleMs = keptNewest.timeMs
  }

  /// The newest sample that is at least `ageMs` old, else the oldest one, until the next sample is as old.
  private func reference(atLeastOldMs ageMs: Int64, _ nowMs: Int64) -> ReferenceSample {
    // Samples are in the order of their times, and at least a second apart: this one is old enough, and with a fix a
    // second the wanted one is at most one further.
    var index = max(0, sampleCount - Self.samplesKept, sampleCount - 1 - Int(ageMs / Self.sampleIntervalMs))
    while index + 1 < sampleCount {
      let untilMs = stored(index + 1).timeMs + ageMs
      if untilMs > nowMs { return ReferenceSample(kept: stored(index), untilMs: untilMs) }
      index += 1
    }
    // Another one may come at any time.
    return ReferenceSample(kept: stored(index), untilMs: nowMs)
  }

  private func stored(_ index: Int) -> KeptSample {
    samples[index % Self.samplesKept]
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
      stored(index).sample.write(to: &state)
    }
  }

  init(from state: inout RecordReader) throws(JournalFault) {
    count = Int(try state.tally("number of fixes"))
    guard count > 0 else { return }
    let newest = try PositionSample(from: &state)
    keptNewest = KeptSample(newest)
    oldestTime = try state.near()
    sampleCount = try state.bytes.number(in: 1...count, "number of samples")
    samples = ContiguousArray(repeating: keptNewest, count: Self.samplesKept)
    let oldestIndex = max(0, sampleCount - Self.samplesKept)
    for index in oldestIndex..<sampleCount {
      let sample = KeptSample(try PositionSample(from: &state))
      let isLater = index == oldestIndex || sample.timeMs - newestSampleMs >= Self.sampleIntervalMs
      try state.require(isLater, "time of a sample")
      samples[index % Self.samplesKept] = sample
      newestSampleMs = sample.timeMs
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
