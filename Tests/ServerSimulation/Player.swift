// A player's client: dials, says hello, keeps its copy of the room, comes back when its connection is lost. It knows
// the protocol and nothing of the server.
//
// Owned by one run. PlayerMessages.swift and PlayerAnswers.swift handle the server's messages; a message that breaks a
// rule ends the run.
import ClientModel
import MadangProtocol
import Net
import SeededRandom
import WebSocket

final class Player: LinkEnd {
  enum State {
    case offline
    case upgrading
    /// Hello or resume is under way.
    case greeting
    case ready
  }

  unowned let world: World
  let number: Int
  let subprotocol: Subprotocol
  private let compresses: Bool
  var random: SplitMix64

  var state = State.offline
  private(set) var connection: ClientConnection?
  var link: Link? { connection?.link }

  var playerID: String?
  var token: String?
  var copy: RoomCopy?
  /// Whether the copy has changed since it was last compared with the server's state.
  var isUnchecked = false
  var requests = OpenRequests()
  /// Whether it has sent moves: a move without id may be refused without one.
  var hasSentMoves = false
  var chatsSaid = 0
  /// Whether it has asked for nothing but events, so that its copy lacks positions.
  private(set) var wantsEventsOnly = false
  var account = AccountCopy()
  /// The time until which the place in the room is held at least; nil after a newer welcome.
  var heldUntil: Timestamp?
  /// Whether a request to leave was under way when the connection was lost.
  var mayHaveLeft = false
  /// Whether a hello was under way when a connection was lost: it may still invalidate the token, but no token of a
  /// later hello.
  var mayHaveLostToken = false
  private(set) lazy var tapClient = TapClient(of: self, in: world)
  private(set) lazy var placeClient = PlaceClient(of: self, in: world)
  private(set) lazy var storyClient = StoryClient(of: self, in: world)
  /// Whether it never enters a room, so that it may be deleted in the middle of a run.
  let isLoner: Bool
  /// Whether a request to be deleted was under way when the connection was lost.
  private var mayHaveBeenDeleted = false
  /// Whether it has left for good.
  private(set) var isGoing = false
  /// Whether it has been deleted; the server ends the connection.
  private var isDeleted = false

  /// The operators' actions on the player.
  var marks = OperatorMarks()
  /// The announcements received on this connection.
  var heardAnnouncements: Set<String> = []
  /// The time of the request that is being answered.
  var answeredAskedAt = Timestamp(microseconds: 0)
  /// The time for which a banned player waits before it comes again.
  var banMs: Int64?

  private var dialAt: Timestamp
  /// The time of the next hello or resume.
  private var greetAt: Timestamp?

  init(_ number: Int, in world: World, plan: Plan, dialAt: Timestamp, random: SplitMix64) {
    self.number = number
    self.world = world
    self.dialAt = dialAt
    isLoner = number >= plan.players
    var random = random
    let speaksJSON = random.chance(plan.jsonPercent)
    let offersCompression = random.chance(50)
    subprotocol = speaksJSON ? .json : .proto
    compresses = plan.compresses && offersCompression
    self.random = random
  }

  /// The nickname in its hello.
  private var homeName: String { "p\(number % 4)" }

  // Time.

  /// The time at which it acts without an arrival.
  var nextWake: Timestamp {
    guard let connection else { return isGoing ? .distantFuture : dialAt }
    return min(
      connection.overAt,
      greetAt ?? .distantFuture,
      state == .ready ? tapClient.taps.actAt ?? .distantFuture : .distantFuture
    )
  }

  func wake(at now: Timestamp) throws(BrokenRule) {
    guard nextWake <= now else { return }
    if let connection {
      if connection.overAt <= now { return lose(at: now) }
      if let greetAt, greetAt <= now { return greet(at: now) }
      return tapClient.continueTapping(at: now)
    }
    guard let link = try world.dial(self) else {
      dialAt = now.advanced(milliseconds: Int64(random.draw(100...1_500)))
      return
    }
    world.trace("player \(number) dials by link \(link.number)")
    connection = ClientConnection(link, at: now)
    state = .upgrading
    let request = UpgradeRequest(
      host: "play.example.org",
      path: "/v1/play",
      subprotocols: [subprotocol.rawValue],
      nonce: Array(repeating: UInt8(number), count: 16),
      compresses: compresses
    )
    world.network.send(request.bytes, on: link, at: now)
  }

  func noticeEnd(of link: Link, at time: Timestamp) {
    if link === self.link { connection?.noticeEnd(at: time) }
  }

  /// The connection is lost; another is dialled after a while.
  func lose(at now: Timestamp) {
    guard let link else { return }
    world.network.giveUp(link, at: now)
    noteLoss(of: link, at: now)
  }

