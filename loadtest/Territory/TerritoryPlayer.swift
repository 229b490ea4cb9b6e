// Plays territory mode: walks routes that close paths, and compares the server's messages with its own calculation of
// its path.
//
// Belongs to one bot. After a step that closes its path by its own calculation, it stands until the server's message:
// then both know where the next path begins.
import MadangProtocol
import Net

final class TerritoryPlayer: Persona, GroundPlayer {
  private unowned let bot: Bot
  private unowned let ground: RoomGround
  let kind: PersonaKind
  private var planner: RoutePlanner
  private var route: [Spot] = []
  private var plans = 0

  /// The places of the last fix and the one before.
  private var spot: Spot?
  private var before: Spot?
  private(set) var path: WalkedPath?
  private var openedAt = Timestamp(microseconds: 0)
  /// A path that has closed by the bot's calculation, without a message of the server yet.
  private var awaited: Closing?
  /// Whether the server's path is not known for sure: it is not judged.
  private var isUnclear = false
  /// The newest steps, which the server may not know yet.
  private(set) var newestSteps: [Segment] = []
  private var crossedAt: Timestamp?
  private var perhapsCrossedAt: Timestamp?

  /// Longer than any message takes.
  private static let newsMicroseconds: Int64 = 5_000_000

  init(_ bot: Bot, _ ground: RoomGround, _ kind: PersonaKind) {
    self.bot = bot
    self.ground = ground
    self.kind = kind
    let plan = bot.plan
    planner = RoutePlanner(stepM: plan.stepM, seed: plan.seed(room: ground.roomIndex, bot: bot.index))
    ground.players.append(self)
  }

  var name: String { kind.rawValue }
  var seat: Int { Int(bot.seat ?? 0) }
  var isQuiet: Bool { awaited == nil && crossedAt == nil }
  var expectations: [Expectation] {
    var all: [Expectation] = [.believed, .points, .taken, .nothingElse]
    if bot.plan.resumeSeconds != nil { all += [.copies, .ownPath] }
    // In rooms that cut paths, few raids are completed.
    if bot.plan.cutting { all.append(.cut) } else if kind == .thief { all.append(.stolen) }
    return all
  }

  private var now: Timestamp { bot.context.core.now }

  func step(at seconds: Double) -> WireMove? {
    guard let plane = ground.plane, let copy = ground.copy else { return ground.firstFix(of: bot.index) }
    guard let spot else { return send(ground.home(of: bot.index), plane, copy) }
    expireCrossing()
    if let closing = awaited {
      if now.microseconds(since: closing.since) > Self.newsMicroseconds { giveUp(closing) }
      return WireMove(at: plane.coordinate(spot))
    }
    if route.isEmpty { route = plan(from: spot, copy) }
    let next = spot.moved(toward: route[0], by: planner.stepM)
    if next == route[0] { route.removeFirst() }
    return send(next, plane, copy)
  }

  /// Goes to a place, and calculates the effect.
  private func send(_ place: Spot, _ plane: Plane, _ copy: GroundCopy) -> WireMove {
    let move = WireMove(at: plane.coordinate(place))
    let next = plane.spot(latE7: move.latE7, lngE7: move.lngE7)
    if let spot {
      newestSteps = newestSteps.suffix(1) + [Segment(spot, next)]
      ground.cross(Segment(spot, next), by: self)
    }
    before = spot
    spot = next
    let isHome = copy.isHeld(by: seat, at: next)
    if copy.isOnEdge(next, ofGroundOf: seat) { isUnclear = true }
    guard var path else {
      if !isHome { open(at: next, copy) }
      return move
    }
    self.path = nil
    let step = path.lengthen(to: next, isHome: isHome)
    if path.isUnclear { isUnclear = true }
    self.path = path
    if step != .open {
      route = []
      awaited = Closing(step, of: path, by: seat, on: copy, at: now)
      ground.noteClosing(of: seat)
    }
    return move
  }

  private func open(at start: Spot, _ copy: GroundCopy) {
    let home = before.flatMap { copy.isHeld(by: seat, at: $0) ? $0 : nil }
    path = WalkedPath(at: start, from: home, cellAreaM2: copy.cellAreaM2)
    openedAt = now
  }

  private func plan(from spot: Spot, _ copy: GroundCopy) -> [Spot] {
    let situation = RoutePlanner.Situation(spot: spot, path: path, seat: seat, ground: copy)
    plans += 1
    if kind == .thief, !isUnclear {
      let prey = ground.players.filter { $0 !== self }.compactMap(\.path).max { $0.points.count < $1.points.count }
      if bot.plan.cutting, plans % 3 == 0, let prey, let route = planner.ambush(prey, from: situation) { return route }
      if let route = planner.raid(from: situation) { return route }
    }
    let ways = ClosingWay.allCases
    // The start of the path may be unknown, but not where it crosses itself.
    let way = isUnclear ? .crossing : ways[(plans + bot.index) % ways.count]
    return planner.route(way, from: situation) ?? planner.stroll(from: situation)
  }

  // Receiving.

