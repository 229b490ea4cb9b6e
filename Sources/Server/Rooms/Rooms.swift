// The feature of rooms on one shard: making, finding and closing rooms, games, chats and positions.
//
// Owned by one shard and used on its queue. The rules decide in a room (`LiveRoom`); the directory knows each room's
// shard.
import Game
import Gateway
import MadangProtocol
import Net

package final class Rooms: Feature {
  package unowned let gateway: ShardGateway
  let context: ServerContext
  let roomContext: RoomContext
  private let timeMarks: TimeMarks
  private let find: @Sendable (ShardCore) -> Rooms
  private(set) var rooms: [RoomCode: LiveRoom] = [:]
  /// Sessions that wait for a room's state.
  var stateRequests = RoomStateRequests()
  /// The lobbies that are about to move to another shard.
  private(set) lazy var moves = RoomMoves(self)
  /// Whether the end of a turn has work with either; every turn looks at it.
  var hasWorkAtTurnEnd = false
  /// The rest of the survey on this shard.
  var roomSurvey: RoomSurvey?
  /// A timer is set for the removal of old refused fixes.
  var isForgettingDue = false
  private(set) var surveyTimer: UInt64 = 0
  private(set) var erasureTimer: UInt64 = 0
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
    roomContext.roomClosed = { [unowned self] in rooms[$0] = nil }
    roomContext.fixRefused = { [unowned self] in awaitForgetting() }
    surveyTimer = gateway.addTimer { [unowned self] in beginSurvey() }
    erasureTimer = gateway.addTimer { [unowned self] in eraseFromRooms() }
    refusedFixTimer = gateway.addTimer { [unowned self] in forgetOldRefusedFixes() }
    _ = moves
    registerRequests()
  }

  package static let name: String? = "rooms"
  package static var metrics: [Metric] { Metric.ofRooms }
  package static var budgets: [Budget] { Budget.ofRooms }
  package static var parts: [any SessionPart.Type] { [Attendee.self, ChatRestrictions.self] }
  package var amounts: [BudgetAmount] { context.openRooms.amounts }

  package var statistics: RoomStatistics {
    var statistics = roomContext.statistics
    statistics.census = roomContext.census
    return statistics
  }

  package var shards: ServiceShards<Rooms> { ServiceShards(gateway.core.siblings, find) }

  private func registerRequests() {
    gateway.handle { [unowned self] in createRoom($0, $1) }
    // It counts joins that are refused for the store, so it looks at that itself.
    gateway.handleQuery { [unowned self] in joinRoom($0, $1) }
    gateway.handle { [unowned self] (_: WireLeaveRoom, request) in ask(request) { .leave($0) } }
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
    if let attendee = session.attendee { attendee.room?.lose(attendee) }
  }

  /// A player may end a running game, and is notified of its end.
  package func keepsOpen(_ session: Session) -> Bool {
    session.room?.isAwaited ?? false
  }

  package func writeDown() {
    forEachRoom { $0.writeSnapshot() }
  }

  /// All input of this turn has been handled.
  func turnEnding() {
    guard hasWorkAtTurnEnd else { return }
    answerStateRequests()
    moves.goOn()
    hasWorkAtTurnEnd = !stateRequests.isEmpty || !moves.isEmpty
  }

  /// The timer of a room's tick has fired.
  func tick(_ token: UInt64) {
    rooms[RoomCode(drawing: token)]?.tick()
  }

  // Rooms.

  /// Makes a room at the place that the directory has given it.
  func addRoom(_ configuration: RoomConfiguration, at place: RoomPlace, by creator: RoomCreator) -> LiveRoom {
    let id = RoomID(gateway.context.drawNumber(UInt128.self))
    let room = LiveRoom(roomContext, id, place, configuration, by: creator, seed: gateway.context.drawNumber())
    rooms[place.code] = room
    return room
  }

  /// Takes over a restored room, which the directory has already.
  func restore(_ restored: RestoredRoom, downtime: Duration) {
    let place = RoomPlace(code: restored.code, shard: gateway.core.index)
    let room = LiveRoom(roomContext, restored, place, downtime: downtime)
    // A room whose numbers have run out closes at once.
    guard !room.isClosed else { return }
    rooms[place.code] = room
    if room.isPlaying { roomContext.gameBegan() }
    room.leave(restored.leavers)
    room.erase(restored.strangers)
    if restored.needsSnapshot, !room.isClosed { room.writeSnapshot() }
  }

  /// Takes a room that has come from another shard.
  func add(_ live: LiveRoom) {
    rooms[live.place.code] = live
    if !live.refusedFixes.isEmpty { awaitForgetting() }
  }

  /// Gives up a room that goes to another shard.
  func remove(_ live: LiveRoom) {
    rooms[live.place.code] = nil
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

  /// Removes a player from a room of this shard for good.
  ///
  /// - Returns: the room.
  func remove(_ player: PlayerID, fromGroup group: UInt64) -> RoomID? {
    let live = rooms[RoomCode(drawing: group)]
    live?.remove(player)
    return live?.id
  }

  /// Attaches the session to a player's room on this shard. False when the player is not in it: a hold may have run out
  /// since the last tick. With true the session waits for `welcome` with the room's state, at the end of a turn; its
  /// connection is suspended until then.
  func rejoin(_ player: PlayerID, to code: RoomCode, _ welcome: RoomStateRequest) -> Bool {
    guard let live = rooms[code], let before = live.room.place(of: player) else { return false }
    let session = welcome.session
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
