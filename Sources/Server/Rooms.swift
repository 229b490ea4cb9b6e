// Making, entering, leaving and starting rooms.
//
// On the shard's thread. Which room is where is the directory's to know; what may happen in it is the rules' to say.
import Game
import MadangProtocol
import Net

extension PlayService {
  func createRoom(_ wire: WireCreateRoom, _ request: PlayerRequest) {
    guard request.session.room == nil else { return request.refuse(.alreadyInRoom) }
    guard !isDraining else { return request.refuse(.shuttingDown) }
    guard let mode = Mode(wire.mode) else {
      return request.refuse(.outOfRange, "mode: FOOTPRINT, TERRITORY or LAND")
    }
    if let stray = wire.field(strangeTo: mode) {
      return request.refuse(.outOfRange, "\(stray): not in this mode")
    }
    guard wire.arena.hasLatE7 == wire.arena.hasLngE7 else {
      return request.refuse(.outOfRange, "arena: latE7 and lngE7, or neither")
    }
    guard mode == .land else { return createRoom(wire, mode, lands: [], request) }
    landsOfRoom(wire, request) { service, lands, request in
      guard request.session.room == nil else { return request.refuse(.alreadyInRoom) }
      service.createRoom(wire, mode, lands: lands, request)
    }
  }

  private func createRoom(
    _ wire: WireCreateRoom,
    _ mode: Mode,
    lands: [Land],
    _ request: PlayerRequest
  ) {
    do throws(SettingOutOfRange) {
      let configuration = try RoomConfiguration(wire, mode, lands: lands, tickHz: commons.configuration.tickHz)
      guard let place = placeForRoom(configuration, request) else { return }
      let live = addRoom(configuration, at: place)
      chargeJournal(of: request.session, bytes: Self.roomRowBytes + Int64(live.gatheredBytes))
      enter(live, request)
    } catch {
      request.refuse(.outOfRange, "\(error.field): \(error.range.lowerBound) to \(error.range.upperBound)")
    }
  }

  /// A place for a new room of the player's; nil, and the request is refused, when there are too many.
  private func placeForRoom(_ configuration: RoomConfiguration, _ request: PlayerRequest) -> RoomPlace? {
    guard payForRoomState(request), refuseWithoutJournal(request) else { return nil }
    if let wait = budgets.pay(Charge(budget: .newRooms, payer: .player(request.player)), at: core.now) {
      request.refuse(.rateLimited, retryAfterMs: wait)
      return nil
    }
    let creator = RoomCreator(request.player, from: request.session.connection.address.ip)
    switch directory.addRoom(shard: core.index, isSolo: configuration.solo, by: creator) {
    case .room(let place): return place
    case .tooMany(let budget):
      budgets.noteRefusal(budget)
      request.refuse(.rateLimited, "too many open rooms", retryAfterMs: Self.roomRetryMs)
      return nil
    }
  }

  /// Counts a room's whole state that is about to be sent; false, and the request is refused, when it is one too many.
  private func payForRoomState(_ request: PlayerRequest) -> Bool {
    let connection = request.session.connection
    let wait =
      connection.isBehind
      ? 1_000
      : budgets.pay(
        Charge(budget: .roomStates, payer: .player(request.player)),
        Charge(budget: .roomStatesOfAddress, payer: .address(connection.address.ip)),
        at: core.now
      )
    guard let wait else { return true }
    refuseJoin(request, .rateLimited, retryAfterMs: wait)
    return false
  }

  /// A room that nobody is in any more closes within a minute.
  private static let roomRetryMs: UInt32 = 60_000

  func joinRoom(_ wire: WireJoinRoom, _ request: PlayerRequest) {
    let session = request.session
    guard session.room == nil else { return refuseJoin(request, .alreadyInRoom) }
    guard let code = RoomCode(wire.code) else { return refuseJoin(request, .badCode) }
    guard refuseWithoutJournal(request) else { return }
    let address = session.connection.address.ip
    switch budgets.findRoom(code, in: directory, for: request.player, from: address, at: core.now) {
    case .room where !payForRoomState(request):
      break
    case .tooOften(let retryAfterMs):
      refuseJoin(request, .rateLimited, retryAfterMs: retryAfterMs)
    case .nothing:
      refuseJoin(request, .roomNotFound)
    case .room(let place) where place.shard == core.index:
      enter(rooms[code], request)
    case .room(let place):
      // Answers that still wait for a commit here would not find the connection there.
      session.afterAnswers(journal) { [self] in
        rankingTicks.remove(session)
        let errand = Errand(state: session.state, identity: request.asker, task: .join(code, id: request.id))
        session.connection.move(to: core.siblings[place.shard], carrying: errand)
      }
    }
  }

  /// Lets the player into a room of this shard; `live` is nil when it has closed since its code was looked up.
  func enter(_ live: LiveRoom?, _ request: PlayerRequest) {
    guard let live else { return refuseJoin(request, .roomNotFound) }
    let (identity, session) = (request.asker, request.session)
    // First the directory, so that a player with two connections for a moment is in one room all the same.
    // A room that nobody enters closes by itself.
    let standing = directory.enter(identity.player, number: session.state.number, live.place)
    if let reason = CloseCode(standing) { return session.close(reason) }
    switch charging(session, for: live, { live.apply(.join(identity.player, nickname: identity.nickname)) }) {
    case .joined(let place):
      statistics.joins += 1
      live.attend(session, at: place)
      askForState(of: live, RoomStateRequest(session: session, id: request.id))
    case .refused(let refusal):
      directory.leave(identity.player, live.place.code)
      let (code, text, retryAfterMs) = refusal.wire
      refuseJoin(request, refusal == .closed ? .roomNotFound : code, text, retryAfterMs: retryAfterMs)
    case .ok, .none:
      preconditionFailure("a join is let in or refused")
    }
  }

  private func refuseJoin(
    _ request: PlayerRequest,
    _ code: WireErrorCode,
    _ text: String? = nil,
    retryAfterMs: UInt32? = nil
  ) {
    statistics.joinsRefused[code, default: 0] += 1
    request.refuse(code, text, retryAfterMs: retryAfterMs)
  }

  func startGame(_ request: PlayerRequest) {
    guard !isDraining else { return request.refuse(.shuttingDown) }
    guard let room = request.session.room else { return request.refuse(.notInRoom) }
    let own = Charge(budget: .starts, payer: .player(request.player))
    let ofRoom = Charge(budget: .startsOfRoom, payer: .room(room.place.code))
    // A start that the rules refuse costs nothing, and is told why.
    guard room.room.phase == .lobby else { return ask(request) { .startGame($0) } }
    if let wait = budgets.wait(own, ofRoom, at: core.now) {
      return request.refuse(.rateLimited, retryAfterMs: wait)
    }
    let gameBefore = room.room.gameNumber
    ask(request) { .startGame($0) }
    guard room.room.gameNumber != gameBefore else { return }
    budgets.charge(own, ofRoom, at: core.now)
    chargeJournal(of: request.session, bytes: Self.gameRowBytes)
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
