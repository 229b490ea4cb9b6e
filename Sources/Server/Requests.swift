// One message of a player: its rate, its decoding, and which feature deals with it.
//
// On the shard's thread. Whatever is wrong with a message is answered to its sender and is nothing to anybody else.
import Game
import MadangProtocol
import Net

extension PlayService {
  func receive(_ bytes: UnsafeRawBufferPointer, from session: PlaySession) {
    // The rate first: what is too much must cost next to nothing. Who is at its end is not read for a while, so that most
    // clients are slowed down by the network before any of their messages is refused.
    let pace = session.pace(at: core.now)
    if session.hasNoMessageLeft {
      session.connection.pauseReading(until: core.now.advanced(milliseconds: Limits.overRatePauseMs))
    }
    switch pace {
    case .allowed: take(bytes, from: session)
    case .tooFast(let retryAfterMs):
      traffic.note(overRate: bytes.count, isTold: true)
      session.refuse(id(in: bytes, session), .rateLimited, retryAfterMs: retryAfterMs)
    case .muted:
      traffic.note(overRate: bytes.count, isTold: false)
    case .intolerable:
      traffic.note(overRate: bytes.count, isTold: false)
      session.connection.dismiss(CloseCode.rateLimited.rawValue, CloseCode.rateLimited.reason)
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer, from session: PlaySession) {
    if let move = session.state.subprotocol.decodeMove(bytes) {
      traffic.note(received: .move, bytes: bytes.count)
      return receive(move, from: session)
    }
    do throws(DecodingFailure) {
      let message = try session.state.subprotocol.decodeClientMessage(bytes)
      traffic.note(received: ReceivedType(message.body), bytes: bytes.count)
      dispatch(message.body, message.hasID ? message.id : nil, of: session)
    } catch {
      traffic.note(received: .malformed, bytes: bytes.count)
      session.refuse(error.id, .malformed, error.text)
    }
  }

  /// The id of a message that is refused whatever it says.
  private func id(in bytes: UnsafeRawBufferPointer, _ session: PlaySession) -> UInt32? {
    do throws(DecodingFailure) {
      let message = try session.state.subprotocol.decodeClientMessage(bytes)
      return message.hasID ? message.id : nil
    } catch {
      return error.id
    }
  }

  private func dispatch(_ body: WireClientMessage.OneOf_Body?, _ id: UInt32?, of session: PlaySession) {
    switch body {
    case .hello(let request): hello(request, id, session)
    case .resume(let request): resume(request, id, session)
    case .login(let request): login(request, id, session)
    case .time: time(id, session)
    case nil: session.refuse(id, .unknownBody)
    case let body?:
      guard session.state.identity != nil else { return session.refuse(id, .helloFirst) }
      if case .move(let request) = body { return receive(request, id, session) }
      if dispatchToRecords(body, id, session) { return }
      // What is not going to last is not begun.
      guard canPromise else {
        if case .joinRoom = body { statistics.joinsRefused[.storeUnavailable, default: 0] += 1 }
        return session.refuseForStore(id)
      }
      if dispatchToAccount(body, id, session) || dispatchToTally(body, id, session) { return }
      dispatchToRoom(body, id, session)
    }
  }

  /// Requests that only read, the store, the list of schools or the ranking; false for all others.
  private func dispatchToRecords(
    _ body: WireClientMessage.OneOf_Body,
    _ id: UInt32?,
    _ session: PlaySession
  ) -> Bool {
    switch body {
    case .results(let request): results(request, id, session)
    case .records: records(id, session)
    case .findLands(let request): findLands(request, id, session)
    case .landRanking(let request): landRanking(request, id, session)
    case .playerLands(let request): playerLands(request, id, session)
    case .roomGames(let request): roomGames(request, id, session)
    case .searchSchools(let request): searchSchools(request, id, session)
    case .watchRanking(let request): watchRanking(request, id, session)
    case .unwatchRanking: unwatchRanking(id, session)
    default: return false
    }
    return true
  }

  /// Requests about the player themselves; false for all others.
  private func dispatchToAccount(
    _ body: WireClientMessage.OneOf_Body,
    _ id: UInt32?,
    _ session: PlaySession
  ) -> Bool {
    switch body {
    case .register(let request): register(request, id, session)
    case .logout: logout(id, session)
    case .setNickname(let request): setNickname(request, id, session)
    case .setPassword(let request): setPassword(request, id, session)
    case .block(let request): block(request, id, session)
    case .unblock(let request): unblock(request, id, session)
    case .deleteAccount(let request): deleteAccount(request, id, session)
    default: return false
    }
    return true
  }

  /// Requests that the tally decides on; false for all others.
  private func dispatchToTally(
    _ body: WireClientMessage.OneOf_Body,
    _ id: UInt32?,
    _ session: PlaySession
  ) -> Bool {
    switch body {
    case .chooseSchool(let request): chooseSchool(request, id, session)
    case .tap(let request): tap(request, id, session)
    default: return false
    }
    return true
  }

  private func dispatchToRoom(_ body: WireClientMessage.OneOf_Body, _ id: UInt32?, _ session: PlaySession) {
    switch body {
    case .createRoom(let request): createRoom(request, id, session)
    case .joinRoom(let request): joinRoom(request, id, session)
    case .leaveRoom: ask(id, session) { .leave($0) }
    case .startGame: startGame(id, session)
    case .playAgain: ask(id, session) { .playAgain($0) }
    case .giveUpRun: ask(id, session) { .giveUpRun($0) }
    case .chat(let request): chat(request, id, session)
    case .readChat(let request): ask(id, session) { .readChat($0, upTo: request.upTo) }
    default: preconditionFailure("dealt with before")
    }
  }

  /// Puts an input of the player's to their room and answers with what the rules say, once that lasts.
  func ask(_ id: UInt32?, _ session: PlaySession, _ input: (Place) -> Input) {
    guard let room = session.room, let place = session.place else { return session.refuse(id, .notInRoom) }
    let input = input(place)
    // A player who has used up the journal may still leave.
    if case .leave = input {} else { guard refuseWithoutJournal(id, session) else { return } }
    switch charging(session, for: room, { room.apply(input) }) {
    case .ok, .joined, .none: session.reply(to: id, .ok(WireOk()), after: journal)
    case .refused(let refusal): session.refuse(id, refusal)
    }
  }
}

extension PlaySession {
  /// Answers a request that nothing can be promised for now.
  func refuseForStore(_ id: UInt32?) {
    refuse(id, .storeUnavailable, retryAfterMs: 1_000)
  }

  /// Answers a request that the rules refuse.
  func refuse(_ id: UInt32?, _ refusal: Refusal) {
    let (code, text, retryAfterMs) = refusal.wire
    refuse(id, code, text, retryAfterMs: retryAfterMs)
  }
}
