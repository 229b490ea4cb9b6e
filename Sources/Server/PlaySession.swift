// One connection that plays: who it is, how much it may say, and where in which room it is.
//
// Owned by one shard. What it knows by itself is a value that travels when the connection changes shards; the room that
// it attends stays where it is.
import Game
import MadangProtocol
import Net
import Store
import WebSocket

/// Who a session is of.
struct Identity: Sendable {
  let player: PlayerID
  /// As the player calls themselves; a room may show a number behind it.
  var nickname: String
  /// Nil for a guest.
  var email: String?
  /// Whose chats are withheld.
  var blocked: Set<PlayerID>
  /// What keeps them from chatting; may be over.
  var mute: Mute?
  /// The digest of the session's token.
  let session: [UInt8]
  /// The digest of the secret of the device that began the session; nil where a login did.
  let device: [UInt8]?
}

/// What a session knows on whichever shard it is.
struct SessionState: Sendable {
  var identity: Identity?
  let subprotocol: Subprotocol
  /// Which of all connections this one is: of a player's, a newer one replaces it.
  let number: UInt64
  /// Has been told that the server is going down.
  var isToldOfClosing = false
  var refusedTokenCount: UInt8 = 0
  /// The number of the newest announcement to everybody that the connection has had, or came after.
  var lastAnnouncement: UInt64
  /// What the player taps for, by what is committed; nil before the first choice.
  var school: SchoolID?
  /// How many schools of the ranking the player watches; nil for who does not watch.
  var rankingTop: UInt8?
  /// How many messages have been too many, without a second's pause.
  var overCount: UInt32 = 0
  /// When the first of them came, and the newest.
  var overSince = Timestamp(microseconds: 0)
  var overLast = Timestamp(microseconds: 0)
  /// How many fixes more are paid for in the budgets of journals.
  var fixesPaid: Int32 = 0
  var messages = TokenBucket(burst: Int64(Limits.messageBurst), tokenMs: 1_000 / Int64(Limits.messagesPerSecond))

  init(subprotocol: Subprotocol, number: UInt64, lastAnnouncement: UInt64) {
    self.subprotocol = subprotocol
    self.number = number
    self.lastAnnouncement = lastAnnouncement
  }
}

/// A deletion whose request is not answered yet.
struct AwaitedErasure {
  let requestID: UInt32?
}

final class PlaySession {
  unowned let connection: Connection
  /// What its shard counts of messages.
  let traffic: MessageTraffic
  /// The room that the player is in.
  private(set) var room: LiveRoom?
  var state: SessionState
  /// The player's place in the room.
  private(set) var place: Place?
  /// What is for this player alone and leaves with the next tick, in order.
  private var news: [WireServerMessage.OneOf_Body] = []
  /// Their frames, made for that tick.
  private var newsFrames: [UInt8] = []
  /// Set while the connection is behind: what it has seen.
  var lag: Lag?
  /// The player is in a room and waits for the answer that shows it; no tick goes before.
  var awaitsRoom = false
  /// The room's state is to be made at the end of a turn; no message is taken before.
  var awaitsState = false
  /// Where the session sits among those who watch the ranking on this shard.
  var rankingSeat: RankingBoard.Seat?
  /// A batch of taps waits for its commit; no other is taken.
  var awaitsTapped = false
  /// Set while the player, who is deleted, waits for the store to erase what is left.
  var erasure: AwaitedErasure?
  /// How many answers wait for a commit.
  private(set) var heldAnswers = 0
  /// The connection is gone; what waits for a commit is for nobody.
  private(set) var hasEnded = false
  /// The connection is suspended until a password has been hashed or checked.
  var awaitsPassword = false
  /// Made when somebody asks for it: most sessions never wait for a password.
  private var ownInterest: PasswordDesk.Interest?

  /// What a connection that is behind has seen last.
  struct Lag {
    let broadcastNumber: UInt64
    let eventNumber: UInt32
  }

