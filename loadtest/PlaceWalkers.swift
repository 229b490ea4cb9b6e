// Bots that walk through a city outside of rooms, each with a fix a second at a moment of its own. They watch places,
// or send the same fixes without a watch, which are refused.
//
// Owned by one shard, as are all its bots.
import MadangProtocol
import Net

final class PlaceWalkers: HoldBotDelegate {
  private unowned let context: HoldContext
  private let plan: PlacePlan
  private var walks: [Stroll] = []
  private var bots: [HoldBot?] = []
  /// The time of each bot's newest fix.
  private var sentAt: [Timestamp] = []
  /// The bots by their moments within a second; milliseconds.
  private var moments: [(ms: Int64, bot: Int)] = []
  private var begin: Timestamp?
  private var nextMoment = 0
  private var second: Int64 = 0

  private static let secondMs: Int64 = 1_000

  init(_ context: HoldContext, _ plan: PlacePlan) {
    self.context = context
    self.plan = plan
    let count = context.plan.connections
    var generator = SplitMix64(context.plan.seed)
    bots = Array(repeating: nil, count: count)
    sentAt = Array(repeating: Timestamp(microseconds: 0), count: count)
    walks = (0..<count).map { Stroll(seed: generator.next() &+ UInt64($0), squareM: plan.squareM) }
    moments = (0..<count).map { (Int64.random(in: 0..<Self.secondMs, using: &generator), $0) }.sorted { $0.ms < $1.ms }
  }

  func welcomed(_ bot: HoldBot) {
    bots[bot.index] = bot
    if plan.watches { bot.request(.watchPlaces(WireWatchPlaces())) } else { bot.becomeReady() }
    guard begin == nil else { return }
    begin = context.core.readClock()
    awaitMoment()
  }

  func entered(code: String) {}
  func overloaded(retryAfterMs: UInt32) {}
  func received(_ tick: WireTick, by bot: HoldBot) {}

  func received(_ body: WireServerMessage.OneOf_Body, by bot: HoldBot) {
    let waitedUs = context.core.readClock().microseconds(since: sentAt[bot.index])
    switch body {
    case .placesWatched: bot.becomeReady()
    case .moved:
      context.results.places.fixesAnswered += 1
      context.results.places.answers.record(UInt64(clamping: waitedUs))
    case .fence:
      context.results.places.fenceEvents += 1
      context.results.places.pushes.record(UInt64(clamping: waitedUs))
    case .openable(let openable):
      context.results.places.openable += openable.capsules.count
      context.results.places.pushes.record(UInt64(clamping: waitedUs))
    case .closed(let closed): context.results.places.closed += closed.capsuleIds.count
    default: break
    }
  }

  func timerFired() {
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
    context.setTimer(room: 0, at: begin.advanced(milliseconds: second * Self.secondMs + moments[nextMoment].ms))
  }

  private func step(_ number: Int, at seconds: Double) {
    guard let bot = bots[number], bot.isReady, bot.connection != nil else { return }
    let move = WireMove(at: walks[number].coordinate(at: seconds), accuracyM: 5)
    context.results.movesOut += 1
    sentAt[number] = context.core.readClock()
    bot.request(.move(move))
  }
}
