// The bots of one room: one makes it, the others come, all play until the server ends the game.
//
// Owned by one shard, as are all its bots: they share their knowledge.
import MadangProtocol
import Net

final class BotRoom: BotDelegate {
  private unowned let context: WalkContext
  let index: Int
  private(set) var bots: [Bot] = []
  /// The ground as territory's bots know it; nil in other modes.
  private var ground: RoomGround?
  /// The lands as land mode's bots know them; nil in other modes.
  private var lands: RoomLands?
  private var code: String?
  private var entered = 0
  private var begin: Timestamp?
  private var turns: WalkTurns
  private var hasBoard = false
  /// The arrival minus the game time of each tick, microseconds. The lateness is the excess over the least of them.
  private var tickDelays: [Int64] = []
  /// The time at which the next bot drops its connection, and the number of those that have.
  private var nextResumeSeconds = 0.0
  private var resumes = 0

  private var plan: WalkPlan { context.plan }

  init(_ context: WalkContext, index: Int) {
    self.context = context
    self.index = index
    let plan = context.plan
    turns = WalkTurns(bots: plan.players, intervalMicroseconds: 1_000_000 / Int64(plan.rateHz), room: index)
    if plan.mode == .territory { ground = RoomGround(context, roomIndex: index, givesPlace: givesPlace) }
    if plan.mode == .land { lands = RoomLands(context, roomIndex: index) }
    bots = (0..<plan.players).map { Bot(context, of: self, roomIndex: index, index: $0) }
    // Different for each room.
    nextResumeSeconds = plan.resumeSeconds.map { Double($0) * Double(index % 10 + 5) / 10 } ?? .infinity
  }

  func persona(of bot: Bot) -> any Persona {
    let kind = plan.kind(room: index, bot: bot.index)
    guard let cheat = kind.cheat else { return honest(kind, bot) }
    return Spoofer(bot, honest(plan.mode.honest, bot), kind, cheat)
  }

  private func honest(_ kind: PersonaKind, _ bot: Bot) -> any Persona {
    switch kind {
    case .looper, .thief: if let ground { return TerritoryPlayer(bot, ground, kind) }
    case .lapper, .quitter: if let lands { return Lapper(bot, lands, kind) }
    case .walker, .teleporter, .speeder, .frozen, .mocker: break
    }
    return Walker(plan.course(room: index, bot: bot.index))
  }

  /// Whether the request for the room names the arena's place. In every other room the arena is where the host begins.
  private var givesPlace: Bool { index % 2 == 0 }

  func dialFirst() {
    bots[0].dial()
  }

  func welcomed(_ bot: Bot) {
    if bot.index == 0 {
      create()
    } else if let code {
      bot.joinRoom(code)
    }
  }

  private func create() {
    bots[0].createRoom(plan.wish(room: index, givesPlace: givesPlace))
  }

  func overloaded(retryAfterMs: UInt32) {
    context.setTimer(room: index, at: context.core.readClock().advanced(milliseconds: Int64(retryAfterMs)))
  }

  /// The room's timer: a step of the game, or another attempt to make the room.
  func timerFired() {
    if code == nil { create() } else { walk() }
  }

  func entered(_ bot: Bot, _ state: WireRoom) {
    entered += 1
    if bot.index == 0 {
      code = state.code
      for other in bots.dropFirst() { other.dial() }
    }
    lands?.take(state)
    guard entered == bots.count else { return }
    if plan.startsTogether { context.usage.roomFilled() } else { start() }
  }

  func start() { bots[0].startGame() }

  /// Every bot of the room is notified; the first counts.
  func began() {
    guard begin == nil else { return }
    begin = context.core.readClock()
    context.usage.roomBegan()
    walk()
  }

  func noteTick(gameMs: UInt32) {
    guard begin != nil, !hasBoard else { return }
    tickDelays.append(context.core.readClock().microseconds - Int64(gameMs) * 1_000)
  }

  var readsTicks: Bool { ground != nil }

  func received(_ tick: WireTick, by bot: Bot, seen: UInt32) {
    ground?.take(tick, by: bot.index, seen: seen)
  }