  init(_ connection: Connection, _ traffic: MessageTraffic, _ state: SessionState) {
    self.connection = connection
    self.traffic = traffic
    self.state = state
  }

  func enter(_ room: LiveRoom, _ place: Place) {
    self.room = room
    self.place = place
    connection.pingIntervalSeconds = Limits.pingIntervalInRoomSeconds
  }

  func move(to place: Place) {
    self.place = place
  }

  func exit() {
    room = nil
    place = nil
    lag = nil
    awaitsRoom = false
    news = []
    connection.pingIntervalSeconds = Limits.pingIntervalSeconds
  }

  /// The connection is gone.
  func end() {
    hasEnded = true
    ownInterest?.end()
  }

  /// Ends with the connection, or when the peer goes while it waits, for work on other threads that would be for nobody.
  var interest: PasswordDesk.Interest {
    if let ownInterest { return ownInterest }
    let interest = PasswordDesk.Interest()
    ownInterest = interest
    return interest
  }

  var messageKind: MessageKind { state.subprotocol.isText ? .text : .binary }
}

// Answers that wait for a commit.
extension PlaySession {
  /// Answers a request when all that the answer tells of is committed, then calls `action`. The answer is made now: it
  /// tells nothing of what happens meanwhile.
  func reply(
    to id: UInt32?,
    _ body: WireServerMessage.OneOf_Body,
    after journal: ShardJournal,
    _ action: (() -> Void)? = nil
  ) {
    guard !journal.isSettled else {
      reply(to: id, body)
      action?()
      return
    }
    let payload = payload(of: body, replyTo: id)
    let type = SentType(body)
    hold(after: journal) { [self] in
      send(type, payload)
      action?()
    }
  }

  /// Gives an answer when everything so far is committed, unless the connection is gone by then.
  func hold(after journal: ShardJournal, _ give: @escaping () -> Void) {
    heldAnswers += 1
    journal.whenCommitted { [self] in
      heldAnswers -= 1
      guard !hasEnded else { return }
      give()
    }
  }

  /// Lets no further message through until all answers so far have been given; then `action`.
  func afterAnswers(_ journal: ShardJournal, _ action: @escaping () -> Void) {
    guard heldAnswers > 0 else { return action() }
    connection.suspend()
    journal.whenCommitted { [self] in
      guard !hasEnded, connection.isOpen else { return }
      connection.goOn()
      action()
    }
  }
}

// Sending.
extension PlaySession {
  /// Answers a request. An `ok` to a request without `id` says nothing and is left out.
  func reply(to id: UInt32?, _ body: WireServerMessage.OneOf_Body) {
    send(SentType(body), payload(of: body, replyTo: id))
  }

  /// Sends a message that is encoded; does nothing for an empty one.
  private func send(_ type: SentType, _ payload: [UInt8]) {
    guard !payload.isEmpty, connection.isOpen else { return }
    traffic.note(sent: type, bytes: payload.count)
    payload.withUnsafeBytes { connection.send(messageKind, $0) }
  }

  /// The message of an answer; empty where none is given.
  private func payload(of body: WireServerMessage.OneOf_Body, replyTo id: UInt32?) -> [UInt8] {
    if id == nil, case .ok = body { return [] }
    if case .error(let error) = body { traffic.note(error: error.code) }
    var message = WireServerMessage()
    if let id { message.replyTo = id }
    message.body = body
    var bytes: [UInt8] = []
    state.subprotocol.append(message, to: &bytes)
    return bytes
  }

  /// Answers a request that is refused; `text` tells the developer of the client what exactly is wrong, nil stands for
  /// the code's own text.
  func refuse(_ id: UInt32?, _ code: WireErrorCode, _ text: String? = nil, retryAfterMs: UInt32? = nil) {
    var error = WireError(code, text)
    if let retryAfterMs { error.retryAfterMs = retryAfterMs }
    reply(to: id, .error(error))
  }