  private func noteLoss(of link: Link, at now: Timestamp) {
    world.trace("player \(number) has lost link \(link.number)")
    if state == .ready, heldUntil == nil { heldUntil = min(link.overSince ?? now, now).advanced(seconds: 30) }
    for request in requests.takeAll() {
      account.lose(request)
      switch request {
      case .leaveRoom: mayHaveLeft = true
      case .hello: mayHaveLostToken = true
      case .deleteAccount: mayHaveBeenDeleted = true
      default: break
      }
    }
    tapClient.ranking.end()
    placeClient.lose(at: now)
    storyClient.endWatches()
    isDeleted = false
    connection = nil
    state = .offline
    greetAt = nil
    heardAnnouncements = []
    let pauseMs = world.network.isCalm ? 1 : random.draw(0...(random.chance(80) ? 1_500 : 8_000))
    dialAt = now.advanced(milliseconds: max(Int64(pauseMs), banMs ?? 0))
    banMs = nil
  }

  // Bytes.

  func receive(_ bytes: [UInt8], on link: Link, at now: Timestamp) throws(BrokenRule) {
    guard link === self.link else { return }
    connection?.hear(at: now)
    guard state == .upgrading else { return try receiveMessages(bytes, at: now) }
    switch try takeUpgrade(bytes) {
    case .awaited:
      break
    case .refused(status: 503) where world.report.drains > 0:
      lose(at: world.now)
    case .refused(let status):
      throw BrokenRule(rule: .closesHaveReasons, detail: "player \(number) was refused with \(status)")
    case .done(let behind):
      state = .greeting
      greet(at: now)
      try receiveMessages(behind, at: now)
    }
  }

  private func takeUpgrade(_ bytes: [UInt8]) throws(BrokenRule) -> ClientConnection.Upgrade {
    do {
      return try connection?.takeUpgrade(bytes) ?? .awaited
    } catch {
      throw BrokenRule(rule: .closesHaveReasons, detail: "player \(number) was refused: \(error)")
    }
  }

  /// Says hello again after a while, as the server asked.
  func greetLater(at now: Timestamp) {
    greetAt = now.advanced(milliseconds: 1_000)
  }

  /// The server was gone, with all connections: places are held anew.
  func serverIsBack(at now: Timestamp, downSince: Timestamp) {
    placeClient.sent.beginAnew(atMs: now.milliseconds)
    guard let heldUntil, heldUntil > downSince else { return }
    self.heldUntil = now.advanced(seconds: 30)
  }

  /// Sends a hello or a resume.
  func greet(at now: Timestamp) {
    greetAt = nil
    // A killed app has lost its token, but not its secret.
    if let token, !random.chance(10) {
      var resume = WireResume()
      resume.sessionToken = token
      let afterEvent = random.chance(80) ? copy?.lastEvent : nil
      if let afterEvent { resume.afterEvent = afterEvent }
      ask(.resume(resume), .resume(afterEvent: afterEvent), at: now)
    } else {
      var hello = WireHello()
      hello.nickname = homeName
      account.beginNaming(hello.nickname)
      hello.deviceSecret = "the secret of device \(number)"
      ask(.hello(hello), .hello(nickname: hello.nickname), at: now)
    }
    askForTimeAtOnce(at: now)
  }

  /// Asks for the time right behind a request that may move the connection to another shard. Both may be read at once;
  /// the second must travel along.
  func askForTimeAtOnce(at now: Timestamp) {
    if random.chance(40) { ask(.time(.init()), .time(sentAt: now), at: now) }
  }

  func receiveEnd(of link: Link, at now: Timestamp) throws(BrokenRule) {
    guard link === self.link else { return }
    let mayEnd = state == .upgrading || isGoing || link.isCrashed
    try BrokenRule.unless(
      mayEnd,
      .closesHaveReasons,
      "player \(number)'s link \(link.number) ended without a close frame"
    )
    lose(at: now)
  }

  /// The server's close frame has come.
  func receiveClose(_ code: UInt16?, at now: Timestamp) throws(BrokenRule) {
    var mayCome =
      isGoing || isDeleted ? [CloseStatus.normal] : [CloseCode.tooSlow, .noPong, .helloTooLate].map(\.rawValue)
    if world.report.drains > 0 { mayCome.append(CloseCode.shuttingDown.rawValue) }
    // A player that is being deleted is not admitted.
    if mayBeDeleted { mayCome.append(CloseCode.badToken.rawValue) }
    if world.plan.isGreedy { mayCome.append(CloseCode.rateLimited.rawValue) }
    if marks.mayBeRemoved { mayCome.append(CloseCode.removed.rawValue) }
    let reason = code.map(String.init(describing:)) ?? "nothing"
    try BrokenRule.unless(
      code.map(mayCome.contains) ?? false,
      .closesHaveReasons,
      "player \(number) was closed with \(reason)"
    )
    world.trace("player \(number) is closed with \(reason)")
    if let code { world.report.closes[code, default: 0] += 1 }
    guard let link else { return }
    if !isGoing { send { FrameEncoder.appendClose(code: code, mask: $1, to: &$0) } }
    world.network.finish(link, at: now)
    noteLoss(of: link, at: now)
  }

