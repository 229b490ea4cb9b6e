// Players' sessions: hello, login, resume, the server's clock, and one connection for each player.
//
// On the shard's queue. The store identifies players and remembers them. A connection is held until the store has
// answered, so that later messages are handled as that player's.
// Decisions: 022, 023, 024 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Accounts {
  func hello(_ wire: WireHello, _ request: OpenRequest) {
    let session = request.session
    guard session.state.identity == nil else { return request.refuse(.alreadyWelcome) }
    noteExplain(wire.explain, session)
    // A refused hello counts too.
    let address = session.connection.address.ip
    if let wait = gateway.budgets.pay(Charge(budget: .hellos, payer: .address(address)), at: gateway.core.now) {
      return request.refuse(.rateLimited, retryAfterMs: wait)
    }
    let nickname: Nickname
    do throws(TextFault) {
      nickname = try Nickname(wire.nickname)
    } catch {
      return request.refuse(.outOfRange, "nickname: \(error)")
    }
    guard Limits.deviceSecretBytes.contains(wire.deviceSecret.utf8.count) else {
      return request.refuse(.outOfRange, "deviceSecret: \(Limits.deviceSecretBytes) bytes of UTF-8")
    }
    guard gateway.canPromise else { return request.refuseForStore() }
    // Only the store knows whether the device is new. A known player comes in whatever their nickname, which may have
    // been listed since.
    let isRefused = gateway.hasRefusedWord(nickname.text)
    // The store's answer gives back a charge for nothing.
    let guestWaitMs = isRefused ? nil : gateway.budgets.payForNewGuest(from: address, at: gateway.core.now)
    let token = SessionToken(drawnBy: gateway.context.configuration.random)
    let change = HelloChange(
      device: SessionToken(wire.deviceSecret).digest,
      newPlayer: PlayerID(gateway.context.drawNumber(UInt128.self)),
      nickname: nickname.text,
      session: newSession(token, of: session),
      at: gateway.now,
      mayMakePlayer: guestWaitMs == nil && !isRefused,
      setsNickname: !isRefused
    )
    var reply = WelcomeReply(id: request.id, afterEvent: nil, guestWaitMs: guestWaitMs)
    reply.nicknameIsRefused = isRefused
    begin(session, .hello(change), token, reply)
  }

  func resume(_ wire: WireResume, _ request: OpenRequest) {
    let session = request.session
    guard session.state.identity == nil else { return request.refuse(.alreadyWelcome) }
    noteExplain(wire.explain, session)
    let token = SessionToken(wire.sessionToken)
    let change = SessionChange.resume(
      session: newSession(token, of: session),
      at: gateway.context.expiry.now(gateway.now)
    )
    let afterEvent = wire.hasAfterEvent ? wire.afterEvent : nil
    begin(session, change, token, WelcomeReply(id: request.id, afterEvent: afterEvent, isResume: true))
  }

  /// Notes that a player wants the verdict on each of their fixes.
  func noteExplain(_ explain: Bool, _ session: Session) {
    if explain || session.attendee != nil { session.part(orAdd: Attendee(session)).explains = explain }
  }

  /// The lifetime of an unused session.
  static let sessionTime = Duration.seconds(Limits.sessionDays * 24 * 60 * 60)
  /// The interval at which an open connection's use of its session goes to the store. The store writes that at most
  /// once a day.
  private static let useSeconds: Int64 = 60 * 60

  func newSession(_ token: SessionToken, of session: Session) -> NewSession {
    NewSession(
      digest: token.digest,
      connection: session.state.number,
      expiresAt: sessionExpiry,
      browser: session.state.browser,
      network: gateway.context.browsers.network(of: session.connection.address.ip)
    )
  }

  /// The expiry of a session that is used now for the last time.
  private var sessionExpiry: Instant { gateway.context.expiry.beginOfTerm(gateway.now) + Self.sessionTime }

  /// Notes that an open connection uses its session, so that it never expires while the player is connected.
  func noteUse(of session: Session) {
    guard let identity = session.state.identity, session.connection.isOpen else { return }
    awaitUse(of: session)
    // A use that can't be written now is written next time.
    if gateway.canPromise { gateway.journal.add(AccountChange.useSession(identity.session, expiresAt: sessionExpiry)) }
  }

  private func awaitUse(of session: Session) {
    session.connection.serviceDeadline = gateway.core.now.advanced(seconds: Self.useSeconds)
  }

  /// Asks the store for the player, and continues with its answer.
  func begin(_ session: Session, _ change: SessionChange, _ token: SessionToken, _ reply: WelcomeReply) {
    guard gateway.canPromise else {
      if reply.isResume { statistics.resumes[.storeUnavailable] += 1 }
      return session.refuseForStore(reply.id)
    }
    // The client's message came in time; the server's delay does not count against it.
    session.connection.serviceDeadline = nil
    let address = session.connection.address.ip
    let giveUp = { session.refuseUnwritten(reply.id, andClose: true) }
    awaitOutcome(of: change, for: session, orElse: giveUp) { [self] outcome, session in
      if case .hello(let hello) = change { refundNewGuest(hello, outcome, from: address) }
      guard let session else { return }
      switch outcome {
      case .player(let player): welcome(session, player, token, reply)
      case .noNewPlayers where reply.nicknameIsRefused:
        session.refuse(reply.id, .wordRefused)
        gateway.awaitHello(session)
      case .noNewPlayers:
        session.refuse(reply.id, .rateLimited, "too many new guests", retryAfterMs: reply.guestWaitMs)
        gateway.awaitHello(session)
      case .replaced: closeAsReplaced(session, reply)
      default: refuse(outcome, reply, session)
      }
    }
  }

  /// Gives back the place of a guest who was not new, or was refused.
  private func refundNewGuest(_ hello: HelloChange, _ outcome: SessionOutcome, from address: IPAddress) {
    if case .player(let player) = outcome, player.id == hello.newPlayer { return }
    if hello.mayMakePlayer { gateway.budgets.giveBackNewGuest(from: address) }
  }

  /// Refuses a token. The third one that is no session's, or expired, costs the connection. No other connection pays
  /// for it: a good token must work even behind an address that others misuse.
  private func refuse(_ outcome: SessionOutcome, _ reply: WelcomeReply, _ session: Session) {
    let code = WireErrorCode(outcome) ?? .badToken
    if reply.isResume { statistics.resumes[ResumeOutcome(code)] += 1 }
    if case .banned(let until) = outcome { return closeAsBanned(session, until: until, reply) }
    if case .unavailable = outcome { session.refuseForStore(reply.id) } else { session.refuse(reply.id, code) }
    gateway.awaitHello(session)
    if [.badToken, .sessionEnded, .sessionExpired].contains(code) {
      let part = session.part(orAdd: AccountSession())
      part.refusedTokenCount += 1
      if part.refusedTokenCount >= Limits.refusedTokensMax {
        notify(.tokensRefused(from: session.connection.address.ip))
        return session.close(.badToken)
      }
    }
  }

  /// Refuses a player or address that came back too often. The third time costs the connection.
  private func refuseForNow(_ session: Session, _ reply: WelcomeReply, retryAfterMs: UInt32) {
    if reply.isResume { statistics.resumes[.rateLimited] += 1 }
    session.refuse(reply.id, .rateLimited, retryAfterMs: retryAfterMs)
    gateway.awaitHello(session)
    let part = session.part(orAdd: AccountSession())
    part.refusedTokenCount += 1
    if part.refusedTokenCount >= Limits.refusedTokensMax { return session.close(.rateLimited) }
  }

  private func closeAsBanned(_ session: Session, until: Instant?, _ reply: WelcomeReply) {
    session.refuse(
      reply.id,
      .banned,
      retryAfterMs: until.map { gateway.context.expiry.wait(until: $0, at: gateway.now) }
    )
    session.close(.removed)
  }

  private func closeAsReplaced(_ session: Session, _ reply: WelcomeReply) {
    if reply.isResume { statistics.resumes[.replaced] += 1 }
    session.close(.replaced)
  }

  /// Begins the session as this player's, in place of their older connection.
  private func welcome(
    _ session: Session,
    _ player: PlayerRow,
    _ token: SessionToken,
    _ reply: WelcomeReply
  ) {
    let place = ConnectionPlace(
      shard: gateway.core.index,
      token: session.connection.token,
      number: session.state.number
    )
    let wait = gateway.budgets.pay(
      Charge(budget: .roomStates, payer: .player(player.id)),
      Charge(budget: .roomStatesOfAddress, payer: .address(session.connection.address.ip)),
      at: gateway.core.now
    )
    if let wait { return refuseForNow(session, reply, retryAfterMs: wait) }
    var reply = reply
    reply.warnings = player.warnings
    let room: RoomPlace?
    switch gateway.directory.recognize(player.id, place) {
    case .replaced:
      return closeAsReplaced(session, reply)
    case .lockedOut:
      if reply.isResume { statistics.resumes[.badToken] += 1 }
      return session.close(.badToken)
    case .current(let own, let older):
      room = own.map(RoomPlace.init)
      // A newer connection has replaced this one.
      if let older { gateway.close(older, .replaced) }
    }
    awaitUse(of: session)
    let identity = Identity(player)
    session.recognize(identity)
    session.takeEmailAndDevice(of: player)
    session.restrictChats(player)
    session.restrictEntry(player)
    notify(.sessionBegan(player.id))
    let request = PlayerRequest(id: reply.id, session: session, asker: identity)
    guard let room else { return finishWelcome(request, token, reply) }
    let welcome = reply
    gateway.handOff(request, toShard: room.shard, of: shards) { accounts, request in
      accounts.finishWelcome(request, token, welcome, in: room.code)
    }
  }

  /// Answers hello, login and resume; for a player in a room, on that room's shard.
  private func finishWelcome(
    _ request: PlayerRequest,
    _ token: SessionToken,
    _ reply: WelcomeReply,
    in room: RoomCode? = nil
  ) {
    if let room, rooms.follow(room, request, of: shards, { $0.finishWelcome($1, token, reply, in: room) }) { return }
    let (identity, session) = (request.asker, request.session)
    var welcome = WireWelcome()
    welcome.playerID = identity.player.description
    welcome.sessionToken = token.text
    welcome.serverTimeMs = gateway.core.now.milliseconds
    welcome.player = WireOwnPlayer(identity, email: session.email, blocked: session.blocked)
    welcome.player.nicknameRefused = reply.nicknameIsRefused || gateway.hasRefusedWord(identity.nickname)
    welcome.server = .this
    welcome.server.features = gateway.featureNames
    let standingCommitted = taps.addStanding(of: identity.player, to: &welcome, for: session)
    let sent = { [moderation] in
      standingCommitted?()
      moderation.tell(reply.warnings, to: session)
    }
    let state = RoomStateRequest(
      session: session,
      id: request.id,
      welcome: welcome,
      afterEvent: reply.afterEvent,
      sent: sent
    )
    if let room, rooms.rejoin(identity.player, to: room, state) {
      if reply.isResume { statistics.resumes[.inRoom] += 1 }
      return
    }
    if reply.isResume { statistics.resumes[.withoutRoom] += 1 }
    if standingCommitted != nil {
      request.reply(.welcome(welcome), after: gateway.journal, isState: true, sent)
    } else {
      request.reply(.welcome(welcome))
      sent()
    }
  }
}

