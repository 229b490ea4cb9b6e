// Plays land mode: walks around the room's lands and compares the server's messages with its own calculation of its
// runs. A quitter strays from the first run, comes back, gives it up and begins again.
//
// Belongs to one bot.
import MadangProtocol
import Net

final class Lapper: Persona {
  private unowned let bot: Bot
  private unowned let lands: RoomLands
  let kind: PersonaKind
  /// The land that it walks around, or to.
  private var ring: LandRing?
  private var spot: Spot?
  private var nextVertex = 0
  private var detour: [Spot] = []
  private var seconds = 0.0

  private var run: ExpectedRun?
  /// The number of surely visited vertices over time, the newest last.
  private var history: [(at: Double, visited: Int)] = []
  /// The distances of the newest fixes from the land, the newest last.
  private var distancesM: [Double] = []
  /// The time since which the land should have been captured.
  private var dueSince: Double?
  private var hasStrayed = false
  private var isWarned = false
  /// Whether it has asked to give the run up.
  private var isQuitting = false
  private var hasQuit = false
  /// The land of a run that ended without its doing: another player must come to hold it.
  private var lost: String?
  /// In a solo room: the duration of the run that the land's ranking must show.
  private var rankedMs: UInt32?

  private static let newsSeconds = 5.0

  init(_ bot: Bot, _ lands: RoomLands, _ kind: PersonaKind) {
    self.bot = bot
    self.lands = lands
    self.kind = kind
  }

  var name: String { kind.rawValue }
  var awaitsAnswer: Bool { rankedMs != nil }
  var isQuiet: Bool { rankedMs == nil && dueSince == nil && !isQuitting && detour.isEmpty }
  var expectations: [Expectation] {
    let some: [Expectation] = [.believed, .visits, .captured]
    let solo: [Expectation] = bot.plan.ranksRuns ? [.ranked] : []
    return kind == .quitter ? some + solo + [.givenUp, .warned] : some + solo
  }

  func step(at seconds: Double) -> WireMove? {
    self.seconds = seconds
    guard let ring = aim() else { return stand() }
    if let dueSince, seconds - dueSince > Self.newsSeconds {
      bot.expect(.captured, false, "no word of a land that was gone around")
      self.dueSince = nil
      run = nil
    }
    let move = WireMove(at: ring.plane.coordinate(spot.map { advance(from: $0, ring) } ?? begin(ring)))
    let next = ring.plane.spot(latE7: move.latE7, lngE7: move.lngE7)
    spot = next
    reckon(next, ring)
    return move
  }

  /// Nothing is left to do.
  private func stand() -> WireMove? {
    guard let ring, let spot else { return nil }
    return WireMove(at: ring.plane.coordinate(spot))
  }

  /// The land to walk around: the one where it is, as long as that is free, else the nearest free one.
  private func aim() -> LandRing? {
    if let ring, lands.isFree(ring) { return ring }
    let free = lands.rings.filter(lands.isFree)
    guard let ring, let spot else {
      self.ring = free.isEmpty ? nil : free[bot.index % free.count]
      return self.ring
    }
    let here = ring.plane.coordinate(spot)
    func place(_ other: LandRing) -> Spot { other.plane.spot(latE7: here.latE7, lngE7: here.lngE7) }
    guard let nearest = free.min(by: { $0.metres(to: place($0)) < $1.metres(to: place($1)) }) else { return nil }
    self.ring = nearest
    self.spot = place(nearest)
    nextVertex = nearest.vertex(nearest: place(nearest))
    detour = []
    return nearest
  }

  private func begin(_ ring: LandRing) -> Spot {
    // Players begin at different vertices.
    let vertex = bot.index * ring.vertices.count / max(1, bot.plan.players)
    nextVertex = (vertex + 1) % ring.vertices.count
    return ring.vertices[vertex]
  }

  /// The next spot of the way: back from a detour, or from vertex to vertex.
  private func advance(from spot: Spot, _ ring: LandRing) -> Spot {
    if let end = detour.first {
      let next = spot.moved(toward: end, by: bot.plan.stepM)
      if next == end { detour.removeFirst() }
      return next
    }
    var (place, restM) = (spot, bot.plan.stepM)
    while restM > 0.01 {
      let vertex = ring.vertices[nextVertex]
      let next = place.moved(toward: vertex, by: restM)
      restM -= place.metres(to: next)
      place = next
      if next == vertex { nextVertex = (nextVertex + 1) % ring.vertices.count }
    }
    return place
  }

  private func reckon(_ spot: Spot, _ ring: LandRing) {
    let metres = ring.metres(to: spot)
    distancesM = distancesM.suffix(2) + [metres]
    guard run != nil else {
      if metres <= LandRing.nearM { run = ExpectedRun(around: ring, from: spot, at: seconds) }
      history = []
      return
    }
    run?.walk(to: spot, at: seconds)
    guard let run else { return }
    history = history.suffix(8) + [(seconds, run.surelyVisited)]
    if run.isCaptured(at: seconds, speedMaxM: bot.plan.speedMaxM) == true, dueSince == nil { dueSince = seconds }
    if kind == .quitter, !hasQuit, run.surelyVisited * 3 > ring.needed { quit(from: spot, ring) }
  }

