// The rules against forged positions: they judge a player's fixes. A value beside each seat that lives as long as the
// player has the seat, over several games. It scores nothing and knows no room. A refused fix leaves only the count of
// refusals and the candidates for a new anchor.

/// Judges the fixes of one player.
struct FixFilter: Sendable {
  /// The judgement of a fix.
  enum Judgement: Hashable, Sendable {
    /// Ignored without blame: too many fixes, or too bad an accuracy.
    case ignored
    case refused(FixRefusal)
    /// The player's new position. It counts for distance and points, unless the player is suspect or it is the new
    /// anchor that ends the suspicion.
    case accepted(PositionSample, counts: Bool)
  }

  private let speedMaxMmPerS: Int64
  private static let bucketAsMade = TokenBucket(
    burst: PositionRules.fixesAtOnce,
    tokenMs: PositionRules.fixIntervalMs
  )
  private var bucket = bucketAsMade
  /// The accepted fixes.
  private var accepted = FixTrail()
  /// The next anchor: fixes that agree with each other while the player is suspect or too fast.
  private var candidate = FixTrail()
  /// The times of the newest refusals, oldest first; enough of them to detect too many.
  private var refusals: ContiguousArray<Instant> = []
  private(set) var isSuspect = false

  /// Whether no judgement is still known.
  var isAsMade: Bool {
    bucket == Self.bucketAsMade && accepted.count == 0 && candidate.count == 0 && refusals.isEmpty && !isSuspect
  }

  /// The newest accepted fix.
  var newest: PositionSample? { accepted.newest }

  init(speedMaxMmPerS: Int) {
    self.speedMaxMmPerS = Int64(speedMaxMmPerS)
  }

  /// Judges a fix that has reached the server at `now`.
  ///
  /// A fix may be ignored first; then the refusals are checked in the order of `FixRefusal`.
  mutating func judge(_ fix: Fix, at now: Instant) -> Judgement {
    guard bucket.take(at: now), let accuracyM = fix.accuracyM, accuracyM <= PositionRules.accuracyMaxM else {
      return .ignored
    }
    // Fixes without a time that the network delivered together have one arrival: no one's fault.
    if fix.time == nil, let newest = accepted.newest, newest.arrival == now { return .ignored }
    let sample = PositionSample(coordinate: fix.coordinate, accuracyM: accuracyM, time: fix.time ?? now, arrival: now)
    if let refusal = refusal(of: sample, mocked: fix.mocked) {
      candidate.removeAll()
      return refuse(refusal, at: now)
    }

    let isInPace = accepted.agrees(with: sample, speedMaxMmPerS: speedMaxMmPerS)
    if isInPace, !isSuspect {
      candidate.removeAll()
      accepted.append(sample)
      return .accepted(sample, counts: true)
    }
    if !candidate.agrees(with: sample, speedMaxMmPerS: speedMaxMmPerS) {
      candidate.removeAll()
    }
    candidate.append(sample)
    if candidate.count >= PositionRules.anchorFixes, candidate.spanMs >= PositionRules.anchorMs {
      anchor()
      return .accepted(sample, counts: false)
    }
    if isInPace {
      accepted.append(sample)
      return .accepted(sample, counts: false)
    }
    return refuse(.tooFast, at: now)
  }

  /// The refusal of a fix by itself, without the trail. Its time is only compared: it may be any number.
  private func refusal(of sample: PositionSample, mocked: Bool) -> FixRefusal? {
    let time = sample.time.milliseconds
    let now = sample.arrival.milliseconds
    if let newest = accepted.newest, sample.time <= newest.time { return .notAfterLast }
    if time > now + PositionRules.aheadMaxMs { return .tooFarAhead }
    if time < now - PositionRules.behindMaxMs { return .tooOld }
    guard PositionRules.isOnMap(sample.coordinate) else { return .offTheMap }
    return mocked ? .mocked : nil
  }

  private mutating func refuse(_ refusal: FixRefusal, at now: Instant) -> Judgement {
    if refusals.count == PositionRules.suspectRefusals {
      refusals.removeFirst()
    }
    refusals.append(now)
    if refusals.count == PositionRules.suspectRefusals,
      now.milliseconds - refusals[0].milliseconds < PositionRules.suspectWindowMs
    {
      isSuspect = true
    }
    return .refused(refusal)
  }

  /// Accepts the candidates as true. Earlier refusals are forgiven with the suspicion; otherwise the next one would
  /// renew it.
  private mutating func anchor() {
    swap(&accepted, &candidate)
    candidate.removeAll()
    refusals.removeAll(keepingCapacity: true)
    isSuspect = false
  }
}

// In a journal. The greatest speed is the room's setting.
extension FixFilter {
  func write(to state: inout RecordWriter) {
    bucket.write(to: &state)
    accepted.write(to: &state)
    candidate.write(to: &state)
    state.bytes.flag(isSuspect)
    state.bytes.number(refusals.count)
    for refusal in refusals {
      state.past(refusal)
    }
  }

  init(speedMaxMmPerS: Int, from state: inout RecordReader) throws(JournalFault) {
    self.init(speedMaxMmPerS: speedMaxMmPerS)
    try bucket.read(from: &state)
    accepted = try FixTrail(from: &state)
    candidate = try FixTrail(from: &state)
    isSuspect = try state.bytes.flag()
    for _ in 0..<(try state.bytes.count(max: PositionRules.suspectRefusals, "number of refusals")) {
      refusals.append(try state.past())
    }
  }
}
