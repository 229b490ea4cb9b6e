// One room of bots that sit and move: one makes it, the others enter as they are connected, then the game begins.
//
// Owned by one shard, as are all its bots.
import MadangProtocol
import Net

final class HoldRoom: HoldBotDelegate {
  private unowned let context: HoldContext
  private let index: Int
  /// The number of the bot that makes the room.
  private let maker: Int
  private var bots: [HoldBot] = []
  private var courses: [Circuit] = []
  private var code: String?
  private var entered = 0
  private var begin: Timestamp?
  private var isGameStarted = false
  /// Whether the bots stand still.
  private var isResting = false
  private var turns: WalkTurns?
  /// The arrival minus the game time of the least late tick so far; microseconds.
  private var leastDelay = Int64.max

  private var size: Int { context.plan.bots(ofRoom: index).count }

  init(_ context: HoldContext, index: Int) {
    self.context = context
    self.index = index
    // A different one in each room: a room is on the shard of its maker's connection, and connections go to the shards
    // in turn.
    let bots = context.plan.bots(ofRoom: index)
    maker = bots.lowerBound + index % bots.count
    turns = context.plan.stepMicroseconds.map {
      WalkTurns(bots: bots.count, intervalMicroseconds: $0, room: index)
    }
  }

  func welcomed(_ bot: HoldBot) {
    bots.append(bot)
    courses.append(Circuit(seed: UInt64(bot.index)))
    if bot.index == maker {
      create(bot)
    } else if code != nil {
      join(bot)
    }
  }

  private func create(_ bot: HoldBot) {
    var create = WireCreateRoom()
    create.mode = .footprint
    create.durationS = UInt32(context.plan.gameSeconds)
    if let tickHz = context.plan.tickHz { create.tickHz = UInt32(tickHz) }
    if size == 1 { create.solo = true } else { create.capacity = UInt32(size) }
    bot.request(.createRoom(create))
  }

  func overloaded(retryAfterMs: UInt32) {
    context.setTimer(room: index, at: context.core.readClock().advanced(milliseconds: Int64(retryAfterMs)))
  }

  /// The room's timer: a step of the game, or another attempt to make the room.
  func timerFired() {
    guard code == nil else { return walk() }
    if let bot = bots.first(where: { $0.index == maker }) { create(bot) }
  }

  private func join(_ bot: HoldBot) {
    guard let code else { return }
    var join = WireJoinRoom()
    join.code = code
    bot.request(.joinRoom(join))
  }

  func entered(code newest: String) {
    entered += 1
    if code == nil {
      code = newest
      for bot in bots where bot.index != maker { join(bot) }
    }
    if entered == size, context.plan.startsGames { play() }
  }

  /// Starts the game, if there is none, and lets the bots walk.
  func play() {
    isResting = false
    guard !isGameStarted else { return }
    isGameStarted = true
    bots.first { $0.index == maker }?.request(.startGame(WireStartGame()))
  }

  /// Lets the bots stand still, without a message.
  func rest() {
    isResting = true
  }

  /// Every bot gets the room's ticks; only the maker's is checked.
  func received(_ tick: WireTick, by bot: HoldBot) {
    if begin != nil, !isResting { context.results.playTicksIn += 1 }
    guard bot.index == maker else { return }
    if begin == nil, tick.events.contains(where: Self.isBegin) {
      begin = context.core.readClock()
      context.results.gamesBegun += 1
      return walk()
    }
    guard begin != nil, !isResting else { return }
    // The excess over the least so far, since the server's clock is unknown here: the first few look better than they
    // are.
    let delay = context.core.readClock().microseconds - Int64(tick.gameMs) * 1_000
    leastDelay = min(leastDelay, delay)
    _ = context.results.tickLateness.record(UInt64(max(1, delay - leastDelay)))
  }

  private static func isBegin(_ event: WireEvent) -> Bool {
    if case .phase(let change) = event.body { change.phase == .playing } else { false }
  }

  /// The steps that are due by the clock. A bot that missed steps skips them; its next one keeps its time.
  private func walk() {
    guard let begin, var turns else { return }
    let microseconds = context.core.readClock().microseconds(since: begin)
    for turn in turns.take(afterMicroseconds: microseconds) where !isResting {
      step(turn % size, at: Double(microseconds) / 1_000_000)
    }
    self.turns = turns
    // Bots that stand still look once an interval whether they walk again.
    let waitMicroseconds = isResting ? context.plan.stepMicroseconds ?? 0 : 0
    let next = begin.advanced(microseconds: turns.nextMicroseconds + waitMicroseconds)
    context.setTimer(room: index, at: max(next, context.core.now))
  }

  private func step(_ number: Int, at seconds: Double) {
    guard number < bots.count, bots[number].connection != nil else { return }
    let move = WireMove(at: courses[number].coordinate(at: seconds), accuracyM: 5)
    context.results.movesOut += 1
    bots[number].send(.move(move))
  }
}
