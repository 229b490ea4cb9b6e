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
    do throws(RoomConfiguration.OutOfRange) {
      let configuration = try RoomConfiguration(request, mode, lands: lands, tickHz: commons.configuration.tickHz)
      if let player = session.state.identity?.player, let wait = rateLimits.payForRoom(player, at: core.now) {
        return session.refuse(id, .rateLimited, retryAfterMs: wait)
      }
      enter(addRoom(configuration), id, session)
    } catch {
      session.refuse(id, .outOfRange, "\(error.field): \(error.range.lowerBound) to \(error.range.upperBound)")
    }
  }

  func joinRoom(_ request: WireJoinRoom, _ id: UInt32?, _ session: PlaySession) {
    guard session.room == nil else { return refuseJoin(id, .alreadyInRoom, session) }
    guard let code = RoomCode(request.code) else { return refuseJoin(id, .badCode, session) }
    let player = session.state.identity?.player
    let address = session.connection.address.ip
    switch rateLimits.findRoom(code, in: directory, for: player, from: address, at: core.now) {
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
    switch live.apply(.join(identity.player, nickname: identity.nickname)) {
    case .joined(let place):
      statistics.joins += 1
      live.attend(session, at: place)
      let state = wireRoom(live, for: place, withholding: identity.blocked)
      session.reply(to: id, .room(state), after: journal) { live.begin(session) }
    case .refused(let refusal):
      directory.leave(identity.player, live.place.code)
      // The room's journal has the refused input, and the nickname with it: an erasure must find it there.
      journal.add(.presence(identity.player, live.id))
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
    ask(id, session) { .startGame($0) }
  }

  /// The whole state of a room, as one of its players sees it who has blocked some; without a place, as an operator does.
  func wireRoom(_ live: LiveRoom, for place: Place?, withholding blocked: Set<PlayerID>) -> WireRoom {
    let isSolo = live.room.configuration.solo
    var room = WireRoom(
      live.room,
      for: place,
      withholding: blocked,
      code: isSolo ? "" : live.place.code.description,
      joinURL: isSolo ? "" : commons.joinLink(live.place.code).url,
      at: now
    )
    if live.room.gameNumber > 0 { room.gameID = GameID(room: live.id, number: live.room.gameNumber).description }
    return room
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