  // Sending.

  /// Sends a request that must be answered.
  func ask(_ body: WireClientMessage.OneOf_Body, _ request: PlayerRequest, at now: Timestamp) {
    if case .deleteAccount = request {
      world.capsules.mayDeleteAll(of: playerID ?? "")
      world.stories.mayDeleteAll(of: playerID ?? "")
    }
    say(body, id: requests.add(request, at: now), at: now)
  }

  func say(_ body: WireClientMessage.OneOf_Body, id: UInt32?, at now: Timestamp) {
    var message = WireClientMessage()
    if let id { message.id = id }
    message.body = body
    world.trace("player \(number): \(Self.text { Subprotocol.json.append(message, to: &$0) })")
    var payload: [UInt8] = []
    subprotocol.append(message, to: &payload)
    send { FrameEncoder.append(subprotocol.isText ? .text : .binary, payload, mask: $1, to: &$0) }
  }

  /// The message as JSON, for traces.
  static func text(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  func send(_ frame: (inout [UInt8], UInt32) -> Void) {
    guard let link else { return }
    var bytes: [UInt8] = []
    frame(&bytes, UInt32(truncatingIfNeeded: random.next()))
    world.network.send(bytes, on: link, at: world.now)
  }

  /// Whether it may be deleted: a request to be deleted is not answered.
  var mayBeDeleted: Bool {
    mayHaveBeenDeleted || requests.hasDeletion
  }

  /// A welcome shows whether it was deleted.
  func knowsWhetherDeleted() {
    mayHaveBeenDeleted = false
  }

  /// The player is deleted; the client comes back as another.
  func beDeleted(isErased: Bool) {
    tapClient.keepTapsAfterDeletion()
    tapClient.ranking = RankingCopy()
    placeClient.beDeleted(at: world.now)
    storyClient.beDeleted(isErased: isErased, at: world.now)
    playerID = nil
    token = nil
    account.forgetNickname()
    state = .greeting
    isDeleted = true
  }

  /// Ends the session's connection for good; a player without one, who may be banned, dials no more.
  func go() {
    isGoing = true
    send { FrameEncoder.appendClose(code: CloseStatus.normal, mask: $1, to: &$0) }
  }
}

extension Player: TapPlayer {
  var isReady: Bool { state == .ready }
  var isTapping: Bool { requests.hasTaps }

  func ask(_ body: WireClientMessage.OneOf_Body, _ request: TapRequest, at now: Timestamp) {
    ask(body, .taps(request), at: now)
  }
}

extension Player: PlacePlayer {
  var roomCode: String? { copy?.code }
  var isChangingCapsules: Bool { requests.hasCapsuleChange }
  var isAskingToWatch: Bool { requests.hasPlaceWatch }

  func ask(_ body: WireClientMessage.OneOf_Body, _ request: PlaceRequest, at now: Timestamp) {
    ask(body, .places(request), at: now)
  }

  /// Sends the position of a player in a room, with an answer or without.
  func move(_ move: WireMove, isAnswered: Bool, at now: Timestamp) {
    hasSentMoves = true
    placeClient.note(move, at: now)
    if isAnswered { ask(.move(move), .move, at: now) } else { say(.move(move), id: nil, at: now) }
  }
}

extension Player: StoryPlayer {
  var mayBeMuted: Bool { marks.mute.mayApply(answeredAskedAt) }
  var isChangingStories: Bool { requests.hasStoryChange }
  var isAskingToWatchStories: Bool { requests.hasStoryWatch }

  func ask(_ body: WireClientMessage.OneOf_Body, _ request: StoryRequest, at now: Timestamp) {
    ask(body, .stories(request), at: now)
  }
}

// Requests.
extension Player {
  var isDeciding: Bool { requests.hasDecision }
  var isTendingAccount: Bool { requests.hasAccount }
  var isAskingForRanking: Bool { requests.hasRanking }

  func askResults(_ cursor: String, _ pages: ResultPages, at now: Timestamp) {
    var request = WireResultsRequest()
    request.cursor = cursor
    request.limit = 2
    ask(.results(request), .results(pages), at: now)
  }

  /// Asks for another pace of ticks; nil for the room's own.
  func setPace(_ maxHz: UInt32?, at now: Timestamp) {
    wantsEventsOnly = maxHz == 0
    var pace = WireSetPace()
    if let maxHz { pace.maxHz = maxHz }
    ask(.setPace(pace), .setPace, at: now)
  }

  func askRecords(at now: Timestamp) {
    ask(.records(.init()), .records(stored: world.written.records[playerID ?? ""] ?? 0), at: now)
  }

  /// A text that no other player says.
  func makeChat() -> String {
    chatsSaid += 1
    return "\(number)-\(chatsSaid) \(random.pick(["안녕", "ㅋㅋ", "here", "🏃‍♀️"]))"
  }
}
