// The tappers and watchers of one shard: begun at a pace, ordered what to do next, asked for their progress.
//
// Owned by one shard and used on its queue.
import MadangProtocol
import Net
import WebSocket

final class TapsService: ShardService {
  private let context: TapsContext
  private var tappers: [Tapper] = []
  private var watchers: [RankingWatcher] = []
  private var begun = 0
  private var begin: Timestamp?

  /// The players' and lines' timers have smaller numbers.
  private static let paceTimer: UInt64 = 1 << 62

  init(_ core: ShardCore, _ plan: TapsPlan, _ times: RankingTimes) {
    context = TapsContext(core, plan, times)
  }

  private var core: ShardCore { context.core }
  private var plan: TapsPlan { context.plan }

  // Orders of the command.

  func start() {
    for index in stride(from: core.index, to: plan.players, by: plan.shards) {
      if index < plan.tappers {
        tappers.append(Tapper(PlayerLine(context, index: index)))
      } else {
        watchers.append(RankingWatcher(PlayerLine(context, index: index)))
      }
    }
    begin = core.readClock()
    connectDue()
  }

  func tap(in schools: [String]) {
    context.schools = schools
    for tapper in tappers { tapper.start() }
  }

  func drain() {
    for tapper in tappers { tapper.drain() }
  }

  /// Asks for the total of each tapper's school, and of schools that no tapper has any more, dealt out to the tappers
  /// in turn.
  func audit(abandoned schools: [String]) {
    for tapper in tappers {
      tapper.audit(stride(from: tapper.line.index, to: schools.count, by: plan.tappers).map { schools[$0] })
    }
  }

  var status: TapsStatus {
    var status = TapsStatus()
    for tapper in tappers {
      status.note(isBack: tapper.line.isBack, isDone: tapper.isDone, tapper.state)
    }
    for watcher in watchers {
      status.note(isBack: watcher.line.isBack, isDone: watcher.isDone, watcher.state)
    }
    return status
  }

  /// The results so far.
  var report: TapsResults {
    var report = context.results
    for tapper in tappers {
      for (school, count) in tapper.ledger.acknowledged { report.sums.note(acknowledged: count, of: school) }
      report.acknowledgedByPlayer[tapper.playerID] = tapper.ledger.acknowledgedCount
    }
    return report
  }

  func end() {
    for watcher in watchers { watcher.conclude() }
    for line in tappers.map(\.line) + watchers.map(\.line) { line.end() }
  }

  // Connecting and timers.

  private var lineCount: Int { tappers.count + watchers.count }

  private func player(_ number: Int) -> any LinePlayer {
    number < tappers.count ? tappers[number] : watchers[number - tappers.count]
  }

  private func connectDue() {
    guard let begin else { return }
    // The shards share the pace.
    let pace = ConnectPace(connections: lineCount, perSecond: max(1, plan.pace.perSecond / plan.shards))
    let due = pace.due(afterMicroseconds: core.readClock().microseconds(since: begin))
    let end = core.readClock().advanced(milliseconds: ConnectPace.stepMilliseconds)
    while begun < due, core.readClock() < end {
      player(begun).line.dial()
      begun += 1
    }
    guard begun < lineCount else { return }
    _ = core.setTimer(Self.paceTimer, at: end)
  }

  func timerFired(_ token: UInt64) {
    guard token != Self.paceTimer else { return connectDue() }
    let player = player(Int(token / 2) / plan.shards)
    if token.isMultiple(of: 2) { player.timerFired() } else { player.line.timerFired() }
  }

  func opened(_ connection: Connection) {
    (connection.context as? PlayerLine)?.opened(connection)
  }

  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    (connection.context as? PlayerLine)?.received(bytes, on: connection)
  }

  func closed(_ connection: Connection) {
    (connection.context as? PlayerLine)?.closed(connection)
  }

  // Bots serve nothing and never move.

  func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse {
    preconditionFailure("bots don't listen")
  }

  func admit(_ head: RequestHead, on connection: Connection) -> Admission {
    preconditionFailure("bots don't listen")
  }

  func adopted(_ connection: Connection, carrying cargo: any Sendable) {
    preconditionFailure("bots don't move")
  }

  func deadlinePassed(_ connection: Connection) {}
}
