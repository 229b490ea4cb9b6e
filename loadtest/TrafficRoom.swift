// A room whose players stroll in a square, each at moments of their own: what a tick carries is what happened to come
// since the last one.
//
// Owned by one shard, as are all its bots.
import MadangProtocol
import Net

final class TrafficRoom: HoldBotDelegate {
  private unowned let context: HoldContext
  private let plan: TrafficPlan
  private var bots: [HoldBot] = []
  private var strolls: [Stroll] = []
  /// The moments of the bots within a second, in order; milliseconds.
  private var moments: [(ms: Int64, bot: Int)] = []
  private var code: String?
  private var entered = 0
  private var begin: Timestamp?
  private var nextMoment = 0
  private var second: Int64 = 0

  private static let secondMs: Int64 = 1_000

  init(_ context: HoldContext, _ plan: TrafficPlan) {
    self.context = context
    self.plan = plan
    var generator = SplitMix64(context.plan.seed)
    moments = (0..<context.plan.players)
      .map { (Int64.random(in: 0..<Self.secondMs, using: &generator), $0) }
      .sorted { $0.ms < $1.ms }
  }

  func welcomed(_ bot: HoldBot) {
    bots.append(bot)
    strolls.append(Stroll(seed: context.plan.seed &+ UInt64(bot.index) &* 0x9E37_79B9, squareM: plan.squareM))
    if bots.count == 1 { create() } else if code != nil { join(bot) }
  }

  private func create() {
    var create = WireCreateRoom()
    create.mode = .footprint
    create.durationS = UInt32(context.plan.gameSeconds)
    if let tickHz = context.plan.tickHz { create.tickHz = UInt32(tickHz) }
    create.capacity = UInt32(context.plan.players)
    bots[0].request(.createRoom(create))
  }

  func overloaded(retryAfterMs: UInt32) {
    context.setTimer(room: 0, at: context.core.readClock().advanced(milliseconds: Int64(retryAfterMs)))
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
      for bot in bots.dropFirst() { join(bot) }
    }
    if entered == context.plan.players { bots[0].request(.startGame(WireStartGame())) }
  }

  /// The game's start is the beginning of all strolls.
  func received(_ tick: WireTick, by bot: HoldBot) {
    guard begin == nil, tick.events.contains(where: Self.isBegin) else { return }
    begin = context.core.readClock()
    context.results.gamesBegun += 1
    if let maxHz = plan.maxHz {
      var pace = WireSetPace()
      pace.maxHz = maxHz
      for bot in bots { bot.request(.setPace(pace)) }
    }
    awaitMoment()
  }

  private static func isBegin(_ event: WireEvent) -> Bool {
    if case .phase(let change) = event.body { change.phase == .playing } else { false }
  }

  /// The room's timer: somebody's next moment, or another attempt to make the room.
  func timerFired() {
    guard code != nil else { return create() }
    guard let begin else { return }
    let ms = context.core.readClock().microseconds(since: begin) / 1_000
    while second * Self.secondMs + moments[nextMoment].ms <= ms {
      step(moments[nextMoment].bot, at: Double(ms) / Double(Self.secondMs))
      nextMoment += 1
      if nextMoment == moments.count { (nextMoment, second) = (0, second + 1) }
    }
    awaitMoment()
  }

  private func awaitMoment() {
    guard let begin else { return }
    context.setTimer(
      room: 0,
      at: begin.advanced(milliseconds: second * Self.secondMs + moments[nextMoment].ms)
    )
  }

  private func step(_ number: Int, at seconds: Double) {
    guard bots[number].connection != nil else { return }
    let move = WireMove(at: strolls[number].coordinate(at: seconds), accuracyM: 5)
    context.results.movesOut += 1
    bots[number].send(.move(move))
  }
}
