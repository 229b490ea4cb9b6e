// One player of `stories`: a connection, requests one after the other, and what must come of them.
//
// Owned by one shard. Its acts are drawn in StoryChoices.swift; the answers are taken in StoryAnswers.swift.
import MadangProtocol
import Net
import SeededRandom

final class StoryBot {
  /// What the bot does until it is told otherwise.
  enum Order {
    case nothing
    /// Acts in all posts.
    case roam
    /// Comments on one post, and likes it or not.
    case crowd(post: String)
  }

  unowned let context: StoriesContext
  /// The index among all bots, and the number on the shard.
  let index: Int
  let number: Int
  var generator: SeededRandom.SplitMix64
  var ledger = StoryLedger()
  var order = Order.nothing
  private(set) var playerID = ""
  private(set) var isWelcome = false
  /// Others' posts that the bot has seen in feeds.
  var known: [String] = []
  /// Pictures that were uploaded, and are in no post yet.
  var pictures: [String] = []
  var uploadsBegun = 0
  /// Requests over HTTP that are not answered.
  var openTransfers = 0
  var acts = 0
  /// The watched post, and the counts that the bot was told last.
  var watched: String?
  var told: StoryTruth.Post?
  /// The newest news that was not decoded.
  private var undecoded: [UInt8] = []
  private var newsTimes: [Timestamp] = []
  /// The bot's own posts as the server lists them; all posts where it reads the feed.
  var listed: [WirePost] = []
  var auditsAll = false
  private(set) var isLost = false

  private struct Open {
    let act: StoryAct
    let sent: Timestamp
  }

  private var open: [UInt32: Open] = [:]
  private var nextID: UInt32 = 0
  private var greeting: UInt32 = 0
  private var connection: Connection?
  private var replaced: Connection?
  /// The act that is sent again over the second connection.
  private var repeated: StoryAct?
  private var isOver = false

  init(_ context: StoriesContext, index: Int, number: Int) {
    (self.context, self.index, self.number) = (context, index, number)
    generator = SeededRandom.SplitMix64(seed: context.plan.seed ^ UInt64(index) << 20 | 1)
  }

  /// Nothing is unanswered.
  var isIdle: Bool { isWelcome && open.isEmpty && openTransfers == 0 }

  var state: String {
    if isLost { return "lost" }
    return isWelcome ? "waiting for answers" : "connecting"
  }

  // Sending.

  func dial() {
    do throws(NetError) {
      connection = try context.plan.target.dial(on: context.core, context: self)
    } catch {
      lose()
    }
  }

  func send(_ act: StoryAct) {
    guard isWelcome else { return }
    open[request(act.body)] = Open(act: act, sent: context.core.readClock())
  }

  /// Sends an act, and once more over a second connection, as a phone that changes its network in the middle of it.
  func sendTwice(_ act: StoryAct) {
    send(act)
    context.results.doubles += 1
    context.results.replacements += 1
    (replaced, connection, repeated) = (connection, nil, act)
    isWelcome = false
    open = [:]
    watched = nil
    dial()
  }

  private func request(_ body: WireClientMessage.OneOf_Body) -> UInt32 {
    nextID += 1
    if let connection { context.plan.target.send(body, id: nextID, on: connection) }
    return nextID
  }

  func end() {
    isOver = true
    connection?.close(1000, "")
  }

  private func lose() {
    guard !isOver, !isLost else { return }
    isLost = true
    isWelcome = false
    context.results.losses += 1
  }

  // Receiving.

  func opened(_ connection: Connection) {
    guard connection === self.connection else { return }
    context.results.opened += 1
    var hello = WireHello()
    hello.nickname = "bot \(index + 1)"
    hello.deviceSecret = context.plan.identities.deviceSecret(of: index)
    greeting = request(.hello(hello))
  }

  func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    // Answers on the first connection say nothing: the second one's count.
    guard connection === self.connection else { return }
    if watched != nil, !context.plan.looks(index), open.isEmpty {
      noteNews(byteCount: bytes.count)
      undecoded = Array(bytes)
      return
    }
    do throws(DecodingFailure) {
      take(try context.plan.target.subprotocol.decodeServerMessage(bytes), byteCount: bytes.count)
    } catch {
      context.results.note(error: "UNREADABLE")
    }
  }

  private func take(_ message: WireServerMessage, byteCount: Int) {
    if case .postNews(let news) = message.body {
      noteNews(byteCount: byteCount)
      return take(news)
    }
    guard message.hasReplyTo else { return }
    if !isWelcome, message.replyTo == greeting { return greeted(message) }
    guard let open = open.removeValue(forKey: message.replyTo) else { return }
    context.results.note(open.act.kind, microseconds: context.core.readClock().microseconds(since: open.sent))
    answered(open.act, message.body)
  }

  private func greeted(_ message: WireServerMessage) {
    guard case .welcome(let welcome) = message.body else {
      context.results.note(error: "NO WELCOME")
      return lose()
    }
    playerID = welcome.playerID
    isWelcome = true
    if let act = repeated {
      repeated = nil
      send(act)
    }
  }

  func closed(_ connection: Connection) {
    if connection === replaced { replaced = nil }
    if connection === self.connection { lose() }
  }

  // News of the watched post.

  private func noteNews(byteCount: Int) {
    let now = context.core.readClock()
    context.results.news += 1
    context.results.newsBytes += byteCount
    newsTimes.removeAll { now.microseconds(since: $0) >= 1_000_000 }
    newsTimes.append(now)
    context.results.newsInSecondMost = max(context.results.newsInSecondMost, newsTimes.count)
  }

  private func take(_ news: WirePostNews) {
    guard news.postID == watched else { return }
    told = StoryTruth.Post(
      media: told?.media ?? [],
      likes: Int(news.likes),
      views: Int(news.views),
      comments: Int(news.commentCount)
    )
    let now = context.core.readClock().microseconds
    // A comment says when it was sent.
    for comment in news.comments where !news.anew {
      if let sent = Int64(comment.text) { context.results.noteNews(microseconds: now - sent) }
    }
  }

  /// Decodes the newest news, if it was only counted.
  func readLastNews() {
    guard !undecoded.isEmpty else { return }
    let bytes = undecoded
    undecoded = []
    let message = bytes.withUnsafeBytes { try? context.plan.target.subprotocol.decodeServerMessage($0) }
    if case .postNews(let news)? = message?.body { take(news) }
  }
}
