// The bots of one room: one makes it, the others come, all walk until the server ends the game.
//
// Owned by one shard, as are all its bots, so what one of them learns the others know.
import MadangProtocol
import Net

final class BotRoom {
  unowned let service: BotService
  let index: Int
  private(set) var bots: [Bot] = []
  private var code: String?
  private var entered = 0
  private var begin: Timestamp?
  private var steps = 0
  private(set) var hasBoard = false
  /// Arrival less game time of each tick, microseconds: late by what is over the least of them.
  private var tickDelays: [Int64] = []

  var plan: WalkPlan { service.plan }

  init(_ service: BotService, index: Int) {
    self.service = service
    self.index = index
    bots = (0..<plan.players).map { Bot(self, index: $0, course: plan.course(room: index, bot: $0)) }
  }

  func dialFirst() {
    service.dial(bots[0])
  }

  func welcomed(_ bot: Bot) {
    if bot.index == 0 {
      bot.createRoom()
    } else if let code {
      bot.joinRoom(code)
    }
  }

  func entered(_ bot: Bot, _ state: WireRoom) {
    entered += 1
    if bot.index == 0 {
      code = state.code
      for other in bots.dropFirst() { service.dial(other) }
    }
    if entered == bots.count { bots[0].startGame() }
  }

  /// The server says that the game is on; every bot of the room hears it, the first counts.
  func began() {
    guard begin == nil else { return }
    begin = service.core.readClock()
    service.roomBegan()
    walk()
  }

  func noteTick(gameMs: UInt32) {
    guard begin != nil, !hasBoard else { return }
    tickDelays.append(service.core.readClock().microseconds - Int64(gameMs) * 1_000)
  }

  func ended(_ board: [WireBoardRow]) {
    guard !hasBoard else { return }
    hasBoard = true
    let rows = board.map { row in
      Results.Row(
        rank: row.rank,
        course: bots.first { $0.seat == row.seat }?.courseName ?? row.nickname,
        points: row.points,
        distanceM: row.distanceM
      )
    }
    service.results.boards.append(Results.Board(room: index, rows: rows))
    if plan.checksBoards { check(board) }
    guard let least = tickDelays.min() else { return }
    for delay in tickDelays { _ = service.results.tickLateness.record(UInt64(max(1, delay - least))) }
    tickDelays = []
  }

  /// Counts every row of the board that is not what its bot reckons.
  private func check(_ board: [WireBoardRow]) {
    for bot in bots {
      let points = board.first { $0.seat == bot.seat }?.points
      if points != bot.expected.points { service.results.note(error: "WRONG BOARD") }
    }
  }

  var isFinished: Bool { bots.allSatisfy(\.isFinished) }

  /// A step of every bot, by the clock: a late step is not made up for, the next one keeps its time.
  func walk() {
    guard let begin, !hasBoard else { return }
    let seconds = Double(service.core.readClock().microseconds(since: begin)) / 1_000_000
    // So that no fix is on its way when the game ends: whether it counted would be anybody's guess.
    guard seconds < Double(plan.seconds) - 0.5 else { return }
    for bot in bots {
      bot.step(at: seconds)
      // Once a second, bots apart from each other.
      if (steps + bot.index) % plan.rateHz == 0 { bot.measure() }
      if (steps + bot.index * plan.rateHz) % (plan.rateHz * 10) == plan.rateHz * 5 {
        bot.chat("안녕, \(bot.index + 1)번 봇")
      }
      if (steps + bot.index * plan.rateHz) % (plan.rateHz * 10) == plan.rateHz * 8 { bot.read() }
    }
    steps += 1
    let next = begin.advanced(milliseconds: Int64(steps) * 1_000 / Int64(plan.rateHz))
    service.setTimer(index, at: max(next, service.core.now))
  }
}
