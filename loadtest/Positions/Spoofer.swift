// Plays honestly for half of the game, stands for a moment, and cheats from then on: no cheated fix may count.
//
// Belongs to one bot.
import MadangProtocol
import Net

final class Spoofer: Persona {
  private unowned let bot: Bot
  private let kind: PersonaKind
  private let cheat: Cheat
  private let honest: any Persona
  private let cheatsFrom: Double

  // The honest part.
  private var last: Coordinate?
  private var distanceM = 0.0
  private var points: UInt32 = 0
  private var visited: UInt32 = 0
  private var hasPath = false

  // The rest.
  private var began: Timestamp?
  private var sent = 0
  private var frozenMs: Int64 = 0
  private var isSuspect = false
  private var hasBeenSuspect = false

  /// The time within which a cheat must become suspect.
  private static let suspectMicroseconds: Int64 = 40_000_000
  /// The time for which it stands before it cheats, so that all honest fixes have been reported.
  private static let standsSeconds = 3.0

  init(_ bot: Bot, _ honest: any Persona, _ kind: PersonaKind, _ cheat: Cheat) {
    self.bot = bot
    self.honest = honest
    self.kind = kind
    self.cheat = cheat
    cheatsFrom = max(Self.standsSeconds + 1, Double(bot.plan.seconds) / 2)
  }

  var name: String { "\(kind.rawValue) (\(honest.name) before)" }
  var calculatesPoints: Bool { honest.calculatesPoints }
  var expectedPoints: UInt32? { honest.expectedPoints }
  var awaitsAnswer: Bool { honest.awaitsAnswer }
  var expectations: [Expectation] { [.suspected, .refusedForIt, .noPoint, .honestPrefix] }
  // The server's messages about the beginning must not be lost.
  var isQuiet: Bool { began == nil ? honest.isQuiet : isSuspect }

  func step(at seconds: Double) -> WireMove? {
    guard let last, seconds >= cheatsFrom - Self.standsSeconds else {
      guard let move = honest.step(at: seconds) else { return nil }
      let coordinate = Coordinate(latitude: Double(move.latE7) / 1e7, longitude: Double(move.lngE7) / 1e7)
      distanceM += last?.metres(to: coordinate) ?? 0
      last = coordinate
      return move
    }
    guard seconds >= cheatsFrom else { return WireMove(at: last) }
    let now = bot.context.core.now
    if began == nil {
      began = now
      frozenMs = bot.serverTimeMs
    }
    defer { sent += 1 }
    let since = Double(now.microseconds(since: began ?? now)) / 1_000_000
    return cheat.move(
      sent,
      from: last,
      seconds: since,
      pace: bot.plan.pace,
      speedMaxM: bot.plan.speedMaxM,
      timeMs: frozenMs
    )
  }

  var readsTicks: Bool { true }

  func receive(_ tick: WireTick) {
    guard let row = tick.seats.firstIndex(where: { $0 == bot.seat }) else { return }
    guard began != nil, let last else {
      points = tick.points[row]
      return honest.receive(tick)
    }
    // Others may take part of its points.
    let isHere = tick.latE7[row] == last.latE7 && tick.lngE7[row] == last.lngE7
    bot.expect(.noPoint, isHere && tick.points[row] <= points, "\(name) goes on to \(tick.points[row]) points")
    points = min(points, tick.points[row])
  }

  func receive(_ notification: WireServerMessage.OneOf_Body) {
    switch notification {
    case .path(let path): hasPath = path.state == .open
    case .run(let run) where began == nil: visited = run.visited
    default: break
    }
    if case .landRanking = notification { return honest.receive(notification) }
    guard began != nil else { return honest.receive(notification) }
    switch notification {
    case .verdict(let verdict): receive(verdict)
    case .path(let path):
      bot.expect(.noPoint, path.state == .dropped, "\(name) has a path that is \(path.state)")
    case .run(let run):
      bot.expect(.noPoint, run.state != .captured && run.visited <= visited, "\(name) goes on around a land")
    default: break
    }
  }

  func captured(_ capture: WireLandCapture) {
    if began == nil { honest.captured(capture) }
  }

  private func receive(_ verdict: WireVerdict) {
    bot.expect(.refusedForIt, verdict.fix == cheat.verdict, "\(name) is refused as \(verdict.fix)")
    if isSuspect != verdict.suspect, let began {
      let microseconds = bot.context.core.now.microseconds(since: began)
      let isInTime = verdict.suspect && !hasBeenSuspect && microseconds <= Self.suspectMicroseconds
      bot.expect(.suspected, isInTime, "\(name) is suspect: \(verdict.suspect), after \(microseconds / 1_000) ms")
      hasBeenSuspect = true
    }
    isSuspect = verdict.suspect
  }

  func resumed(_ room: WireRoom) {
    guard began != nil else { return honest.resumed(room) }
    bot.expect(.suspected, room.suspect == isSuspect, "\(name) is suspect in the state: \(room.suspect)")
  }

  func ended(_ board: [WireBoardRow]) {
    guard let began else { return honest.ended(board) }
    let microseconds = bot.context.core.now.microseconds(since: began)
    if !hasBeenSuspect, microseconds > Self.suspectMicroseconds {
      bot.expect(.suspected, false, "\(name) was never suspect")
    }
    if isSuspect { bot.expect(.noPoint, !hasPath, "\(name) still has a path") }
    guard let row = board.first(where: { $0.seat == bot.seat }) else { return }
    // A fix that the server had to ignore cuts a corner of the way.
    let isSameWay = abs(Double(row.distanceM) - distanceM) <= 5 + distanceM / 100
    bot.expect(
      .honestPrefix,
      row.points == points && isSameWay,
      "\(name) has \(row.points) points and \(row.distanceM) m instead of \(points) and \(Int(distanceM))"
    )
  }
}
