// The feature of rooms on one shard: making, finding and closing rooms, games, chats and positions.
//
// Owned by one shard and used on its queue. The rules decide in a room (`LiveRoom`); the directory knows each room's
// shard.
import Game
import Gateway
import MadangProtocol
import Net

package final class Rooms: Feature, JoinDesk {
  package unowned let gateway: ShardGateway
  let context: ServerContext
  let roomContext: RoomContext
  private let timeMarks: TimeMarks
  private let find: @Sendable (ShardCore) -> Rooms
  private(set) var rooms: [RoomCode: LiveRoom] = [:]
  /// The same by their numbers, for the timers of their ticks.
  private let numbered = NumberedRooms()
  /// Sessions that wait for a room's state.
  var stateRequests = RoomStateRequests()
  /// The lobbies that are about to move to another shard.
  private(set) lazy var moves = RoomMoves(self)
  /// Whether the end of a turn has work with either; every turn looks at it.
  var hasWorkAtTurnEnd = false
  private(set) lazy var forgetting = RoomForgetting(self)
  /// The players who wait for the consent of a host.
  private(set) lazy var consent = JoinConsent(self)
  /// A timer is set for the removal of old refused fixes.
  var isForgettingDue = false
  private(set) var refusedFixTimer: UInt64 = 0

  init(
    _ gateway: ShardGateway,
    _ context: ServerContext,
    webhooks: Webhooks,
    _ find: @escaping @Sendable (ShardCore) -> Rooms
  ) {
    self.gateway = gateway
    self.context = context
    self.find = find
    roomContext = RoomContext(gateway, context, webhooks)
    timeMarks = TimeMarks(gateway, roomContext)
    roomContext.roomClosed = { [unowned self] in remove($0, hasMoved: false) }
    roomContext.hostMayHaveChanged = { [unowned self] in consent.hostMayHaveChanged(in: $0) }
    roomContext.fixRefused = { [unowned self] in awaitForgetting() }
    refusedFixTimer = gateway.addTimer { [unowned self] in forgetOldRefusedFixes() }
    // Timers are registered when a shard is made.
    _ = (moves, forgetting, consent)
    registerRequests()
  }

  package static let name: String? = "rooms"
  package static var metrics: [Metric] { Metric.ofRooms }
  package static var budgets: [Budget] { Budget.ofRooms }
  package static var parts: [any SessionPart.Type] { [Attendee.self, ChatRestrictions.self, EntryRestrictions.self] }
  package var amounts: [BudgetAmount] { context.openRooms.amounts }

  package var statistics: RoomStatistics {
    var statistics = roomContext.statistics.value
    statistics.census = roomContext.census
    return statistics
  }

  package var shards: ServiceShards<Rooms> { ServiceShards(gateway.core.siblings, find) }

  private func registerRequests() {
    gateway.handle { [unowned self] in createRoom($0, $1) }
    // It counts joins that are refused for the store, so it looks at that itself.
    gateway.handleQuery { [unowned self] in joinRoom($0, $1) }
    gateway.handle { [unowned self] (_: WireLeaveRoom, request) in
      // Who waits for the host's consent takes that back.
      if consent.withdraw(request.session) { return request.reply(.ok(WireOk())) }
      ask(request) { .leave($0) }
    }
    gateway.handle { [unowned self] in consent.answer($0, $1) }
    let host = HostActs(self, consent)
    gateway.handle { host.kickPlayer($0, $1) }
    gateway.handle { host.lockRoom($0, $1) }
    gateway.handle { [unowned self] in startGame($0, $1) }
    gateway.handle { [unowned self] (_: WirePlayAgain, request) in ask(request) { .playAgain($0) } }
    gateway.handle { [unowned self] (_: WireGiveUpRun, request) in ask(request) { .giveUpRun($0) } }
    gateway.handle(typed: \WireChatRequest.text) { [unowned self] in chat($0, $1) }
    gateway.handle { [unowned self] (wire: WireReadChat, request) in ask(request) { .readChat($0, upTo: wire.upTo) } }
    // A pace is the connection's own: there is nothing to write, and nobody else to tell.
    gateway.handleQuery { [unowned self] in setPace($0, $1) }
    gateway.handleQuery { [unowned self] in answerRoomGames($0, $1) }
  }

  package func closed(_ session: Session) {
    consent.withdraw(session)
    if let attendee = session.attendee { attendee.room?.lose(attendee) }
  }

  package func moving(_ session: Session) { consent.withdraw(session) }

  /// A player may end a running game, and is notified of its end.
  package func keepsOpen(_ session: Session) -> Bool {
    session.room?.isAwaited ?? false
  }

  package func writeDown() {
    forEachRoom { $0.writeSnapshot() }
  }

  /// All input of this turn has been handled.
  func turnEnding() {
    defer { numbered.turnEnding() }
    guard hasWorkAtTurnEnd else { return }
    answerStateRequests()
    moves.goOn()
    hasWorkAtTurnEnd = !stateRequests.isEmpty || !moves.isEmpty
  }

  /// The timer of a room's tick has fired.
  func tick(_ token: UInt64) { numbered.tick(Int(token), on: roomContext.core) }

  /// The timer of a room's tick fires soon.
  func tickComes(_ token: UInt64) { numbered.giveHint(of: Int(token)) }

  /// A number for a room that is new on this shard.
  func takeNumber() -> Int { numbered.take() }

  /// Takes a room that is new on this shard.
  func add(_ room: LiveRoom) {
    rooms[room.place.code] = room
    numbered.add(room)
    if !room.refusedFixes.isEmpty { awaitForgetting() }
  }

  /// Forgets a room that has closed or goes to another shard; one that closes as it is restored was never added.
  func remove(_ code: RoomCode, hasMoved: Bool) {
    if let room = rooms.removeValue(forKey: code) { numbered.remove(room.number) }
    if !hasMoved { consent.roomGone(code) }
  }

  // Rooms.

  /// Makes a room at the place that the directory has given it.
  func addRoom(_ configuration: RoomConfiguration, at place: RoomPlace, by creator: RoomCreator) -> LiveRoom {
    let id = RoomID(gateway.context.drawNumber(UInt128.self))
    let room = LiveRoom(
      roomContext,
      id,
      place,
      number: takeNumber(),
      configuration,
      by: creator,
      seed: gateway.context.drawNumber()
    )
    add(room)
    return room
  }

  /// Takes over a restored room, which the directory has already.
  func restore(_ restored: RestoredRoom, downtime: Duration) {
    let place = RoomPlace(code: restored.code, shard: gateway.core.index)
    let room = LiveRoom(roomContext, restored, place, number: takeNumber(), downtime: downtime)
    // A room whose numbers have run out closes at once.
    guard !room.isClosed else { return numbered.remove(room.number) }
    add(room)
    if room.isPlaying { roomContext.gameBegan() }
    room.leave(restored.leavers)
    room.erase(restored.strangers)
    if restored.needsSnapshot, !room.isClosed { room.writeSnapshot() }
  }

  /// Whether a room has come to this shard, and waits in its mailbox: the directory names the shard behind that post.
  func isArriving(_ code: RoomCode) -> Bool {
    rooms[code] == nil && gateway.directory.shard(ofGroup: code.bits) == gateway.core.index
  }

  /// Goes on with a request where its room has moved meanwhile, or when it has arrived here; false where it has not
  /// moved.
  func follow<F: Feature>(
    _ code: RoomCode,
    _ request: PlayerRequest,
    of shards: ServiceShards<F>,
    _ task: @escaping @Sendable (F, PlayerRequest) -> Void
  ) -> Bool {
    guard rooms[code] == nil, let shard = gateway.directory.shard(ofGroup: code.bits) else { return false }
    if shard == gateway.core.index {
      shards.service(on: gateway.core).awaitAnswer(for: request) {
        $0(())
      } then: { feature, request, _ in
        task(feature, request)
      }
    } else {
      request.session.afterAnswers(gateway.journal, for: request.id) { [gateway] in
        gateway.handOff(request, toShard: shard, of: shards, task)
      }
    }
    return true
  }

  func room(_ id: RoomID) -> LiveRoom? {
    rooms.values.first { $0.id == id }
  }

  func forEachRoom(_ body: (LiveRoom) -> Void) {
    for room in rooms.values.sorted(by: { $0.id < $1.id }) { body(room) }
  }

  /// Removes the player from their room for good.
  func leave(_ session: Session) {
    if let attendee = session.attendee { attendee.room?.leave(attendee) }
  }

  /// Removes a player from a room of this shard for good, and perhaps for as long as it lives.
  ///
  /// - Returns: the room.
  func remove(_ player: PlayerID, fromGroup group: UInt64, bars: Bool) -> RoomID? {
    let live = rooms[RoomCode(drawing: group)]
    live?.remove(player, bars: bars)
    return live?.id
  }

  /// Attaches the session to a player's room on this shard. False when the player is not in it: a hold may have run out
  /// since the last tick. With true the session waits for `welcome` with the room's state, at the end of a turn; its
  /// connection is suspended until then.
  func rejoin(_ player: PlayerID, to code: RoomCode, _ welcome: RoomStateRequest) -> Bool {
    guard let live = rooms[code], let before = live.room.place(of: player) else { return false }
    let session = welcome.session
    guard !EntryCheck(live: live).keepsOut(session) else {
      _ = live.apply(.leave(before))
      return false
    }
    if let older = live.attendee(at: before) { live.detach(older) }
    live.attend(session, at: before)
    guard charging(session, for: live, { live.apply(.comeBack(before)) }) == .ok,
      live.room.place(of: player) != nil
    else {
      if let attendee = session.attendee { live.detach(attendee) }
      return false
    }
    askForState(of: live, welcome)
    return true
  }
}

