// Who is there: hello, login, resume, the server's clock, and one connection for each player.
//
// On the shard's thread. Who somebody is, the store decides and remembers: a connection is held until it has, so that what
// comes behind the first message is dealt with as that player's.
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
    // Also for one that is refused.
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
    // Only the store knows whether the device is new; its answer gives back what was paid for nothing.
    let guestWaitMs = gateway.budgets.payForNewGuest(from: address, at: gateway.core.now)
    let token = SessionToken(drawnBy: gateway.context.configuration.random)
    let change = HelloChange(
      device: SessionToken(wire.deviceSecret).digest,
      newPlayer: PlayerID(gateway.context.drawNumber(UInt128.self)),
      nickname: nickname.text,
      session: newSession(token, of: session),
      at: gateway.now,
      mayMakePlayer: guestWaitMs == nil
    )
    begin(session, .hello(change), token, WelcomeReply(id: request.id, afterEvent: nil, guestWaitMs: guestWaitMs))
  }

  func resume(_ wire: WireResume, _ request: OpenRequest) {
    let session = request.session
    guard session.state.identity == nil else { return request.refuse(.alreadyWelcome) }
    let token = SessionToken(wire.sessionToken)
    let change = SessionChange.resume(
      session: newSession(token, of: session),
      at: gateway.context.expiry.now(gateway.now)
    )
    let afterEvent = wire.hasAfterEvent ? wire.afterEvent : nil
    begin(session, change, token, WelcomeReply(id: request.id, afterEvent: afterEvent, isResume: true))
  }

  /// How long a session lasts without being used.
  static let sessionTime = Duration.seconds(Limits.sessionDays * 24 * 60 * 60)
  /// How often the store hears that the session of an open connection is in use. It writes that at most once a day.
  private static let useSeconds: Int64 = 60 * 60

  func newSession(_ token: SessionToken, of session: Session) -> NewSession {
    NewSession(digest: token.digest, connection: session.state.number, expiresAt: sessionExpiry)
  }

  /// When a session expires that is in use now and not any more.
  private var sessionExpiry: Instant { gateway.context.expiry.beginOfTerm(gateway.now) + Self.sessionTime }

  /// Notes that the session of an open connection is in use: who is connected is not forgotten, however long that is.
  func noteUse(of session: Session) {
    guard let identity = session.state.identity, session.connection.isOpen else { return }
    awaitUse(of: session)
    // What can't be written now is by the next time.
    if gateway.canPromise { gateway.journal.add(AccountChange.useSession(identity.session, expiresAt: sessionExpiry)) }
  }

  private func awaitUse(of session: Session) {
    session.connection.serviceDeadline = gateway.core.now.advanced(seconds: Self.useSeconds)
  }

  /// Asks the store who this is, and goes on with its answer.
  func begin(_ session: Session, _ change: SessionChange, _ token: SessionToken, _ reply: WelcomeReply) {
    guard gateway.canPromise else {
      if reply.isResume { statistics.resumes[.storeUnavailable] += 1 }
      return session.refuseForStore(reply.id)
    }
    session.connection.suspend()
    // It has come in time; how long the answer takes is the server's affair.
    session.connection.serviceDeadline = nil
    let address = session.connection.address.ip
    gateway.journal.add(change) { [self] outcome in
      if case .hello(let hello) = change { refundNewGuest(hello, outcome, from: address) }
      guard !session.hasEnded, session.connection.isOpen else { return }
      switch outcome {
      case .player(let player): welcome(session, player, token, reply)
      case .noNewPlayers:
        session.refuse(reply.id, .rateLimited, "too many new guests", retryAfterMs: reply.guestWaitMs)
        gateway.awaitHello(session)
        session.connection.goOn()
      case .replaced: closeAsReplaced(session, reply)
      default: refuse(outcome, reply, session)
      }
    }
  }

  /// A guest who was not new, or is not let in, has used no place.
  private func refundNewGuest(_ hello: HelloChange, _ outcome: SessionOutcome, from address: IPAddress) {
    if case .player(let player) = outcome, player.id == hello.newPlayer { return }
    if hello.mayMakePlayer { gateway.budgets.giveBackNewGuest(from: address) }
  }

  /// The third token that is no session's, or no longer, costs the connection. No other connection pays for it: a good
  /// token must do its work also for who shares an address with somebody who has none.
  private func refuse(_ outcome: SessionOutcome, _ reply: WelcomeReply, _ session: Session) {
    let code = WireErrorCode(outcome) ?? .badToken
    if reply.isResume { statistics.resumes[ResumeOutcome(code)] += 1 }
    if case .banned(let until) = outcome { return closeAsBanned(session, until: until, reply) }
    session.refuse(reply.id, code)
    gateway.awaitHello(session)
    if [.badToken, .sessionEnded, .sessionExpired].contains(code) {
      let part = session.part(orAdd: AccountSession())
      part.refusedTokenCount += 1
      if part.refusedTokenCount >= Limits.refusedTokensMax {
        notify(.tokensRefused(from: session.connection.address.ip))
        return session.close(.badToken)
      }
    }
    session.connection.goOn()
  }

  /// The player or the address has come back too often. The third time costs the connection.
  private func refuseForNow(_ session: Session, _ reply: WelcomeReply, retryAfterMs: UInt32) {
    if reply.isResume { statistics.resumes[.rateLimited] += 1 }
    session.refuse(reply.id, .rateLimited, retryAfterMs: retryAfterMs)
    gateway.awaitHello(session)
    let part = session.part(orAdd: AccountSession())
    part.refusedTokenCount += 1
    if part.refusedTokenCount >= Limits.refusedTokensMax { return session.close(.rateLimited) }
    session.connection.goOn()
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

  /// Takes the session up as this player's, and their older connection's place.
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
    let room: RoomPlace?
    switch gateway.directory.recognize(player.id, place) {
    case .replaced:
      return closeAsReplaced(session, reply)
    case .departing:
      if reply.isResume { statistics.resumes[.badToken] += 1 }
      return session.close(.badToken)
    case .current(let own, let older):
      room = own
      // In whose place a newer one has come.
      if let older { gateway.close(older, .replaced) }
    }
    awaitUse(of: session)
    let identity = Identity(player)
    session.state.identity = identity
    notify(.sessionBegan(player.id))
    guard let room else { return finishWelcome(session, identity, token, reply) }
    gateway.handOff(session, toShard: room.shard, of: shards) { accounts, session in
      accounts.finishWelcome(session, identity, token, reply, in: room.code)
    }
  }

  /// Answers hello, login and resume; for a player who is in a room on that room's shard.
  private func finishWelcome(
    _ session: Session,
    _ identity: Identity,
    _ token: SessionToken,
    _ reply: WelcomeReply,
    in room: RoomCode? = nil
  ) {
    var welcome = WireWelcome()
    welcome.playerID = identity.player.description
    welcome.sessionToken = token.text
    welcome.serverTimeMs = gateway.core.now.milliseconds
    welcome.player = WireOwnPlayer(identity)
    let standingCommitted = taps.addStanding(of: identity.player, to: &welcome, for: session)
    let state = RoomStateRequest(
      session: session,
      id: reply.id,
      welcome: welcome,
      afterEvent: reply.afterEvent,
      sent: standingCommitted ?? {}
    )
    if let room, rooms.bringBack(identity.player, to: room, state) {
      if reply.isResume { statistics.resumes[.inRoom] += 1 }
      return
    }
    if reply.isResume { statistics.resumes[.withoutRoom] += 1 }
    if let standingCommitted {
      session.reply(to: reply.id, .welcome(welcome), after: gateway.journal, standingCommitted)
    } else {
      session.reply(to: reply.id, .welcome(welcome))
    }
    session.connection.goOn()
  }
}

/// How to answer a hello, a login or a resume.
struct WelcomeReply: Sendable {
  /// The number of the request.
  let id: UInt32?
  /// The newest event that the client has seen of its room.
  let afterEvent: UInt32?
  var isResume = false
  /// How long to wait with a new guest; nil where one may be made.
  var guestWaitMs: UInt32?
}

extension WireOwnPlayer {
  init(_ identity: Identity) {
    self.init()
    nickname = identity.nickname
    if let email = identity.email { self.email = email }
    blocked = identity.blocked.sorted().map(\.description)
  }
}
