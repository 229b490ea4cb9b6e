// Making, entering, leaving and starting rooms.
//
// On the shard's thread. Which room is where is the directory's to know; what may happen in it is the rules' to say.
import Game
import MadangProtocol
import Net

extension PlayService {
  func createRoom(_ request: WireCreateRoom, _ id: UInt32?, _ session: PlaySession) {
    guard session.room == nil else { return session.refuse(id, .alreadyInRoom) }
    guard !isDraining else { return session.refuse(id, .shuttingDown) }
    guard let mode = Mode(request.mode) else {
      return session.refuse(id, .outOfRange, "mode: FOOTPRINT, TERRITORY or LAND")
    }
    if let stray = request.field(strangeTo: mode) {
      return session.refuse(id, .outOfRange, "\(stray): not in this mode")
    }
    guard request.arena.hasLatE7 == request.arena.hasLngE7 else {
      return session.refuse(id, .outOfRange, "arena: latE7 and lngE7, or neither")
    }
    guard mode == .land else { return createRoom(request, mode, lands: [], id, session) }
    landsOfRoom(request, id, session) { service, lands, session in
      guard session.room == nil else { return session.refuse(id, .alreadyInRoom) }
      service.createRoom(request, mode, lands: lands, id, session)
    }
  }

  private func createRoom(
    _ request: WireCreateRoom,
    _ mode: Mode,
    lands: [Land],
    _ id: UInt32?,
    _ session: PlaySession
  ) {
    do throws(SettingOutOfRange) {
      let configuration = try RoomConfiguration(request, mode, lands: lands, tickHz: commons.configuration.tickHz)
      guard let place = placeForRoom(configuration, id, session) else { return }
      let live = addRoom(configuration, at: place)
      chargeJournal(of: session, bytes: Self.roomRowBytes + Int64(live.gatheredBytes))
      enter(live, id, session)
    } catch {
      session.refuse(id, .outOfRange, "\(error.field): \(error.range.lowerBound) to \(error.range.upperBound)")
    }
  }

  /// A place for a new room of the player's; nil, and the request is refused, when there are too many.
  private func placeForRoom(_ configuration: RoomConfiguration, _ id: UInt32?, _ session: PlaySession) -> RoomPlace? {
    guard let player = session.state.identity?.player else { preconditionFailure("who makes a room has said hello") }
    guard payForRoomState(id, session), refuseWithoutJournal(id, session) else { return nil }
    if let wait = budgets.pay(Charge(budget: .newRooms, payer: .player(player)), at: core.now) {
      session.refuse(id, .rateLimited, retryAfterMs: wait)
      return nil
    }
    let creator = RoomCreator(player, from: session.connection.address.ip)
    switch directory.addRoom(shard: core.index, isSolo: configuration.solo, by: creator) {
    case .room(let place): return place
    case .tooMany(let budget):
      budgets.noteRefusal(budget)
      session.refuse(id, .rateLimited, "too many open rooms", retryAfterMs: Self.roomRetryMs)
      return nil
    }
  }

  /// Counts a room's whole state that is about to be sent; false, and the request is refused, when it is one too many.
  private func payForRoomState(_ id: UInt32?, _ session: PlaySession) -> Bool {
    guard let wait = waitForRoomState(session) else { return true }
    refuseJoin(id, .rateLimited, session, retryAfterMs: wait)
    return false
  }

  /// How many milliseconds to wait for a room's whole state; nil when it is paid for.
  func waitForRoomState(_ session: PlaySession) -> UInt32? {
    guard let player = session.state.identity?.player else { preconditionFailure("a state is a player's") }
    guard !session.connection.isBehind else { return 1_000 }
    return budgets.pay(
      Charge(budget: .roomStates, payer: .player(player)),
      Charge(budget: .roomStatesOfAddress, payer: .address(session.connection.address.ip)),
      at: core.now
    )
  }

  /// A room that nobody is in any more closes within a minute.
  private static let roomRetryMs: UInt32 = 60_000

