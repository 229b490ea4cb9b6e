// The rules against forged positions: they judge a player's fixes by their own times. A value beside each seat that
// lives as long as the player has the seat, over several games. It scores nothing and knows no room.
//
// A fix that is too far is no lie yet: receivers jump. It is set aside, and the next fixes tell. A finding is an
// error that receivers don't make, and three findings in a minute make the player suspect.
// Decisions: 104 (docs/decisions).

/// Judges the fixes of one player.
struct FixFilter: Sendable {
  /// The judgement of a fix.
  struct Judgement: Hashable, Sendable {
    var verdict: FixVerdict
    /// The accepted fix; nil unless the verdict is `accepted`.
    var sample: PositionSample?
    /// Whether an accepted fix counts for distance and points: the player is not suspect, and did not jump.
    var counts = false
    /// The finding that the fix has led to, if any.
    var finding: FixVerdict?
    /// Whether a suspicion has begun or ended with the fix.
    var changesSuspicion = false
  }

  // First what each fix looks at, so that it shares lines of the processor's cache.
  private let speedMaxMmPerS: Int64
  private static let rate = TokenRate(burst: PositionRules.fixesAtOnce, tokenMs: PositionRules.fixIntervalMs)
  private static let jumpRate = TokenRate(burst: PositionRules.jumpMAtOnce, tokenMs: PositionRules.jumpMIntervalMs)
  private var bucket = TokenBucket(rate)
  /// The newest judged fix: none is judged whose time is not after this one's.
  private(set) var judged: PositionSample?
  private(set) var isSuspect = false
  /// The time of the first fix of those that were set aside since the newest accepted one, or of the newest finding
  /// among them.
  private var straysSince: Instant?
  /// Whether the first of them was a finding already: a jump is one finding, also when it is believed.
  private var isJumpFound = false
  /// The accepted fixes.
  private var accepted = FixTrail()
  /// The next anchor: fixes that agree with each other, while the player is suspect or the fixes are set aside.
  private var candidate = FixTrail()
  /// The metres of jumps that are a receiver's.
  private var jumps = TokenBucket(jumpRate)
  /// The times of the newest findings; enough of them to detect too many.
  private var findings: ContiguousArray<Instant> = []

  /// Whether no judgement is still known.
  var isAsMade: Bool { judged == nil && findings.isEmpty && !isSuspect }

  /// The newest accepted fix.
  var newest: PositionSample? { accepted.newest }

  init(speedMaxMmPerS: Int) {
    self.speedMaxMmPerS = Int64(speedMaxMmPerS)
  }

  /// Judges a fix of this time that has reached the server at `now`, and may be at most `lateMs` old.
  ///
  /// The first verdict that holds, in this order: repeated or not after the last, too far ahead, too old, too often,
  /// inaccurate, off the map, mocked; then its distance from earlier fixes decides.
  mutating func judge(_ fix: Fix, of time: Instant, at now: Instant, lateMs: Int64) -> Judgement {
    if let judged, time <= judged.time { return judgeAgain(fix, at: time) }
    // The phone can name any time: it is compared before it is calculated with.
    if time.milliseconds > now.milliseconds + PositionRules.aheadMaxMs { return find(.tooFarAhead, at: now) }
    if time.milliseconds < now.milliseconds - lateMs { return Judgement(verdict: .tooOld) }

    let sample = PositionSample(coordinate: fix.coordinate, accuracyM: fix.accuracyM ?? .max, time: time)
    judged = sample
    guard bucket.take(at: time, Self.rate) else { return Judgement(verdict: .tooOften) }
    guard sample.accuracyM <= PositionRules.accuracyMaxM else { return Judgement(verdict: .inaccurate) }
    guard PositionRules.isOnMap(sample.coordinate) else {
      candidate.removeAll()
      return Judgement(verdict: .offTheMap)
    }
    guard !fix.mocked else {
      candidate.removeAll()
      return find(.mocked, at: time)
    }
    return judgeDistance(of: sample)
  }

  /// Judges a fix whose time is not after that of the newest judged one.
  private mutating func judgeAgain(_ fix: Fix, at time: Instant) -> Judgement {
    guard let judged, fix.time == judged.time, judged.accuracyM <= PositionRules.accuracyMaxM,
      let accuracyM = fix.accuracyM, accuracyM <= PositionRules.accuracyMaxM,
      PositionRules.isOnMap(judged.coordinate), PositionRules.isOnMap(fix.coordinate)
    else { return Judgement(verdict: .repeated) }
    let sample = PositionSample(coordinate: fix.coordinate, accuracyM: accuracyM, time: time)
    if FixTrail.reaches(judged, sample, speedMaxMmPerS) { return Judgement(verdict: .repeated) }
    return find(.notAfterLast, at: time)
  }