  func receive(_ notification: WireServerMessage.OneOf_Body) {
    guard case .path(let notification) = notification else { return }
    switch (notification.state, awaited) {
    case (.taken, let closing?):
      judge(closing)
      let isStillUnclear = isUnclear
      endPath()
      isUnclear = isUnclear || isStillUnclear
    case (.dropped, let closing?) where notification.reason == .tooSmall:
      if isSure(closing) { bot.expect(.taken, closing.isLarge(cellAreaM2: cellAreaM2) != true, "too small a path") }
      endPath()
    case (.dropped, _) where notification.reason == .cut:
      let isExplained = crossedAt != nil || perhapsCrossedAt != nil
      if isExplained || !isUnclear { bot.expect(.cut, isExplained, "cut by nobody") }
      loseTrack()
    case (.taken, nil), (.dropped, _):
      if notification.state == .taken { ground.noteClosing(of: seat) }
      // A lost cell may have opened a path under the player.
      let isSure = !isUnclear && !ground.hasLost(seat, about: openedAt) && !ground.hasLost(seat, about: now)
      if isSure { bot.expect(.taken, false, "the path is \(notification.state) \(notification.reason) by itself") }
      loseTrack()
    default:
      break
    }
  }

  private var cellAreaM2: Double { ground.copy?.cellAreaM2 ?? 0 }

  /// Compares the cells that a path has taken with those that it goes around.
  private func judge(_ closing: Closing) {
    guard let copy = ground.copy else { return }
    let missing = closing.certain.filter { copy.holder(of: $0) != seat && !ground.isJustTaken($0, fromUnder: seat) }
    let gains = ground.gains[seat] ?? []
    let strange = gains.filter { !closing.mayTake($0, on: copy) }
    guard isSure(closing) else {
      // The taken cells tell whether it was this path.
      isUnclear = !missing.isEmpty || !strange.isEmpty || !closing.certain.contains(where: gains.contains)
      return bot.context.results.expectations.unclear += 1
    }
    bot.expect(.taken, closing.isLarge(cellAreaM2: cellAreaM2) != false, "a path around too little is taken")
    bot.expect(.taken, missing.isEmpty, "\(missing.count) of \(closing.certain.count) cells are not taken, \(closing)")
    bot.expect(.nothingElse, strange.isEmpty, "\(strange.count) cells are taken that are not gone around, \(closing)")
    if kind == .thief, closing.foreignCount > 0 {
      bot.expect(.stolen, missing.isEmpty, "\(missing.count) cells are still another's")
    }
  }

  /// Whether no event at about the same time can have changed the outcome.
  private func isSure(_ closing: Closing) -> Bool {
    guard !isUnclear, crossedAt == nil, perhapsCrossedAt == nil, !ground.hasLost(seat, about: openedAt) else {
      return false
    }
    return closing.enclosure == nil || !ground.hasLost(seat, about: closing.since)
  }

  /// The server has sent no message about a path that should have closed.
  private func giveUp(_ closing: Closing) {
    if isSure(closing) { bot.expect(.taken, false, "no word of \(closing)") }
    awaited = nil
    path = closing.path
    isUnclear = true
  }

  /// The path is over, and the bot has not moved since. The next begins here, or where it leaves its ground.
  private func endPath() {
    awaited = nil
    path = nil
    isUnclear = false
    // The crossed path may have been the next one.
    perhapsCrossedAt = crossedAt ?? perhapsCrossedAt
    crossedAt = nil
    guard let spot, let copy = ground.copy, !copy.isHeld(by: seat, at: spot) else { return }
    if let cell = copy.cell(at: spot), ground.isJustTaken(cell, fromUnder: seat) { isUnclear = true }
    open(at: spot, copy)
  }

  /// The path is over, and the start of the next is not known exactly.
  private func loseTrack() {
    endPath()
    route = []
    isUnclear = true
  }

  // Rooms that cut.

  /// Another player has made a step.
  func crossed(by step: Segment) {
    switch path?.isCrossed(by: step) {
    case .surely: crossedAt = crossedAt ?? now
    case .perhaps: perhapsCrossed()
    case .not, nil: break
    }
  }

  func perhapsCrossed() {
    perhapsCrossedAt = now
  }

  /// A crossed path must be cut soon, if it was still open.
  private func expireCrossing() {
    if let time = perhapsCrossedAt, now.microseconds(since: time) > Self.newsMicroseconds { perhapsCrossedAt = nil }
    guard let time = crossedAt, now.microseconds(since: time) > Self.newsMicroseconds else { return }
    if !isUnclear { bot.expect(.cut, false, "a path is crossed and not cut") }
    loseTrack()
  }

  /// The state's path is valid from here on. Where nothing was in doubt it must equal the bot's.
  func resumed(_ room: WireRoom) {
    guard let plane = ground.plane, let copy = ground.copy else { return }
    let told = zip(room.pathLatE7, room.pathLngE7).map { plane.spot(latE7: $0, lngE7: $1) }
    let own = path.map { Array($0.shown) } ?? []
    let isSame = told.count == own.count && zip(told, own).allSatisfy { $0.metres(to: $1) < 0.1 }
    if crossedAt != nil || perhapsCrossedAt != nil {
      if crossedAt != nil, !isUnclear { bot.expect(.cut, !isSame, "a path is crossed and not cut") }
    } else if !isUnclear, !ground.hasLost(seat, about: now), !ground.hasLost(seat, about: openedAt) {
      bot.expect(.ownPath, isSame, "a path of \(told.count) points instead of \(own.count)")
    }
    crossedAt = nil
    perhapsCrossedAt = nil
    // The state does not contain a step from own ground to where a path begins.
    isUnclear = !told.isEmpty && (isUnclear || !isSame)
    guard !isSame else { return }
    route = []
    path = WalkedPath(told: told, cellAreaM2: copy.cellAreaM2)
  }
}
