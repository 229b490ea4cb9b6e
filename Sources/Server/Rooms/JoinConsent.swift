// Players who wait for the host's consent: they have asked to come into a room of this shard, and are in no room yet.
//
// Owned by one shard's `Rooms` and used on its queue. A `joinRoom` that waits is not answered, so nothing of it needs
// to outlive the process: a player comes back and asks again. What the host decides is an input of the room, and in its
// journal: a join, or a bar. The host is told of everybody who asks, and a new host of all who still do; asks go along
// with a room that moves to another shard.
// Decisions: 141 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net

/// The needs of asking the host of the rooms that it is a part of.
protocol JoinDesk: AnyObject {
  var gateway: ShardGateway { get }
  var rooms: [RoomCode: LiveRoom] { get }

  func refuseJoin(_ request: PlayerRequest, _ code: WireErrorCode, _ text: String?, retryAfterMs: UInt32?)

  /// Puts a player's join to the rules.
  ///
  /// - Returns: the code of the refusal; nil for a player who is in.
  func admit(_ request: PlayerRequest, to live: LiveRoom, isWatching: Bool) -> WireErrorCode?

  /// Feeds a player's input to their room and answers with the rules' verdict, after its commit.
  func ask(_ request: PlayerRequest, _ input: (Place) -> Input)

  /// Charges the journal's bytes of an action to a session.
  func charging<Result>(_ session: Session, for live: LiveRoom, _ action: () -> Result) -> Result
}

final class JoinConsent {
  /// A player who asks.
  private struct Ask {
    let request: PlayerRequest
    let isWatching: Bool
    let until: Timestamp

    var session: Session { request.session }
  }

  /// Those who ask in one room, in the order of their coming, and the session of the host who was told of them.
  private struct Asks {
    var waiting: [Ask] = []
    weak var told: Session?
  }

  private unowned let desk: any JoinDesk
  private var gateway: ShardGateway { desk.gateway }
  private var asks: [RoomCode: Asks] = [:]
  private var timer: UInt64 = 0

  /// A host reads a handful of names. Further players come again.
  private static let waitingMax = 8
  private static let fullRetryMs: UInt32 = 5_000
  private static let movedRetryMs: UInt32 = 1_000
  private static let busyRetryMs: UInt32 = 1_000

  init(_ desk: any JoinDesk) {
    self.desk = desk
    timer = desk.gateway.addTimer { [unowned self] in
      refuseLate()
      admitToEmptied()
    }
  }

  /// Whether a player must be let in by the host: not the first one, nor one whose place is held. A screen is nobody's
  /// host.
  func isNeeded(by player: PlayerID, for live: LiveRoom) -> Bool {
    let room = live.room
    return room.configuration.consent && room.hasPeople && room.place(of: player) == nil
  }

  /// Has a player wait for the host's answer.
  func ask(_ live: LiveRoom, _ request: PlayerRequest, _ isWatching: Bool) {
    let code = live.place.code
    // A player who asks again has another request that waits.
    withdraw(request.session)
    var present = asks[code] ?? Asks()
    guard present.waiting.count < Self.waitingMax else {
      return refuse(request, .rateLimited, "too many players ask the host", retryAfterMs: Self.fullRetryMs)
    }
    let until = gateway.core.now.advanced(seconds: Limits.consentSeconds)
    let ask = Ask(request: request, isWatching: isWatching, until: until)
    present.waiting.append(ask)
    asks[code] = present
    live.hasAsks = true
    request.session.part(orAdd: Attendee(request.session)).asks = code
    _ = gateway.core.setTimer(timer, at: until)
    var waits = WireJoinWaits()
    waits.code = code.description
    waits.leftMs = leftMs(of: ask)
    request.session.send(.joinWaits(waits))
    tellHost(of: live, newest: ask)
  }