  /// Sends news.
  func send(_ body: WireServerMessage.OneOf_Body) {
    send(SentType(body), payload(of: body, replyTo: nil))
  }

  /// Tells of a badge that the player has just been awarded.
  func send(badge number: Int) {
    var badge = WireBadge()
    badge.badge = UInt32(number)
    send(.badge(badge))
  }

  /// Sends a tick that is for this player alone, with what they don't want to read withheld.
  func send(tick: Tick) {
    var bytes: [UInt8] = []
    state.subprotocol.append(tick, withholding: state.identity?.blocked ?? [], to: &bytes)
    send(.tick, bytes)
  }

  /// Keeps a message for the next tick, so that it costs no system call of its own; where that is not soon, of each kind only
  /// the newest.
  func sendWithTick(_ body: WireServerMessage.OneOf_Body, isSoon: Bool) {
    if !isSoon { news.removeAll { $0.isSameNews(as: body) } }
    news.append(body)
  }

  /// The game is over: clients take everybody's path and run for gone, so none is told of as going on behind that.
  func forgetGoingOn() {
    news.removeAll { body in
      switch body {
      case .path(let path): path.state == .open
      case .run(let run): [.tooFar, .running, .warned].contains(run.state)
      default: false
      }
    }
  }

  /// Something for this player alone waits for a tick.
  var hasNews: Bool { !news.isEmpty }

  /// Hands over the frames of what waits for a tick, which waits no more.
  func takeNews<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    newsFrames.removeAll(keepingCapacity: true)
    for item in news {
      var message = WireServerMessage()
      message.body = item
      var bytes: [UInt8] = []
      state.subprotocol.append(message, to: &bytes)
      traffic.note(sent: SentType(item), bytes: bytes.count)
      bytes.withUnsafeBytes { FrameEncoder.append(messageKind, $0, mask: nil, to: &newsFrames) }
    }
    news.removeAll(keepingCapacity: true)
    return newsFrames.withUnsafeBytes(body)
  }

  func close(_ code: CloseCode) {
    connection.close(code.rawValue, code.reason)
  }

  /// The session is over by the player's own will.
  func closeForGood(_ reason: String) {
    connection.close(CloseStatus.normal, reason)
  }
}

// The rate of messages.
extension PlaySession {
  enum Pace {
    case allowed
    case tooFast(retryAfterMs: UInt32)
    /// So many too many that they are no longer answered.
    case muted
    /// Too fast for longer than is borne, or too much at once.
    case intolerable
  }

  /// Counts one message that has come.
  func pace(at now: Timestamp) -> Pace {
    if state.messages.take(at: Instant(now)) { return .allowed }
    if state.overCount > 0, now < state.overLast.advanced(seconds: 1) {
      if now >= state.overSince.advanced(seconds: Limits.overRateSecondsMax) { return .intolerable }
    } else {
      state.overSince = now
      state.overCount = 0
    }
    state.overLast = now
    state.overCount += 1
    if state.overCount > Limits.overRateMessagesMax { return .intolerable }
    if state.overCount > Limits.overRateAnswersMax { return .muted }
    return .tooFast(retryAfterMs: UInt32(Limits.overRatePauseMs))
  }

  /// The next message would be one too many.
  var hasNoMessageLeft: Bool { state.messages.isEmpty }
}

extension WireError {
  /// With the code's own text where there is no other.
  init(_ code: WireErrorCode, _ text: String?) {
    self.init()
    self.code = code
    message = text ?? code.text
  }
}

extension WireServerMessage.OneOf_Body {
  /// Whether this and other news are about the same: the newer of two makes the older pointless.
  fileprivate func isSameNews(as other: Self) -> Bool {
    switch (self, other) {
    case (.verdict, .verdict), (.path, .path), (.run, .run): true
    default: false
    }
  }
}
