// Who is there: hello, login, resume, the server's clock, and one connection for each player.
//
// On the shard's thread. Who somebody is, the store decides and remembers: a connection is held until it has, so that what
// comes behind the first message is dealt with as that player's.
// Decisions: 022, 023, 024 (docs/decisions).
import Game
import MadangProtocol
import Net
import Store

extension PlayService {
  func hello(_ wire: WireHello, _ request: OpenRequest) {
    let session = request.session
    guard session.state.identity == nil else { return request.refuse(.alreadyWelcome) }
    // Also for one that is refused.
    let address = session.connection.address.ip
    if let wait = budgets.pay(Charge(budget: .hellos, payer: .address(address)), at: core.now) {
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
    guard canPromise else { return request.refuseForStore() }
    // Only the store knows whether the device is new; its answer gives back what was paid for nothing.
    let guestWaitMs = budgets.payForNewGuest(from: address, at: core.now)
    let token = commons.drawToken()
    let change = HelloChange(
      device: SessionToken(wire.deviceSecret).digest,
      newPlayer: commons.drawPlayer(),
      nickname: nickname.text,
      session: newSession(token, of: session),
      at: now,
      mayMakePlayer: guestWaitMs == nil
    )
    begin(session, .hello(change), token, Errand.Reply(id: request.id, afterEvent: nil, guestWaitMs: guestWaitMs))
  }

  func resume(_ wire: WireResume, _ request: OpenRequest) {
    let session = request.session
    guard session.state.identity == nil else { return request.refuse(.alreadyWelcome) }
    let token = SessionToken(wire.sessionToken)
    let change = Change.resume(session: newSession(token, of: session), at: commons.expiry.now(now))
    let afterEvent = wire.hasAfterEvent ? wire.afterEvent : nil
    begin(session, change, token, Errand.Reply(id: request.id, afterEvent: afterEvent, isResume: true))
  }

  func time(_ request: OpenRequest) {
    var reply = WireTimeReply()
    reply.serverTimeMs = core.now.milliseconds
    request.reply(.time(reply))
  }

  /// How long a session lasts without being used.
  static let sessionTime = Duration.seconds(Limits.sessionDays * 24 * 60 * 60)
  /// How often the store hears that the session of an open connection is in use. It writes that at most once a day.
  private static let useSeconds: Int64 = 60 * 60

  func newSession(_ token: SessionToken, of session: PlaySession) -> NewSession {
    NewSession(digest: token.digest, connection: session.state.number, expiresAt: sessionExpiry)
  }

  /// When a session expires that is in use now and not any more.
  private var sessionExpiry: Instant { commons.expiry.beginOfTerm(now) + Self.sessionTime }

  /// Notes that the session of an open connection is in use: who is connected is not forgotten, however long that is.
  func noteUse(of session: PlaySession) {
    guard let identity = session.state.identity, session.connection.isOpen else { return }
    awaitUse(of: session)
    // What can't be written now is by the next time.
    if canPromise { journal.add(.useSession(identity.session, expiresAt: sessionExpiry)) }
  }

  private func awaitUse(of session: PlaySession) {
    session.connection.serviceDeadline = core.now.advanced(seconds: Self.useSeconds)
  }

  /// Asks the store who this is, and goes on with its answer.
  func begin(_ session: PlaySession, _ change: Change, _ token: SessionToken, _ reply: Errand.Reply) {
    guard canPromise else {
      if reply.isResume { statistics.resumes[.storeUnavailable] += 1 }
      return session.refuseForStore(reply.id)
    }
    session.connection.suspend()
    // It has come in time; how long the answer takes is the server's affair.
    session.connection.serviceDeadline = nil
    let address = session.connection.address.ip
    journal.add(change) { [self] outcome in
      if case .hello(let hello) = change { settleNewGuest(hello, outcome, from: address) }
      guard !session.hasEnded, session.connection.isOpen else { return }
      switch outcome {
      case .player(let player): welcome(session, player, token, reply)
      case .noNewPlayers:
        session.refuse(reply.id, .rateLimited, "too many new guests", retryAfterMs: reply.guestWaitMs)
        awaitHello(session)
        session.connection.goOn()
      case .replaced: closeAsReplaced(session, reply)
      default: refuse(outcome, reply, session)
      }
    }
  }

  /// A guest who was not new, or is not let in, has used no place.
  private func settleNewGuest(_ hello: HelloChange, _ outcome: Outcome, from address: IPAddress) {
    if case .player(let player) = outcome, player.id == hello.newPlayer { return }
    if hello.mayMakePlayer { budgets.giveBackNewGuest(from: address) }
  }

  /// The third token that is no session's, or no longer, costs the connection. No other connection pays for it: a good
  /// token must do its work also for who shares an address with somebody who has none.
  private func refuse(_ outcome: Outcome, _ reply: Errand.Reply, _ session: PlaySession) {
    let code = WireErrorCode(outcome) ?? .badToken
    if reply.isResume { statistics.resumes[ResumeOutcome(code)] += 1 }
    if case .banned(let until) = outcome { return closeAsBanned(session, until: until, reply) }
    session.refuse(reply.id, code)
    awaitHello(session)
    if [.badToken, .sessionEnded, .sessionExpired].contains(code) {
      session.state.refusedTokenCount += 1
      if session.state.refusedTokenCount >= Limits.refusedTokensMax {
        commons.tell(.tokensRefused(from: session.connection.address.ip))
        return session.close(.badToken)
      }
    }
    session.connection.goOn()
  }

  /// The player or the address has come back too often. The third time costs the connection.
  private func refuseForNow(_ session: PlaySession, _ reply: Errand.Reply, retryAfterMs: UInt32) {
    if reply.isResume { statistics.resumes[.rateLimited] += 1 }
    session.refuse(reply.id, .rateLimited, retryAfterMs: retryAfterMs)
    awaitHello(session)
    session.state.refusedTokenCount += 1
    if session.state.refusedTokenCount >= Limits.refusedTokensMax { return session.close(.rateLimited) }
    session.connection.goOn()
  }

  private func closeAsBanned(_ session: PlaySession, until: Instant?, _ reply: Errand.Reply) {
    session.refuse(reply.id, .banned, retryAfterMs: until.map(wait(until:)))
    session.close(.removed)
  }

  private func closeAsReplaced(_ session: PlaySession, _ reply: Errand.Reply) {
    if reply.isResume { statistics.resumes[.replaced] += 1 }
    session.close(.replaced)
  }

  /// Gives a connection without a player its time to say who it is.
  func awaitHello(_ session: PlaySession) {
    session.connection.serviceDeadline = core.now.advanced(seconds: Limits.helloSeconds)
  }

  /// Takes the session up as this player's, and their older connection's place.
  private func welcome(
    _ session: PlaySession,
    _ player: PlayerRow,
    _ token: SessionToken,
    _ reply: Errand.Reply
  ) {
    let place = ConnectionPlace(
      shard: core.index,
      token: session.connection.token,
      number: session.state.number
    )
    let wait = budgets.pay(
      Charge(budget: .roomStates, payer: .player(player.id)),
      Charge(budget: .roomStatesOfAddress, payer: .address(session.connection.address.ip)),
      at: core.now
    )
    if let wait { return refuseForNow(session, reply, retryAfterMs: wait) }
    let room: RoomPlace?
    switch directory.recognize(player.id, place) {
    case .replaced:
      return closeAsReplaced(session, reply)
    case .departing:
      if reply.isResume { statistics.resumes[.badToken] += 1 }
      return session.close(.badToken)
    case .current(let own, let older):
      room = own
      // In whose place a newer one has come.
      if let older { close(older, .replaced) }
    }
    awaitUse(of: session)
    let identity = Identity(player)
    session.state.identity = identity
    commons.tell(.sessionBegan(player.id))
    let errand = Errand(state: session.state, identity: identity, task: .welcome(token, room?.code, reply))
    if let room, room.shard != core.index {
      session.connection.move(to: core.siblings[room.shard], carrying: errand)
    } else {
      run(errand, for: session)
      if !session.awaitsState { session.connection.goOn() }
    }
  }

  /// Answers hello, login and resume on the shard of the player's room, if they are in one.
  func finishWelcome(
    _ token: SessionToken,
    _ code: RoomCode?,
    _ reply: Errand.Reply,
    _ identity: Identity,
    _ session: PlaySession
  ) {
    var welcome = WireWelcome()
    welcome.playerID = identity.player.description
    welcome.sessionToken = token.text
    welcome.serverTimeMs = core.now.milliseconds
    welcome.player = WireOwnPlayer(identity)
    let (standing, isCommitted) = commons.tally.standing(of: identity.player)
    if let standing { welcome.player.add(standing) }
    if isCommitted {
      session.state.school = standing?.school
    } else {
      // What they did over another connection is on its way to the disk.
      journal.touch()
    }
    guard let live = code.flatMap({ rooms[$0] }), bringBack(identity.player, to: live, session) else {
      if reply.isResume { statistics.resumes[.withoutRoom] += 1 }
      guard isCommitted else {
        return session.reply(to: reply.id, .welcome(welcome), after: journal) { [self] in
          settle(standing?.school, of: session)
        }
      }
      return session.reply(to: reply.id, .welcome(welcome))
    }
    if reply.isResume { statistics.resumes[.inRoom] += 1 }
    askForState(
      of: live,
      RoomStateRequest(
        session: session,
        id: reply.id,
        welcome: welcome,
        afterEvent: reply.afterEvent,
        school: standing?.school
      )
    )
  }

  /// Lets the session attend for a player who is in the room; false when they are not, or no longer: a hold may have run out
  /// since the last tick.
  private func bringBack(_ player: PlayerID, to live: LiveRoom, _ session: PlaySession) -> Bool {
    guard let before = live.room.place(of: player) else { return false }
    if let older = live.session(at: before) { live.detach(older) }
    live.attend(session, at: before)
    guard charging(session, for: live, { live.apply(.comeBack(before)) }) == .ok,
      live.room.place(of: player) != nil
    else {
      live.detach(session)
      return false
    }
    return true
  }
}

extension Identity {
  /// Who the store says it is.
  init(_ player: PlayerRow) {
    self.init(
      player: player.id,
      nickname: player.nickname,
      email: player.email,
      blocked: Set(player.blocked),
      mute: player.mute,
      session: player.session,
      device: player.device
    )
  }
}

extension WireOwnPlayer {
  init(_ identity: Identity) {
    self.init()
    nickname = identity.nickname
    if let email = identity.email { self.email = email }
    blocked = identity.blocked.sorted().map(\.description)
  }
}
