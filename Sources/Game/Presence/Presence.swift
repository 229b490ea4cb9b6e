// A player's presence outside of rooms: the filter of their fixes, the fences that they are in, and the capsules around
// them. A value that outlasts sessions: it goes on over a new `hello`, so that coming back is no way to jump. It keeps
// no track, only the newest fixes that the filter needs.
//
// A player's very first fix has nothing to be compared with. It can be forged, and so can that of a new guest. A later
// jump opens nothing: after one, nothing is believed that the player can't have reached from the last believed fix.
// What a room believes of a player meanwhile counts here too: a game is no way to jump, and no way out of a suspicion.
// Decisions: 110, 136 (docs/decisions).

/// The presence of a player who watches places.
package struct Presence: Sendable {
  /// The judgement of a fix.
  package struct Judgement: Hashable, Sendable {
    package var verdict: FixVerdict
    /// The player's positions are not believed.
    package var isSuspect = false
    /// A suspicion has begun or ended with the fix.
    package var changesSuspicion = false
    /// The fix is believed: it was accepted, is no jump, and the player is not suspect.
    package var isBelieved = false
    /// The fences' events, in the order in which they happened.
    package var events: [FenceEvent] = []
    /// The capsules around the player; nil after a fix that is not believed, or too old to open any.
    package var capsules: CapsuleUpdate?
  }

  /// The effect of a fix, or of a change, on the capsules around the player.
  package struct CapsuleUpdate: Hashable, Sendable {
    package var changes = CapsuleWatch.Changes()
    /// The place around which capsules are to be read; nil while those that are known suffice.
    package var missingAround: Coordinate?
  }

  /// A fix may be this late.
  package static let lateMs: Int64 = 120_000
  /// Behind a believed fix of this age a player may be anywhere: at the greatest speed nearly as far as distances are
  /// calculated.
  package static let memoryMs: Int64 = 1_800_000
  private static let speedMaxMmPerS = Int64(RoomConfiguration.speedMaxDefaultMmPerS)

  private var filter = FixFilter(speedMaxMmPerS: RoomConfiguration.speedMaxDefaultMmPerS)
  private var fences = FenceWatch()
  private var capsules = CapsuleWatch()
  /// The newest believed fix.
  private var newest: PositionSample?
  /// The place at which the capsules were looked for last.
  private var lookedAt: Coordinate?
  /// The newest fix was a finding.
  private var isDoubted = false
  /// The newest fix that is not believed, since the newest one that is: it was set aside, or the player can't have come
  /// there.
  private var stray: PositionSample?
  /// A room's suspicion was taken over, and the player has not watched since.
  private var hasNewSuspicion = false

  package init() {}

  package var isSuspect: Bool { filter.isSuspect }

  /// Whether nothing is known of the player.
  package var isAsMade: Bool { filter.isAsMade && newest == nil }

  /// Whether the player's positions are not believed at the moment: the player is suspect, or the newest fix was a
  /// finding.
  package var isDisbelieved: Bool { isSuspect || isDoubted }

  /// The fences that the player is in and that have not closed, in the order of entering.
  package func inside(at now: Instant, in catalogue: FenceCatalogue) -> [Fence] {
    fences.inside.compactMap { id in
      catalogue.index(of: id).map { catalogue.fences[Int($0)] }.flatMap { $0.hasClosed(at: now) ? nil : $0 }
    }
  }

  /// The time of the newest judged fix: earlier ones have their verdict.
  package var judgedThrough: Instant? { filter.judged?.time }

  /// Judges a fix that has reached the server at `now` by the rules of positions, and by the fences of `catalogue` if
  /// it is believed.
  package mutating func take(_ fix: Fix, at now: Instant, in catalogue: FenceCatalogue) -> Judgement {
    let judged = filter.judge(fix, of: fix.time ?? now, at: now, lateMs: Self.lateMs)
    var judgement = Judgement(verdict: judged.verdict, isSuspect: isSuspect, changesSuspicion: judged.changesSuspicion)
    if judged.finding != nil || judged.verdict == .offTheMap { isDoubted = true }
    guard let sample = judged.sample, judged.counts, canHaveReached(sample) else {
      if judged.verdict == .setAside || judged.verdict == .accepted { stray = filter.judged }
      return judgement
    }
    judgement.isBelieved = true
    newest = sample
    stray = nil
    isDoubted = false
    judgement.events = fences.take(
      sample.coordinate,
      accuracyM: sample.accuracyM,
      at: sample.time,
      in: catalogue
    )
    if CapsuleRules.isFresh(fixOf: sample.time, at: now) { judgement.capsules = lookForCapsules() }
    return judgement
  }

  /// Whether a player can have come to an accepted fix from the last believed one. The filter itself believes a jump
  /// after ten fixes that agree, since a train is no forgery; but a jump must not open what lies elsewhere.
  private func canHaveReached(_ sample: PositionSample) -> Bool {
    guard let newest, newest.ageMs(at: sample.time) < Self.memoryMs else { return true }
    guard sample.time > newest.time else { return false }
    return FixTrail.reaches(newest, sample, Self.speedMaxMmPerS)
  }

  /// Takes what a room believes of the player, while nobody watches. A place that the player can't have come to is not
  /// believed here: a room may allow a greater speed, and believes jumps.
  package mutating func learn(_ sample: PositionSample?, isSuspect: Bool) {
    if isSuspect, !self.isSuspect {
      filter.suspect()
      hasNewSuspicion = true
    }
    guard let sample, canHaveReached(sample) else { return }
    newest = sample
    stray = nil
  }

  /// Begins anew with the capsules around the player: a client that has just begun to watch knows of none. Time alone
  /// brings no event of fences: fixes that the phone has kept may follow, from before now.
  ///
  /// - Returns: whether a suspicion begins to count here that a room has found.
  package mutating func beginWatching() -> Bool {
    capsules = CapsuleWatch()
    defer { hasNewSuspicion = false }
    return hasNewSuspicion
  }

  /// Drops what can be read again: nobody watches.
  package mutating func rest() {
    capsules = CapsuleWatch()
    fences.dropSurroundings()
  }

  /// Watches the capsules that were read around a place.
  package mutating func renewCapsules(around place: Coordinate, with near: [NearCapsule]) -> CapsuleUpdate {
    let gone = capsules.renew(around: place, with: near)
    var update = lookForCapsules()
    update.changes.closed = gone + update.changes.closed
    return update
  }

  /// Adds a capsule, or tells one anew that can be opened: more than its place may have changed.
  package mutating func putCapsule(_ capsule: NearCapsule) -> CapsuleUpdate {
    capsules.put(capsule)
    return lookForCapsules()
  }

  private mutating func lookForCapsules() -> CapsuleUpdate {
    guard !isDisbelieved, let place = newest?.coordinate else { return CapsuleUpdate() }
    lookedAt = place
    return CapsuleUpdate(
      changes: capsules.take(place),
      missingAround: capsules.needsCapsules(at: place) ? place : nil
    )
  }

  /// The player's place by the newest believed fix, if that is at most so old; nil while positions are not believed.
  package func place(at now: Instant, ageMaxMs: Int64) -> Coordinate? {
    guard !isDisbelieved, let newest, newest.ageMs(at: now) <= ageMaxMs else { return nil }
    return newest.coordinate
  }

  /// The answer to a player who wants to open a capsule.
  package enum Opening: Hashable, Sendable {
    case opens
    /// The player is suspect, the newest fix was a finding, or a fix nearer to the capsule is not believed.
    case notBelieved
    /// No believed fix is fresh enough.
    case fixNeeded
    case outOfReach
  }

  /// Whether a capsule opens for the player by the newest believed fix.
  package func opening(of capsule: Coordinate, at now: Instant) -> Opening {
    guard !isDisbelieved else { return .notBelieved }
    let place = place(at: now, ageMaxMs: CapsuleRules.fixAgeMaxMs)
    if let place, CapsuleRules.opens(capsule, from: place) { return .opens }
    if let stray, CapsuleRules.isFresh(fixOf: stray.time, at: now), isNearer(stray, to: capsule) { return .notBelieved }
    return place == nil ? .fixNeeded : .outOfReach
  }

  /// Whether a fix is nearer to a capsule than the newest believed one.
  private func isNearer(_ sample: PositionSample, to capsule: Coordinate) -> Bool {
    guard let mm2 = Geodesy.squaredDistanceMm2(capsule, sample.coordinate) else { return false }
    return newest.flatMap { Geodesy.squaredDistanceMm2(capsule, $0.coordinate) }.map { mm2 < $0 } ?? true
  }

  /// How far the player can go, and how much time can pass, before a further fix can matter, whichever comes first: the
  /// seconds are too few for the metres at the greatest speed. At least 1 s, also while the next fix decides.
  package func nextCheck(at now: Instant, in catalogue: FenceCatalogue) -> (m: Int64, s: Int64) {
    guard let newest, newest.time == filter.judged?.time, newest.coordinate == lookedAt else { return (0, 1) }
    let metres = min(fences.nextCheckM, capsules.nextCheckM)
    var endMs = newest.time.milliseconds + metres * 1_000_000 / Self.speedMaxMmPerS
    if let due = fences.nextCheck(in: catalogue) { endMs = min(endMs, due.milliseconds) }
    return (metres, max(1, (endMs - now.milliseconds) / 1_000))
  }
}