/// The parameters of an answer to hello, login or resume.
struct WelcomeReply: Sendable {
  /// The number of the request.
  let id: UInt32?
  /// The newest event of its room that the client has seen.
  let afterEvent: UInt32?
  var isResume = false
  /// The milliseconds until a new guest may be made; nil where one may be made now.
  var guestWaitMs: UInt32?
  /// The nickname that `hello` has sent has a word of the operator's list.
  var nicknameIsRefused = false
  /// Operators' warnings that the player has not seen.
  var warnings: [PlayerWarning] = []
}

extension WireServerInfo {
  /// This server.
  fileprivate static let this = {
    var info = WireServerInfo()
    info.version = Release.version
    info.protocol = Limits.protocolVersion
    info.messageBytesMax = UInt32(Limits.messageBytesMax)
    info.longMessageBytesMax = UInt32(Limits.longMessageBytesMax)
    info.messagesPerSecond = UInt32(Limits.messagesPerSecond)
    info.messageBurst = UInt32(Limits.messageBurst)
    info.fixesPerSecond = UInt32(Limits.fixesPerSecond)
    return info
  }()
}

extension WireOwnPlayer {
  init(_ identity: Identity, email: String?, blocked: Set<PlayerID>) {
    self.init()
    nickname = identity.nickname
    if let email { self.email = email }
    self.blocked = blocked.sorted().map(\.description)
  }
}