  func captured(_ land: String, by seat: UInt32) {
    lands?.captured(land, by: seat)
  }

  func resumed(_ bot: Bot, _ state: WireRoom) {
    ground?.resumed(bot.index, state)
  }

  func ended(_ board: [WireBoardRow]) {
    guard !hasBoard else { return }
    hasBoard = true
    context.usage.roomEnded()
    let rows = board.map { row in
      Results.Row(
        rank: row.rank,
        course: bots.first { $0.seat == row.seat }?.persona.name ?? row.nickname,
        points: row.points,
        distanceM: row.distanceM
      )
    }
    context.results.boards.append(Results.Board(room: index, rows: rows))
    if plan.checksBoards { check(board) }
    if plan.fill > 0 { checkOpponents(board) }
    ground?.ended(board)
    lands?.ended(board)
    guard let least = tickDelays.min() else { return }
    for delay in tickDelays { _ = context.results.tickLateness.record(UInt64(max(1, delay - least))) }
    tickDelays = []
  }

  /// Compares the points of each row with its bot's calculation.
  private func check(_ board: [WireBoardRow]) {
    for bot in bots where bot.persona.calculatesPoints {
      guard let expected = bot.persona.expectedPoints else {
        context.results.expectations.unclear += 1
        continue
      }
      let points = board.first { $0.seat == bot.seat }?.points
      bot.expect(.calculatedPoints, points == expected, "\(points ?? 0) points, \(expected) calculated")
    }
  }

  /// Practice opponents are on the board and have no rank. A person without points has none either, and where only one
  /// plays nobody has won.
  private func checkOpponents(_ board: [WireBoardRow]) {
    let opponents = board.filter(\.walker)
    let people = board.filter { !$0.walker }
    let areRanked = people.enumerated().allSatisfy { index, row in
      row.rank == index + 1 || row.rank == 0 && row.points == 0
    }
    let isMet =
      opponents.count == plan.fill && opponents.allSatisfy { $0.rank == 0 && !$0.won } && people.count == bots.count
      && areRanked && (bots.count > 1 || !people.contains(where: \.won))
    let ranks = board.map { "\($0.nickname) \($0.rank)" }
    context.results.expectations.note(.filled, isMet, "room \(index + 1): \(ranks)")
  }

  var isFinished: Bool { bots.allSatisfy(\.isFinished) }

  /// The steps that are due by the clock. A bot that missed steps skips them; its next one keeps its time.
  private func walk() {
    guard let begin, !hasBoard else { return }
    let microseconds = context.core.readClock().microseconds(since: begin)
    let seconds = Double(microseconds) / 1_000_000
    // No fix may be under way when the game ends: nobody could say whether it counts.
    guard seconds < Double(plan.seconds) - 0.5 else { return }
    for turn in turns.take(afterMicroseconds: microseconds) {
      step(bots[turn % bots.count], turn / bots.count, at: seconds)
    }
    dropSomebody(at: seconds)
    let next = begin.advanced(microseconds: turns.nextMicroseconds)
    context.setTimer(room: index, at: max(next, context.core.now))
  }

  private func step(_ bot: Bot, _ step: Int, at seconds: Double) {
    bot.step(at: seconds)
    if plan.isSilent { return }
    // Once a second, at different times for the bots.
    if (step + bot.index) % plan.rateHz == 0 { bot.measure() }
    if (step + bot.index * plan.rateHz) % (plan.rateHz * 10) == plan.rateHz * 5 {
      bot.chat("안녕, \(bot.index + 1)번 봇")
    }
    if (step + bot.index * plan.rateHz) % (plan.rateHz * 10) == plan.rateHz * 8 { bot.read() }
  }

  /// Now and then the next bot drops its connection and resumes; never two at once, and none near the end.
  private func dropSomebody(at seconds: Double) {
    guard let resumeSeconds = plan.resumeSeconds, seconds >= nextResumeSeconds, seconds < Double(plan.seconds) - 5,
      !bots.contains(where: \.isAway), bots[resumes % bots.count].persona.isQuiet
    else { return }
    bots[resumes % bots.count].comeBack()
    resumes += 1
    nextResumeSeconds = seconds + Double(resumeSeconds)
  }
}