  private func refuse(
    _ request: PlayerRequest,
    _ code: WireErrorCode,
    _ text: String? = nil,
    retryAfterMs: UInt32? = nil
  ) {
    desk.refuseJoin(request, code, text, retryAfterMs: retryAfterMs)
  }

  private func leftMs(of ask: Ask) -> UInt32 {
    UInt32(clamping: max(0, ask.until.microseconds(since: gateway.core.now)) / 1_000)
  }

  // The host.

  /// The connected host of a room who has its state.
  private func host(of live: LiveRoom) -> Session? {
    guard let seat = live.room.hostSeat, let attendee = live.attendee(at: .seat(seat)), !attendee.awaitsRoom else {
      return nil
    }
    return attendee.session
  }

  /// Tells the host of those who ask: a host who was told of the others before, of the newest alone.
  private func tellHost(of live: LiveRoom, newest: Ask) {
    guard let host = host(of: live), asks[live.place.code]?.told === host else {
      return hostMayHaveChanged(in: live.place.code)
    }
    host.send(.joinAsked(WireJoinAsked(newest.request, leftMs: leftMs(of: newest))))
  }

  /// Tells a new host, or one who has come back, of all who ask. For who was told before and is the host no more, they
  /// ask no more.
  func hostMayHaveChanged(in code: RoomCode) {
    guard let live = desk.rooms[code], let present = asks[code] else { return }
    if !live.room.hasPeople { _ = gateway.core.setTimer(timer, at: gateway.core.now) }
    let host = host(of: live)
    guard present.told !== host else { return }
    asks[code]?.told = host
    for ask in present.waiting {
      if let told = present.told, !told.hasEnded { told.send(.joinAsked(WireJoinAsked(over: ask.request.player))) }
      host?.send(.joinAsked(WireJoinAsked(ask.request, leftMs: leftMs(of: ask))))
    }
  }

  /// The host's answer to a player.
  func answer(_ wire: WireAnswerJoin, _ request: PlayerRequest) {
    guard let attendee = request.session.attendee, let live = attendee.room, let place = attendee.place else {
      return request.refuse(.notInRoom)
    }
    guard let seat = live.room.hostSeat, place == .seat(seat) else { return request.refuse(.hostOnly) }
    guard let player = PlayerID(wire.playerID) else {
      return request.refuse(.outOfRange, "playerId: 32 hexadecimal digits")
    }
    guard gateway.refuseWithoutJournal(request) else { return }
    let code = live.place.code
    guard let index = asks[code]?.waiting.firstIndex(where: { $0.request.player == player }),
      let session = asks[code]?.waiting[index].session
    else { return request.refuse(.playerNotFound) }
    // A connection that waits for something else would be in a room behind the back of that.
    guard !wire.admit || session.suspend() else {
      return request.refuse(.rateLimited, "the player does something else", retryAfterMs: Self.busyRetryMs)
    }
    guard let ask = remove(index, of: code) else { preconditionFailure("who was found asks") }
    if wire.admit {
      // The host can't let in whom the room does not take, and learns why.
      if let refusal = letIn(ask, to: live) { return request.refuse(refusal) }
      return request.reply(.ok(WireOk()), after: gateway.journal)
    }
    _ = desk.charging(request.session, for: live) { live.apply(.bar(player)) }
    refuse(ask.request, .barred, "the host does not let this player in")
    request.reply(.ok(WireOk()), after: gateway.journal)
  }

  /// Lets in a player whose connection is suspended, if they may still come in: bars, kicks and the room's other
  /// players may have come while they waited.
  ///
  /// - Returns: the code of the refusal; nil for a player who is in.
  private func letIn(_ ask: Ask, to live: LiveRoom) -> WireErrorCode? {
    // With the room's state the connection goes on; without a place at once.
    defer { if !(ask.session.attendee?.awaitsState ?? false) { _ = ask.session.resumed() } }
    if let (code, retryAfterMs) = EntryCheck(live: live).refusal(of: ask.request, by: gateway.context.expiry) {
      refuse(ask.request, code, retryAfterMs: retryAfterMs)
      return code
    }
    return desk.admit(ask.request, to: live, isWatching: ask.isWatching)
  }