  private mutating func judgeDistance(of sample: PositionSample) -> Judgement {
    let isInPace = accepted.agrees(with: sample, speedMaxMmPerS: speedMaxMmPerS)
    if isInPace {
      accepted.append(sample)
      if straysSince != nil { straysSince = nil }
      if !isSuspect {
        if candidate.count > 0 { candidate.removeAll() }
        return Judgement(verdict: .accepted, sample: sample, counts: true)
      }
    }
    let finding = isInPace ? nil : stray(to: sample)
    if !candidate.agrees(with: sample, speedMaxMmPerS: speedMaxMmPerS) { candidate.removeAll() }
    candidate.append(sample)
    if candidate.count >= PositionRules.anchorFixes, candidate.spanMs >= PositionRules.anchorMs {
      return anchor(sample)
    }
    if isInPace { return Judgement(verdict: .accepted, sample: sample) }
    guard let finding else { return Judgement(verdict: .setAside) }
    return find(finding, at: sample.time)
  }

  /// Notes a fix that is too far from the accepted ones. Returns a finding: a speed that is kept up, since neither the
  /// accepted fixes nor those set aside explain where the player is; or more metres of jumps than a receiver's.
  private mutating func stray(to sample: PositionSample) -> FixVerdict? {
    if candidate.count > 0, candidate.agrees(with: sample, speedMaxMmPerS: speedMaxMmPerS) { return nil }
    let jumpM = min(
      accepted.metresBeyondReach(of: sample, speedMaxMmPerS: speedMaxMmPerS),
      candidate.metresBeyondReach(of: sample, speedMaxMmPerS: speedMaxMmPerS)
    )
    let isJumping = !jumps.drain(jumpM, at: sample.time, Self.jumpRate)
    guard let since = straysSince else {
      straysSince = sample.time
      isJumpFound = isJumping && !isSuspect
      return isJumpFound ? .jumping : nil
    }
    guard sample.time.milliseconds - since.milliseconds >= PositionRules.tooFastMs else { return nil }
    straysSince = sample.time
    return .tooFast
  }

  /// Believes the candidates. They end a suspicion, and its findings with it; otherwise the next one would renew it.
  /// Without a suspicion they are a jump from which the player would score: once is a gap, three times in a minute a
  /// forgery.
  private mutating func anchor(_ sample: PositionSample) -> Judgement {
    let isJump = straysSince != nil
    swap(&accepted, &candidate)
    candidate.removeAll()
    straysSince = nil
    var judgement = Judgement(verdict: .accepted, sample: sample)
    if isSuspect {
      findings.removeAll(keepingCapacity: true)
      isSuspect = false
      judgement.changesSuspicion = true
    } else if isJump, !isJumpFound {
      let found = find(.jumping, at: sample.time)
      judgement.finding = found.finding
      judgement.changesSuspicion = found.changesSuspicion
    }
    return judgement
  }

  /// Takes over a suspicion that another filter has found in the same player. Fixes that agree end it here.
  mutating func suspect() {
    isSuspect = true
  }

  private mutating func find(_ finding: FixVerdict, at time: Instant) -> Judgement {
    let wasSuspect = isSuspect
    if findings.count == PositionRules.suspectFindings { findings.removeFirst() }
    findings.append(time)
    if findings.count == PositionRules.suspectFindings,
      findings.allSatisfy({ abs($0.milliseconds - time.milliseconds) < PositionRules.suspectWindowMs })
    {
      isSuspect = true
    }
    return Judgement(verdict: finding, finding: finding, changesSuspicion: isSuspect != wasSuspect)
  }
}

// In a journal. The greatest speed is the room's setting.
extension FixFilter {
  func write(to state: inout RecordWriter) {
    bucket.write(to: &state)
    state.bytes.flag(judged != nil)
    judged?.write(to: &state)
    accepted.write(to: &state)
    candidate.write(to: &state)
    state.bytes.flag(straysSince != nil)
    if let straysSince {
      state.near(straysSince)
      state.bytes.flag(isJumpFound)
    }
    jumps.write(to: &state)
    state.bytes.flag(isSuspect)
    state.bytes.number(findings.count)
    for finding in findings {
      state.near(finding)
    }
  }

  init(speedMaxMmPerS: Int, from state: inout RecordReader) throws(JournalFault) {
    self.init(speedMaxMmPerS: speedMaxMmPerS)
    bucket = try TokenBucket(Self.rate, from: &state)
    if try state.bytes.flag() { judged = try PositionSample(judgedFrom: &state) }
    accepted = try FixTrail(from: &state)
    candidate = try FixTrail(from: &state)
    if try state.bytes.flag() {
      straysSince = try state.near()
      isJumpFound = try state.bytes.flag()
    }
    jumps = try TokenBucket(Self.jumpRate, from: &state)
    isSuspect = try state.bytes.flag()
    for _ in 0..<(try state.bytes.count(max: PositionRules.suspectFindings, "number of findings")) {
      findings.append(try state.near())
    }
  }
}
