// Requests about rooms: making, entering, leaving, and starting games.
//
// Part of `Rooms`, on the shard's queue. The directory knows a room's shard; the rules decide what may happen in it.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Rooms {
  func createRoom(_ wire: WireCreateRoom, _ request: PlayerRequest) {
    guard request.session.room == nil else { return request.refuse(.alreadyInRoom) }
    guard !gateway.isDraining else { return request.refuse(.shuttingDown) }
    guard let mode = Mode(wire.mode) else {
      return request.refuse(.outOfRange, "mode: \(Mode.allCases.map(\.name).joined(separator: ", "))")
    }
    if let fault = wire.fault(in: mode) { return request.refuse(.outOfRange, fault) }
    guard !wire.accountsOnly || request.asker.isAccount else { return request.refuse(.accountNeeded) }
    guard mode == .land else { return placeRoom(wire, mode, lands: [], request) }
    landsOfRoom(wire, request) { rooms, lands, request in
      guard request.session.room == nil else { return request.refuse(.alreadyInRoom) }
      rooms.placeRoom(wire, mode, lands: lands, request)
    }
  }

  /// Makes the room on the shard that has least to do; refuses it where every shard is overloaded.
  private func placeRoom(
    _ wire: WireCreateRoom,
    _ mode: Mode,
    lands: [Land],
    _ request: PlayerRequest
  ) {
    let configuration: RoomConfiguration
    do throws(SettingOutOfRange) {
      configuration = try RoomConfiguration(wire, mode, lands: lands, of: context.configuration)
    } catch {
      return request.refuse(.outOfRange, "\(error.field): \(error.range.lowerBound) to \(error.range.upperBound)")
    }
    let core = gateway.core
    let shard = context.promisedLoads.placeRoom(
      own: core.index,
      loads: core.siblings.map { $0.load.reading(at: core.now) },
      share: Double(configuration.capacity) * RoomPlacement.shareOfPlayer,
      at: core.now
    )
    guard let shard else {
      roomContext.statistics.value.roomsRefused += 1
      return request.refuse(.overloaded, retryAfterMs: Self.overloadedRetryMs)
    }
    guard shard != core.index else { return createRoom(configuration, request) }
    request.session.afterAnswers(gateway.journal, for: request.id) { [gateway, shards] in
      gateway.handOff(request, toShard: shard, of: shards) { rooms, request in
        rooms.createRoom(configuration, request)
      }
    }
  }

  /// Makes a room on this shard.
  private func createRoom(_ configuration: RoomConfiguration, _ request: PlayerRequest) {
    // The end of the server may have begun while a question or the other shard was awaited.
    guard !gateway.isDraining else { return request.refuse(.shuttingDown) }
    let creator = RoomCreator(request.player, from: request.session.connection.address.ip)
    guard payForRoom(of: creator, request) else { return }
    let place = gateway.directory.addRoom(
      shard: gateway.core.index,
      isSolo: configuration.solo,
      random: gateway.context.configuration.random
    )
    let live = addRoom(configuration, at: place, by: creator)
    gateway.chargeJournal(of: request.session, bytes: Self.roomRowBytes + Int64(live.gatheredBytes))
    enter(live, request)
  }

  /// Counts a player's new room; false, and the request is refused, when there are too many.
  private func payForRoom(of creator: RoomCreator, _ request: PlayerRequest) -> Bool {
    guard payForRoomState(request), gateway.refuseWithoutJournal(request) else { return false }
    if let wait = gateway.budgets.pay(Charge(budget: .newRooms, payer: .player(request.player)), at: gateway.core.now) {
      request.refuse(.rateLimited, retryAfterMs: wait)
      return false
    }
    guard let spent = context.openRooms.add(by: creator) else { return true }
    gateway.budgets.noteRefusal(spent)
    request.refuse(.rateLimited, "too many open rooms", retryAfterMs: Self.roomRetryMs)
    return false
  }

  /// Counts a room's whole state before it is sent; false, and the request is refused, when the budget is spent or the
  /// connection is behind.
  private func payForRoomState(_ request: PlayerRequest) -> Bool {
    let connection = request.session.connection
    let wait =
      connection.isBehind
      ? 1_000
      : gateway.budgets.pay(
        Charge(budget: .roomStates, payer: .player(request.player)),
        Charge(budget: .roomStatesOfAddress, payer: .address(connection.address.ip)),
        at: gateway.core.now
      )
    guard let wait else { return true }
    refuseJoin(request, .rateLimited, retryAfterMs: wait)
    return false
  }

  /// Games end and players leave; an overload that was a moment's is over.
  private static let overloadedRetryMs: UInt32 = 5_000

  /// An empty room closes within a minute.
  private static let roomRetryMs: UInt32 = 60_000

  func joinRoom(_ wire: WireJoinRoom, _ request: PlayerRequest) {
    guard gateway.canPromise else {
      roomContext.statistics.value.joinsRefused[.storeUnavailable, default: 0] += 1
      return request.refuseForStore()
    }
    let session = request.session
    guard session.room == nil else { return refuseJoin(request, .alreadyInRoom) }
    guard let code = RoomCode(wire.code) else { return refuseJoin(request, .badCode) }
    guard gateway.refuseWithoutJournal(request) else { return }
    let address = session.connection.address.ip
    let (directory, now) = (gateway.directory, gateway.core.now)
    switch gateway.budgets.findRoom(code, in: directory, for: request.player, from: address, at: now) {
    case .room where !payForRoomState(request):
      break
    case .tooOften(let retryAfterMs):
      refuseJoin(request, .rateLimited, retryAfterMs: retryAfterMs)
    case .nothing:
      refuseJoin(request, .roomNotFound)
    case .room(let place) where place.shard == gateway.core.index:
      enter(code, request, isWatching: wire.watch)
    case .room(let place):
      // Answers that still wait for a commit here would not find the connection there.
      session.afterAnswers(gateway.journal, for: request.id) { [gateway, shards] in
        gateway.handOff(request, toShard: place.shard, of: shards) { $0.enter(code, $1, isWatching: wire.watch) }
      }
    }
  }

  /// Admits the player to a room that was on this shard when its code was looked up.
  func enter(_ code: RoomCode, _ request: PlayerRequest, isWatching: Bool) {
    if follow(code, request, of: shards, { $0.enter(code, $1, isWatching: isWatching) }) { return }
    enter(rooms[code], request, isWatching: isWatching)
  }

  /// Admits the player to a room of this shard; `live` is nil when it has closed since its code was looked up.
  func enter(_ live: LiveRoom?, _ request: PlayerRequest, isWatching: Bool = false) {
    guard let live else { return refuseJoin(request, .roomNotFound) }
    if let (code, retryAfterMs) = EntryCheck(live: live).refusal(of: request, by: gateway.context.expiry) {
      return refuseJoin(request, code, retryAfterMs: retryAfterMs)
    }
    guard !consent.isNeeded(by: request.player, for: live) else { return consent.ask(live, request, isWatching) }
    consent.withdraw(request.session)
    _ = admit(request, to: live, isWatching: isWatching)
  }

  /// Puts a player's join to the rules.
  func admit(_ request: PlayerRequest, to live: LiveRoom, isWatching: Bool) -> WireErrorCode? {
    let (player, nickname, session) = (request.player, request.asker.nickname, request.session)
    let join = isWatching ? Input.watch(player, nickname: nickname) : .join(player, nickname: nickname)
    // First the directory, so that a player with two connections for a moment is in one room all the same. A room that
    // nobody enters closes by itself.
    let ownership = gateway.directory.enter(player, number: session.state.number, live.place.group)
    if let reason = CloseCode(ownership) {
      session.close(reason)
      return .playerNotFound
    }
    switch charging(session, for: live, { live.apply(join) }) {
    case .joined(let place):
      roomContext.statistics.value.joins += 1
      live.attend(session, at: place)
      askForState(of: live, RoomStateRequest(session: session, id: request.id))
      return nil
    case .refused(let refusal):
      gateway.directory.leave(player, live.place.group)
      let (wire, text, retryAfterMs) = refusal.wire
      let code = refusal == .closed ? .roomNotFound : wire
      refuseJoin(request, code, text, retryAfterMs: retryAfterMs)
      return code
    case .ok, .judged, .none:
      preconditionFailure("a join has a place or a refusal")
    }
  }

  func refuseJoin(
    _ request: PlayerRequest,
    _ code: WireErrorCode,
    _ text: String? = nil,
    retryAfterMs: UInt32? = nil
  ) {
    roomContext.statistics.value.joinsRefused[code, default: 0] += 1
    request.refuse(code, text, retryAfterMs: retryAfterMs)
  }

  func startGame(_: WireStartGame, _ request: PlayerRequest) {
    guard !gateway.isDraining else { return request.refuse(.shuttingDown) }
    guard let room = request.session.room else { return request.refuse(.notInRoom) }
    let own = Charge(budget: .starts, payer: .player(request.player))
    let ofRoom = Charge(budget: .startsOfRoom, payer: .group(room.place.group.id))
    // A start that the rules refuse costs nothing, and is answered with the reason.
    guard room.room.phase == .lobby else { return ask(request) { .startGame($0) } }
    if let wait = gateway.budgets.wait(own, ofRoom, at: gateway.core.now) {
      return request.refuse(.rateLimited, retryAfterMs: wait)
    }
    if moves.begin(room, request) {
      hasWorkAtTurnEnd = true
    } else {
      start(request, in: room)
    }
  }

  /// Starts the game of a player's request, which a move of the room may have delayed.
  func start(_ request: PlayerRequest, in room: LiveRoom) {
    guard !gateway.isDraining else { return request.refuse(.shuttingDown) }
    guard gateway.canPromise else { return request.refuseForStore() }
    guard request.session.room === room else { return request.refuse(.notInRoom) }
    let gameBefore = room.room.gameNumber
    ask(request) { .startGame($0) }
    guard room.room.gameNumber != gameBefore else { return }
    gateway.budgets.charge(
      Charge(budget: .starts, payer: .player(request.player)),
      Charge(budget: .startsOfRoom, payer: .group(room.place.group.id)),
      at: gateway.core.now
    )
    gateway.chargeJournal(of: request.session, bytes: Self.gameRowBytes)
  }

  /// Feeds a player's input to their room and answers with the rules' verdict, after its commit.
  func ask(_ request: PlayerRequest, _ input: (Place) -> Input) {
    let session = request.session
    guard let attendee = session.attendee, let room = attendee.room, let place = attendee.place else {
      return request.refuse(.notInRoom)
    }
    let input = input(place)
    // A player whose journal budget is spent may still leave.
    if case .leave = input {} else { guard gateway.refuseWithoutJournal(request) else { return } }
    switch charging(session, for: room, { room.apply(input) }) {
    case .ok, .judged, .joined, .none: request.reply(.ok(WireOk()), after: gateway.journal)
    case .refused(let refusal): request.refuse(refusal)
    }
  }

  /// Finds the lands for a room; `then` goes on with them, or the request was refused.
  private func landsOfRoom(
    _ wire: WireCreateRoom,
    _ request: PlayerRequest,
    _ then: @escaping @Sendable (Rooms, [Land], PlayerRequest) -> Void
  ) {
    let range = LandSettings.landsRange
    guard range.contains(wire.landIds.count) else {
      return request.refuse(.outOfRange, "landIds: \(range.lowerBound) to \(range.upperBound)")
    }
    var ids: [LandID] = []
    for text in wire.landIds {
      guard let land = LandID(text) else {
        return request.refuse(.landNotFound, "landIds: no land \(text.prefix(64))")
      }
      ids.append(land)
    }
    guard Set(ids).count == ids.count else { return request.refuse(.outOfRange, "landIds: each once") }
    guard gateway.payForQuery(request) else { return }
    awaitAnswer(for: request) { answer in
      gateway.context.store.lands(ids, answer)
    } then: { [ids] rooms, request, answer in
      switch answer {
      case .failure: request.refuseForStore()
      case .success(let lands):
        if let missing = ids.first(where: { id in !lands.contains { $0.id == id } }) {
          return request.refuse(.landNotFound, "landIds: no land \(missing)")
        }
        then(rooms, lands, request)
      }
    }
  }
}

extension WireCreateRoom {
  /// The first setting that has no meaning beside the others, with the reason: its creator would expect another room.
  fileprivate func fault(in mode: Mode) -> String? {
    let ofModes: [(isSet: Bool, name: String, mode: Mode)] = [
      (hasArena, "arena", .territory), (cutting, "cutting", .territory), (!landIds.isEmpty, "landIds", .land),
    ]
    if let stray = ofModes.first(where: { $0.isSet && $0.mode != mode }) { return "\(stray.name): not in this mode" }
    let shared = [(spectators, "spectators"), (consent, "consent"), (fill > 0, "fill")]
    if solo, let stray = shared.first(where: \.0) { return "\(stray.1): not in a solo room" }
    if solo, hasLateS || hasHoldS { return "lateS, holdS: not in a solo room, which waits for its player" }
    guard WalkerStrength.isKnown(fillStrength) else {
      return "fillStrength: \(WalkerStrength.allCases.map(\.name).joined(separator: ", "))"
    }
    guard hasFill || fillStrength == .unspecified else { return "fillStrength: only with fill" }
    return arena.hasLatE7 == arena.hasLngE7 ? nil : "arena: latE7 and lngE7, or neither"
  }
}