/// Rooms forget players under deletion, in the order of `RoomErasures`. A survey walks through the shards and finds the
/// rooms. Then rooms take turns, one at a time in the whole process, at the pace of a budget.
///
/// Owned by one shard's `Rooms` and used on its queue.
final class RoomForgetting {
  private unowned let rooms: Rooms
  private var gateway: ShardGateway { rooms.gateway }
  private var erasures: RoomErasures { rooms.context.erasures }
  private var shards: ServiceShards<Rooms> { rooms.shards }
  /// The rest of the survey on this shard.
  private var survey: RoomSurvey?
  private var surveyTimer: UInt64 = 0
  private var erasureTimer: UInt64 = 0

  init(_ rooms: Rooms) {
    self.rooms = rooms
    surveyTimer = rooms.gateway.addTimer { [unowned self] in beginSurvey() }
    erasureTimer = rooms.gateway.addTimer { [unowned self] in eraseFromRooms() }
  }

  /// The pause before the next survey, as a multiple of the shards' time for the last one: a survey reads all rooms.
  /// Players who arrive in the pause share the next survey.
  private static let surveyPauseFactor: Int64 = 4

  /// Calls `completion` when no room of any shard knows the player, and all records of that are handed on for a commit.
  func forget(_ player: PlayerID, _ completion: @escaping RoomErasures.Completion) {
    if erasures.add(player, completion) { beginSurvey() }
  }