  func joinRoom(_ request: WireJoinRoom, _ id: UInt32?, _ session: PlaySession) {
    guard session.room == nil else { return refuseJoin(id, .alreadyInRoom, session) }
    guard let code = RoomCode(request.code) else { return refuseJoin(id, .badCode, session) }
    guard let player = session.state.identity?.player else { preconditionFailure("who joins has said hello") }
    guard refuseWithoutJournal(id, session) else { return }
    let address = session.connection.address.ip
    switch budgets.findRoom(code, in: directory, for: player, from: address, at: core.now) {
    case .room where !payForRoomState(id, session):
      break
    case .tooOften(let retryAfterMs):
      refuseJoin(id, .rateLimited, session, retryAfterMs: retryAfterMs)
    case .nothing:
      refuseJoin(id, .roomNotFound, session)
    case .room(let place) where place.shard == core.index:
      enter(rooms[code], id, session)
    case .room(let place):
      // Answers that still wait for a commit here would not find the connection there.
      session.afterAnswers(journal) { [self] in
        rankingTicks.remove(session)
        let errand = Errand(state: session.state, task: .join(code, id: id))
        session.connection.move(to: core.siblings[place.shard], carrying: errand)
      }
    }
  }

  /// Lets the player into a room of this shard; `live` is nil when it has closed since its code was looked up.
  func enter(_ live: LiveRoom?, _ id: UInt32?, _ session: PlaySession) {
    guard let live else { return refuseJoin(id, .roomNotFound, session) }
    guard let identity = session.state.identity else { preconditionFailure("who enters has said hello") }
    // First the directory, so that a player with two connections for a moment is in one room all the same.
    // A room that nobody enters closes by itself.
    let standing = directory.enter(identity.player, number: session.state.number, live.place)
    if let reason = CloseCode(standing) { return session.close(reason) }
    switch charging(session, for: live, { live.apply(.join(identity.player, nickname: identity.nickname)) }) {
    case .joined(let place):
      statistics.joins += 1
      live.attend(session, at: place)
      askForState(of: live, RoomStateRequest(session: session, id: id))
    case .refused(let refusal):
      directory.leave(identity.player, live.place.code)
      let (code, text, retryAfterMs) = refusal.wire
      refuseJoin(id, refusal == .closed ? .roomNotFound : code, session, text, retryAfterMs: retryAfterMs)
    case .ok, .none:
      preconditionFailure("a join is let in or refused")
    }
  }

  private func refuseJoin(
    _ id: UInt32?,
    _ code: WireErrorCode,
    _ session: PlaySession,
    _ text: String? = nil,
    retryAfterMs: UInt32? = nil
  ) {
    statistics.joinsRefused[code, default: 0] += 1
    session.refuse(id, code, text, retryAfterMs: retryAfterMs)
  }

  func startGame(_ id: UInt32?, _ session: PlaySession) {
    guard !isDraining else { return session.refuse(id, .shuttingDown) }
    guard let room = session.room, let player = session.state.identity?.player else {
      return session.refuse(id, .notInRoom)
    }
    let own = Charge(budget: .starts, payer: .player(player))
    let ofRoom = Charge(budget: .startsOfRoom, payer: .room(room.place.code))
    // A start that the rules refuse costs nothing, and is told why.
    guard room.room.phase == .lobby else { return ask(id, session) { .startGame($0) } }
    if let wait = budgets.wait(own, ofRoom, at: core.now) {
      return session.refuse(id, .rateLimited, retryAfterMs: wait)
    }
    let gameBefore = room.room.gameNumber
    ask(id, session) { .startGame($0) }
    guard room.room.gameNumber != gameBefore else { return }
    budgets.charge(own, ofRoom, at: core.now)
    chargeJournal(of: session, bytes: Self.gameRowBytes)
  }
}

extension WireCreateRoom {
  /// A setting that means nothing in a mode: its creator would take the room for something else.
  fileprivate func field(strangeTo mode: Mode) -> String? {
    if mode != .territory, hasArena { return "arena" }
    if mode != .territory, cutting { return "cutting" }
    return mode != .land && !landIds.isEmpty ? "landIds" : nil
  }
}