  /// Lets in the first who asks where everybody has left but screens. The others ask them, as the new host.
  private func admitToEmptied() {
    for code in Array(asks.keys) {
      while let live = desk.rooms[code], !live.room.hasPeople, let ask = remove(0, of: code) {
        if ask.session.suspend() {
          _ = letIn(ask, to: live)
        } else {
          refuse(ask.request, .rateLimited, "the player does something else", retryAfterMs: Self.busyRetryMs)
        }
      }
    }
  }

  // Those who ask.

  /// Ends a player's waiting; nil where nobody has the index.
  private func remove(_ index: Int, of code: RoomCode) -> Ask? {
    guard let present = asks[code], present.waiting.indices.contains(index) else { return nil }
    let ask = present.waiting[index]
    asks[code]?.waiting.remove(at: index)
    ask.session.attendee?.asks = nil
    if asks[code]?.waiting.isEmpty ?? false {
      asks[code] = nil
      desk.rooms[code]?.hasAsks = false
    }
    return ask
  }

  /// Takes back what a session asks, because its player goes elsewhere, asks anew, or is gone: its request is refused.
  ///
  /// - Returns: false for a session that does not ask.
  @discardableResult
  func withdraw(_ session: Session) -> Bool {
    guard let code = session.attendee?.asks,
      let index = asks[code]?.waiting.firstIndex(where: { $0.session === session }),
      let ask = remove(index, of: code)
    else { return false }
    if !session.hasEnded { refuse(ask.request, .notInRoom, "the player has taken this back") }
    tellEnd(of: ask, code)
    return true
  }

  private func tellEnd(of ask: Ask, _ code: RoomCode) {
    if let live = desk.rooms[code] { host(of: live)?.send(.joinAsked(WireJoinAsked(over: ask.request.player))) }
  }

  /// Refuses those whom the host has not answered in time.
  private func refuseLate() {
    let now = gateway.core.now
    for code in Array(asks.keys) {
      while let first = asks[code]?.waiting.first, first.until <= now, let ask = remove(0, of: code) {
        refuse(ask.request, .rateLimited, "the host does not answer", retryAfterMs: Self.fullRetryMs)
        tellEnd(of: ask, code)
      }
    }
  }

  /// Refuses all who ask in a room that its host has locked.
  func locked(_ code: RoomCode) {
    while let ask = remove(0, of: code) {
      refuse(ask.request, .roomLocked)
      tellEnd(of: ask, code)
    }
  }

  /// Refuses all who ask in a room that has closed.
  func roomGone(_ code: RoomCode) {
    while let ask = remove(0, of: code) { refuse(ask.request, .roomNotFound) }
  }

  /// Takes all out who ask in a room that goes to another shard: those who can go along, suspended, in their order. Who
  /// does something else is refused, and may ask again.
  func depart(from code: RoomCode) -> [(request: PlayerRequest, isWatching: Bool)] {
    var leaving: [(request: PlayerRequest, isWatching: Bool)] = []
    while let ask = remove(0, of: code) {
      if ask.session.suspend() {
        leaving.append((ask.request, ask.isWatching))
      } else {
        refuse(ask.request, .rateLimited, "the room moves: ask again", retryAfterMs: Self.movedRetryMs)
      }
    }
    return leaving
  }
}

extension WireJoinAsked {
  fileprivate init(_ request: PlayerRequest, leftMs: UInt32) {
    self.init()
    playerID = request.player.description
    nickname = request.asker.nickname
    registered = request.asker.isAccount
    self.leftMs = leftMs
  }

  fileprivate init(over player: PlayerID) {
    self.init()
    playerID = player.description
    over = true
  }
}