  /// Searches the rooms of all shards for the waiting players, one shard after the other; without players, surveys end.
  ///
  /// A shard commits these players' inputs first. The snapshots then lie in a later piece, so everything before them
  /// can be given up.
  func beginSurvey() {
    let players = erasures.beginSurvey()
    guard !players.isEmpty else { return }
    shards.walk { rooms, next in
      rooms.gateway.journal.whenCommitted {
        rooms.forgetting.begin(players, next)
      }
    } completion: { [ownShard = rooms.ownShard] in
      ownShard.post { $0.forgetting.endSurvey() }
    }
  }

  private func begin(_ players: Set<PlayerID>, _ next: @escaping () -> Void) {
    let all = rooms.rooms.values.sorted { $0.id < $1.id }
    survey = RoomSurvey(players: players, rooms: all[...], completion: next)
    surveyRooms()
  }

  /// Continues the survey on this shard, for at most half a turn's time.
  private func surveyRooms() {
    guard var survey else { return }
    let began = gateway.core.readClock()
    while let room = survey.rooms.popFirst() {
      let known = room.known(of: survey.players)
      if !known.isEmpty {
        erasures.note(
          room.place,
          bytes: JournalWriter.bytesExpected(ofSnapshot: room.room),
          knownPlayers: known
        )
      }
      guard gateway.hasTime(since: began) else { break }
    }
    erasures.note(surveyMicroseconds: gateway.core.readClock().microseconds(since: began))
    guard survey.rooms.isEmpty else {
      self.survey = survey
      return rooms.ownShard.post { $0.forgetting.surveyRooms() }
    }
    self.survey = nil
    survey.completion()
  }

  private func endSurvey() {
    let (completions, begins, microseconds) = erasures.endSurvey()
    for completion in completions { completion() }
    if begins, let next = erasures.nextRoom() { shards[next.place.shard].post { $0.forgetting.eraseFromRooms() } }
    let pauseMs = Self.surveyPauseFactor * microseconds / 1_000
    guard pauseMs > 0 else { return beginSurvey() }
    _ = gateway.core.setTimer(surveyTimer, at: gateway.core.now.advanced(milliseconds: pauseMs))
  }

  /// Makes rooms of this shard forget players while it is their turn, for at most half a turn's time and within the
  /// budget. Then another shard has its turn, or this one a later one.
  func eraseFromRooms() {
    let began = gateway.core.readClock()
    let process = Charge(budget: .erasedRoomBytes, payer: .process)
    var completions: [RoomErasures.Completion] = []
    var hasErased = false
    var wait: UInt32?
    var next = erasures.nextRoom()
    while let (place, players) = next, place.shard == gateway.core.index, gateway.hasTime(since: began) {
      if let room = rooms.rooms[place.code] {
        wait = gateway.budgets.wait(process, at: gateway.core.now)
        guard wait == nil else { break }
        let bytes = room.erase(players)
        gateway.budgets.charge(
          Charge(budget: process.budget, payer: process.payer, units: Int64(bytes)),
          at: gateway.core.now
        )
        hasErased = true
      }
      completions += erasures.endTurn(of: place, forgotten: players)
      next = erasures.nextRoom()
    }
    // Cut before another shard reports that it was the last.
    if hasErased || !completions.isEmpty { gateway.journal.cut(at: gateway.core.now) }
    for completion in completions { completion() }
    if let wait {
      _ = gateway.core.setTimer(erasureTimer, at: gateway.core.now.advanced(milliseconds: Int64(wait)))
    } else if let next {
      shards[next.place.shard].post { $0.forgetting.eraseFromRooms() }
    }
  }
}
