// The bots of one shard of `stories`: begun at a pace, ordered what to do next, asked for their progress.
//
// Owned by one shard and used on its queue.
import MadangProtocol
import Net
import WebSocket

final class StoriesService: ShardService {
  private let context: StoriesContext
  private(set) var bots: [StoryBot] = []
  private var begun = 0
  private var begin: Timestamp?

  /// The bots' timers have smaller numbers.
  private static let paceTimer: UInt64 = 1 << 62

  init(_ core: ShardCore, _ plan: StoriesPlan) {
    context = StoriesContext(core, plan)
  }

  private var core: ShardCore { context.core }
  private var plan: StoriesPlan { context.plan }

  // Orders of the command.

  func start() {
    for index in stride(from: core.index, to: plan.players, by: plan.shards) {
      bots.append(StoryBot(context, index: index, number: bots.count))
    }
    begin = core.readClock()
    connectDue()
  }

  /// The first bot writes the post that all others look at.
  func writePost() {
    bots.first { $0.index == 0 }?.send(.write("모두가 보는 글", "파도 소리를 들었다.", []))
  }

  func watch(_ post: String) {
    for bot in bots where plan.isViewer(bot.index) { bot.send(.watch(post)) }
  }

  /// Counts news from now on.
  func beginMeasuring() {
    context.results.forgetNews()
  }

  func roam() {
    for bot in bots { bot.begin(.roam) }
  }

  /// All actors but the author act in one post.
  func crowd(_ post: String) {
    for bot in bots where bot.index != 0 && !plan.isViewer(bot.index) { bot.begin(.crowd(post: post)) }
  }

  func stopActing() {
    for bot in bots { bot.order = .nothing }
  }

  func audit() {
    for bot in bots where !bot.ledger.posts.isEmpty || !bot.ledger.deleted.isEmpty { bot.audit(all: false) }
  }

  func auditFeed() {
    bots.first { $0.index == 0 }?.audit(all: true)
  }

  func inspectPictures() {
    for bot in bots { bot.inspectPictures() }
  }

  func end() {
    for bot in bots { bot.end() }
  }

  // Reports.

  /// The obstacles of bots that have not done their order, with their numbers.
  var hindrances: [String: Int] {
    var hindrances: [String: Int] = [:]
    for bot in bots where !bot.isIdle { hindrances[bot.state, default: 0] += 1 }
    return hindrances
  }

  var results: StoryResults { context.results }

  var truth: StoryTruth {
    var truth = StoryTruth()
    for bot in bots { truth.add(bot.ledger) }
    return truth
  }

  /// The bots' own posts as the server lists them.
  var listed: [String: StoryTruth.Post] {
    var listed: [String: StoryTruth.Post] = [:]
    for post in bots.flatMap(\.listed) { listed[post.postID] = StoryTruth.Post(post) }
    return listed
  }

  /// The feed of all posts as the first bot has read it; empty on other shards.
  var feed: [String] { (bots.first { $0.index == 0 }?.listed ?? []).map(\.postID) }

  /// The last news of watchers, by post.
  func lastTold() -> [(post: String, counts: StoryTruth.Post)] {
    for bot in bots { bot.readLastNews() }
    return bots.compactMap { bot in bot.watched.flatMap { post in bot.told.map { (post, $0) } } }
  }

  // Connecting and timers.

  private func connectDue() {
    guard let begin else { return }
    // The shards share the pace.
    let pace = ConnectPace(connections: bots.count, perSecond: max(1, plan.pace.perSecond / plan.shards))
    let due = pace.due(afterMicroseconds: core.readClock().microseconds(since: begin))
    let end = core.readClock().advanced(milliseconds: ConnectPace.stepMilliseconds)
    while begun < due, core.readClock() < end {
      bots[begun].dial()
      begun += 1
    }
    guard begun < bots.count else { return }
    _ = core.setTimer(Self.paceTimer, at: end)
  }

  func timerFired(_ token: UInt64) {
    if token == Self.paceTimer { connectDue() } else { bots[Int(token)].step() }
  }

  func opened(_ connection: Connection) {
    (connection.context as? StoryBot)?.opened(connection)
  }

  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    (connection.context as? StoryBot)?.received(bytes, on: connection)
  }

  func closed(_ connection: Connection) {
    (connection.context as? StoryBot)?.closed(connection)
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
