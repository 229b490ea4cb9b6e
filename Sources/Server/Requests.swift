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
    let open = OpenRequest(id: id, session: session, asker: Anyone())
    switch body {
    case .hello(let wire): hello(wire, open)
    case .resume(let wire): resume(wire, open)
    case .login(let wire): login(wire, open)
    case .time: time(open)
    case nil: open.refuse(.unknownBody)
    case let body?:
      guard let identity = session.state.identity else { return open.refuse(.helloFirst) }
      dispatch(body, PlayerRequest(id: id, session: session, asker: identity))
    }
  }

  private func dispatch(_ body: WireClientMessage.OneOf_Body, _ request: PlayerRequest) {
    if case .move(let wire) = body { return receive(wire, request.id, request.session) }
    if dispatchToRecords(body, request) { return }
    // A request that can't be made durable is not begun.
    guard canPromise else {
      if case .joinRoom = body { statistics.joinsRefused[.storeUnavailable, default: 0] += 1 }
      return request.refuseForStore()
    }
    if dispatchToAccount(body, request) || dispatchToTally(body, request) { return }
    dispatchToRoom(body, request)
  }

  /// Requests that only read, the store, the list of schools or the ranking; false for all others.
  private func dispatchToRecords(_ body: WireClientMessage.OneOf_Body, _ request: PlayerRequest) -> Bool {
    switch body {
    case .results(let wire): results(wire, request)
    case .records: records(request)
    case .findLands(let wire): findLands(wire, request)
    case .landRanking(let wire): landRanking(wire, request)
    case .playerLands(let wire): playerLands(wire, request)
    case .roomGames(let wire): roomGames(wire, request)
    case .searchSchools(let wire): searchSchools(wire, request)
    case .watchRanking(let wire): watchRanking(wire, request)
    case .unwatchRanking: unwatchRanking(request)
    default: return false
    }
    return true
  }

  /// Requests about the player themselves; false for all others.
  private func dispatchToAccount(_ body: WireClientMessage.OneOf_Body, _ request: PlayerRequest) -> Bool {
    switch body {
    case .register(let wire): register(wire, request)
    case .logout: logout(request)
    case .setNickname(let wire): setNickname(wire, request)
    case .setPassword(let wire): setPassword(wire, request)
    case .block(let wire): block(wire, request)
    case .unblock(let wire): unblock(wire, request)
    case .deleteAccount(let wire): deleteAccount(wire, request)
    default: return false
    }
    return true
  }

  /// Requests that the tally decides on; false for all others.
  private func dispatchToTally(_ body: WireClientMessage.OneOf_Body, _ request: PlayerRequest) -> Bool {
    switch body {
    case .chooseSchool(let wire): chooseSchool(wire, request)
    case .tap(let wire): tap(wire, request)
    default: return false
    }
    return true
  }

  private func dispatchToRoom(_ body: WireClientMessage.OneOf_Body, _ request: PlayerRequest) {
    switch body {
    case .createRoom(let wire): createRoom(wire, request)
    case .joinRoom(let wire): joinRoom(wire, request)
    case .leaveRoom: ask(request) { .leave($0) }
    case .startGame: startGame(request)
    case .playAgain: ask(request) { .playAgain($0) }
    case .giveUpRun: ask(request) { .giveUpRun($0) }
    case .chat(let wire): chat(wire, request)
    case .readChat(let wire): ask(request) { .readChat($0, upTo: wire.upTo) }
    default: preconditionFailure("dealt with before")
    }
  }

  /// Puts an input of the player's to their room and answers with what the rules say, once that lasts.
  func ask(_ request: PlayerRequest, _ input: (Place) -> Input) {
    let session = request.session
    guard let room = session.room, let place = session.place else { return request.refuse(.notInRoom) }
    let input = input(place)
    // A player who has used up the journal may still leave.
    if case .leave = input {} else { guard refuseWithoutJournal(request) else { return } }
    switch charging(session, for: room, { room.apply(input) }) {
    case .ok, .joined, .none: request.reply(.ok(WireOk()), after: journal)
    case .refused(let refusal): request.refuse(refusal)
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