  /// Strays first, then comes back, then gives the run up.
  private func quit(from spot: Spot, _ ring: LandRing) {
    if !hasStrayed {
      hasStrayed = true
      let middle = ring.middle
      let share = 1 + 40 / max(1, middle.metres(to: spot))
      detour = [Segment(middle, spot).spot(at: share), spot]
    } else if detour.isEmpty, !isQuitting {
      isQuitting = true
      bot.request(.giveUpRun(WireGiveUpRun()))
      // The next fix begins the next run.
      run = ExpectedRun(around: ring, from: spot, at: seconds)
      history = []
    }
  }

  // Receiving.

  func receive(_ progress: WireServerMessage.OneOf_Body) {
    switch progress {
    case .run(let run): receive(run)
    case .landRanking(let ranking): receive(ranking)
    default: break
    }
  }

  private func receive(_ progress: WireRun) {
    switch progress.state {
    case .running, .warned: goesOn(progress)
    case .captured: captured(progress)
    case .givenUp: givenUp(progress)
    case .tooFar:
      let isFar = distancesM.contains { $0 > LandRing.nearM - LandRing.unclearM }
      bot.expect(.visits, isFar || ring.map(lands.isFree) != true, "too far to begin a run, \(distancesM) m")
    case .unspecified, .UNRECOGNIZED: bot.expect(.visits, false, "a run that is \(progress.state)")
    }
  }

  private func goesOn(_ progress: WireRun) {
    // Until the old run's end has come, a message may be about that run.
    guard !isQuitting else { return }
    guard let run, progress.landID == run.ring.id else {
      return bot.expect(.visits, false, "a run around \(progress.landID)")
    }
    // The message may not include the fixes of the last moments.
    let least = history.last { $0.at < seconds - 1.5 }?.visited ?? 0
    let isRight =
      (least...max(least, run.perhapsVisited)).contains(Int(progress.visited)) && progress.needed == run.ring.needed
    bot.expect(
      .visits,
      isRight,
      "\(progress.visited) of \(progress.needed) visited instead of \(least) to \(run.perhapsVisited) of \(run.ring.needed)"
    )
    let isFar = distancesM.contains { $0 > LandRing.nearM - LandRing.unclearM }
    let isNear = distancesM.contains { $0 < LandRing.nearM + LandRing.unclearM }
    if progress.state == .warned || isWarned {
      bot.expect(.warned, progress.state == .warned ? isFar : isNear, "\(progress.state) at \(distancesM) m")
    }
    isWarned = progress.state == .warned
  }

  private func captured(_ progress: WireRun) {
    let isDue = run.map { $0.isCaptured(at: seconds, speedMaxM: bot.plan.speedMaxM) != false } ?? false
    bot.expect(.captured, isDue && progress.landID == run?.ring.id, "captured with \(run?.perhapsVisited ?? 0) visited")
    // The event comes later; until then the bot must not walk around the land again.
    if let seat = bot.seat { lands.captured(progress.landID, by: seat) }
    forget()
  }

  /// The event of the capture comes after its commit, so the ranking has it.
  func captured(_ capture: WireLandCapture) {
    guard bot.plan.ranksRuns else { return }
    rankedMs = capture.timeMs
    var request = WireLandRankingRequest()
    request.landID = capture.landID
    bot.request(.landRanking(request))
  }

  private func receive(_ ranking: WireLandRanking) {
    let own = ranking.ownTimes.map(\.timeMs)
    let isRanked = own.first == rankedMs && ranking.hasOwn && ranking.own.timeMs == own.min()
    bot.expect(.ranked, isRanked, "ranked with \(ranking.own.timeMs) ms and \(own) instead of \(rankedMs ?? 0)")
    rankedMs = nil
  }

  private func givenUp(_ progress: WireRun) {
    guard isQuitting else {
      lost = progress.landID
      return forget()
    }
    isQuitting = false
    hasQuit = true
    bot.expect(.givenUp, progress.landID == run?.ring.id, "another run is given up")
  }

  private func forget() {
    run = nil
    history = []
    dueSince = nil
    isQuitting = false
    isWarned = false
  }

  func resumed(_ room: WireRoom) {
    guard let run, lands.isFree(run.ring) else { return }
    let isSame = room.hasRun && room.run.landID == run.ring.id && room.run.visited <= run.perhapsVisited
    bot.expect(.visits, isSame, "a resume brings a run with \(room.run.visited) visited")
  }

  func ended(_ board: [WireBoardRow]) {
    guard let lost else { return }
    let holder = lands.holders[lost]
    bot.expect(.givenUp, holder != nil && holder != bot.seat, "a run ends by itself")
  }
}
