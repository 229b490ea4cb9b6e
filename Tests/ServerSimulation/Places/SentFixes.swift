// The fixes that a player has sent, as evidence of where they may have been. A value of one player's client; it judges
// nothing by the rules of positions.

struct SentFixes {
  struct Sent {
    let number: Int
    let place: GroundPlace
    let accuracyM: Double
    /// The fix's own time; nil where it counts from its arrival.
    let timeMs: Int64?
    let sentMs: Int64
    let isMocked: Bool
    /// A jump to where the player is not, from a place that the server knows.
    let isForged: Bool
    /// The time by which it has arrived, or never will.
    var doneMs: Int64?

    var earliestMs: Int64 { timeMs ?? sentMs }
    var latestMs: Int64 { timeMs ?? doneMs ?? .max }
    var isEvidence: Bool { !isMocked && !isForged }
  }

  private(set) var all: [Sent] = []
  private var lastNumber = 0
  /// The number of the newest fix that is surely believed.
  private var believed: Int?
  private var wasAccepted = false
  /// The time of an honest fix that the server has accepted.
  private var baseMs: Int64 = 0
  /// The time since which the server is there: it knows no earlier fix.
  private var serverBornMs: Int64 = 0
  /// Whether the server may believe that the player is far away, by the forged first fix of a presence.
  private(set) var mayBeElsewhere = false
  /// Whether the server may not believe the player: a verdict on a forged fix may have been lost with a connection.
  private(set) var mayBeDoubted = false

  private static let keptMs: Int64 = 240_000
  /// The tolerance of all distances.
  static let toleranceM = 0.5
  static let openingM = 100.0
  private static let openingAgeMs: Int64 = 30_000
  /// The tolerance of times: shards look at the clock, which may move meanwhile.
  private static let slackMs: Int64 = 100

  /// Whether the server knows a place of the player from which a jump is one.
  private var hasBase: Bool { baseMs > serverBornMs && !mayBeElsewhere }

  /// Another server is there.
  mutating func beginAnew(atMs now: Int64) {
    serverBornMs = now
    mayBeElsewhere = false
    mayBeDoubted = false
  }

  mutating func note(
    _ place: GroundPlace,
    accuracyM: Double,
    timeMs: Int64?,
    isMocked: Bool,
    isForged: Bool,
    atMs now: Int64
  ) -> Int {
    all.removeAll { $0.sentMs < now - Self.keptMs }
    if isForged, !hasBase { mayBeElsewhere = true }
    lastNumber += 1
    all.append(
      Sent(
        number: lastNumber,
        place: place,
        accuracyM: accuracyM,
        timeMs: timeMs,
        sentMs: now,
        isMocked: isMocked,
        isForged: isForged && !mayBeElsewhere
      )
    )
    return lastNumber
  }

  var isHonest: Bool { all.allSatisfy(\.isEvidence) && !mayBeDoubted }
  /// The place of the newest honest fix.
  var newestPlace: GroundPlace? { all.last(where: \.isEvidence)?.place }

  subscript(number: Int) -> Sent? { all.last { $0.number == number } }

  /// Whether a fix is surely believed.
  func isBelieved(_ number: Int) -> Bool { believed == number }

  private mutating func finish(_ number: Int, atMs now: Int64) {
    guard let index = all.lastIndex(where: { $0.number == number }) else { return }
    all[index].doneMs = now
  }

  /// A fix is answered.
  mutating func answered(_ number: Int, isAccepted: Bool, atMs now: Int64) {
    finish(number, atMs: now)
    guard let fix = self[number] else { return }
    // The first accepted one behind others may be believed without counting.
    if isAccepted, wasAccepted, !mayBeElsewhere { believed = max(believed ?? 0, number) }
    wasAccepted = isAccepted
    if isAccepted, fix.isEvidence { baseMs = fix.sentMs }
  }

  /// Fixes that were kept are answered; the answer doesn't tell which of them are believed.
  mutating func answered(_ numbers: [Int], acceptsAny: Bool, atMs now: Int64) {
    for number in numbers { finish(number, atMs: now) }
    wasAccepted = false
    if acceptsAny { baseMs = all.last?.sentMs ?? 0 }
  }

  /// The connection is lost: what has not arrived never will.
  mutating func lose(atMs now: Int64) {
    for index in all.indices where all[index].doneMs == nil { all[index].doneMs = now }
    if !all.allSatisfy(\.isEvidence) { mayBeDoubted = true }
    wasAccepted = false
  }

  /// The positions may not be believed.
  mutating func doubt() {
    believed = nil
    wasAccepted = false
  }

  private var newestBelieved: Sent? {
    believed.flatMap { self[$0] }.flatMap { $0.sentMs >= serverBornMs ? $0 : nil }
  }

  /// The fixes of which one may be the newest believed one at some moment since a time.
  private func candidates(sinceMs time: Int64) -> [Sent] {
    let newest = newestBelieved
    // An answer of the server before may come late.
    let bornMs = time < serverBornMs ? .min : serverBornMs
    // A fix that was answered before.
    let leastMs = newest.flatMap { ($0.doneMs ?? .max) <= time ? $0.earliestMs : nil } ?? .min
    return all.filter { $0.isEvidence && $0.latestMs >= leastMs && $0.sentMs >= bornMs }
  }

  /// Whether the player may be allowed to open what lies at one of these places, by a request of this time.
  func mayOpen(_ places: [GroundPlace], askedMs: Int64) -> Bool {
    candidates(sinceMs: askedMs).contains { fix in
      fix.latestMs >= askedMs - Self.openingAgeMs - Self.slackMs
        && places.contains { fix.place.metres(to: $0) <= Self.openingM + Self.toleranceM }
    }
  }

  /// Whether the player must be allowed to open what lies at a place, by a request that is answered now.
  func mustOpen(_ place: GroundPlace, askedMs: Int64, atMs now: Int64) -> Bool {
    guard !mayBeElsewhere, all.allSatisfy(\.isEvidence), let newest = newestBelieved, let doneMs = newest.doneMs,
      doneMs <= askedMs,
      newest.earliestMs >= now - Self.openingAgeMs + Self.slackMs
    else { return false }
    return all.filter { $0.number >= newest.number }.allSatisfy {
      $0.isEvidence && $0.place.metres(to: place) <= Self.openingM - Self.toleranceM
    }
  }

  /// Whether a fix can have made what lies at one of these places openable.
  func wasNear(_ places: [GroundPlace]) -> Bool {
    all.contains { fix in
      fix.isEvidence && places.contains { fix.place.metres(to: $0) <= Self.openingM + Self.toleranceM }
    }
  }

  /// The fixes that may have had this time, on the server's clock.
  func fixes(ofMs time: Int64) -> [Sent] {
    all.filter { fix in
      fix.isEvidence && fix.earliestMs - Self.slackMs <= time && time - Self.slackMs <= fix.latestMs
    }
  }
}
