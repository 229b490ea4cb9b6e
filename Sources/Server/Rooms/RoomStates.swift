// Rooms' whole states, for players who come in or come back: made at the end of a turn, once for all requests of it.
//
// On the shard's queue. A connection that waits for a state is held, so that its answers keep the order of its
// requests. A state leaves after the commit of its content. Rooms that a turn has no time for are answered in the next.
import Game
import Gateway
import MadangProtocol
import Net
import WebSocket

extension Rooms {
  /// Sends the session, which attends the room, its state at the end of this turn or one of the next.
  func askForState(of live: LiveRoom, _ request: RoomStateRequest) {
    request.session.attendee?.awaitsState = true
    request.session.suspend()
    stateRequests.append(request, live)
    hasWorkAtTurnEnd = true
  }

  /// Answers requests for rooms' states, for at most half a turn's time; the next turn goes on.
  func answerStateRequests() {
    guard !stateRequests.isEmpty else { return }
    let began = gateway.core.readClock()
    var isOut = false
    while !isOut, let (live, requests) = stateRequests.popFirst() {
      let states = SharedRoomStates(live, self)
      var rest = requests[...]
      while !isOut, let request = rest.popFirst() {
        answer(request, of: live, states)
        isOut = !gateway.hasTime(since: began)
      }
      stateRequests.putBack(rest, live)
    }
    // Any mailbox item brings the next turn at once.
    if !stateRequests.isEmpty { ownShard.post { _ in } }
  }

  private func answer(_ request: RoomStateRequest, of live: LiveRoom, _ states: SharedRoomStates) {
    let session = request.session
    session.attendee?.awaitsState = false
    guard session.resumed() != nil else { return }
    guard let attendee = session.attendee, attendee.room === live, let place = attendee.place
    else { return answerWithoutRoom(request) }
    live.seeNow(attendee)
    let begin = {
      request.sent()
      live.begin(attendee)
    }
    guard session.blocked.isDisjoint(with: states.chatAuthors) else {
      let body = states.body(of: request, for: place)
      return session.reply(to: request.id, body, after: gateway.journal, isState: true, begin)
    }
    let answer = states.answer(to: request, for: place)
    session.reply(to: request.id, answer, after: gateway.journal, begin)
  }

  /// Answers that the room was closed, or the player removed, before its state could be sent.
  private func answerWithoutRoom(_ request: RoomStateRequest) {
    guard let welcome = request.welcome else {
      return request.session.reply(to: request.id, .error(WireError(.roomNotFound, nil)), after: gateway.journal)
    }
    request.session.reply(to: request.id, .welcome(welcome), after: gateway.journal, isState: true, request.sent)
  }

  /// The whole state of a room for one of its players, without blocked players' chats, with the link for a session; for
  /// an operator without a place and a session.
  func wireRoom(
    _ live: LiveRoom,
    for place: Place?,
    withholding blocked: Set<PlayerID>,
    _ session: Session? = nil
  ) -> WireRoom {
    let isSolo = live.room.configuration.solo
    var room = WireRoom(
      live.room,
      live.id,
      withholding: blocked,
      code: isSolo ? "" : live.place.code.description,
      joinURL: isSolo ? "" : context.joinLink(live.place.code, for: session).url,
      at: gateway.now
    )
    if let place { room.add(live.room, for: place, at: gateway.now) }
    return room
  }
}

/// One room's state at one moment, encoded for the first receiver that needs it.
final class SharedRoomStates {
  private let live: LiveRoom
  private let rooms: Rooms
  let chatAuthors: Set<PlayerID>
  /// By encoding, and by the base of the link.
  private var payloads: [StateForm: SharedPayload] = [:]
  /// The missed events, encoded, by encoding and by the event before them: players who dropped out together have missed
  /// the same.
  private var missed: [Subprotocol: [UInt32: [UInt8]]] = [:]
  private static let missedMax = 64

  init(_ live: LiveRoom, _ rooms: Rooms) {
    self.live = live
    self.rooms = rooms
    chatAuthors = live.room.chatAuthors
  }

  /// The answer to a player who withholds nothing.
  func answer(to request: RoomStateRequest, for place: Place) -> SharedAnswer {
    let subprotocol = request.session.subprotocol
    let payload = payload(for: request.session)
    let (head, tail) = subprotocol.aroundState(
      sharedBytes: payload.bytes.count,
      own: WireRoom(own: live.room, for: place, at: rooms.gateway.now),
      replyTo: request.id,
      welcome: request.welcome,
      missed: request.afterEvent.map { missedEvents(after: $0, subprotocol) } ?? []
    )
    return SharedAnswer(type: request.welcome == nil ? .room : .welcome, head: head, payload: payload, tail: tail)
  }

  /// The answer to a player who withholds chats of the state.
  func body(of request: RoomStateRequest, for place: Place) -> WireServerMessage.OneOf_Body {
    let blocked = request.session.blocked
    let room = rooms.wireRoom(live, for: place, withholding: blocked, request.session)
    guard var welcome = request.welcome else { return .room(room) }
    welcome.room = room
    if let afterEvent = request.afterEvent {
      let (events, gap) = live.room.missedEvents(after: afterEvent)
      welcome.events = events.map { WireEvent($0, of: live.id, withholding: blocked) }
      welcome.gap = gap
    }
    return .welcome(welcome)
  }

  private func payload(for session: Session) -> SharedPayload {
    let form = StateForm(subprotocol: session.subprotocol, ownBase: session.state.ownBase)
    if let known = payloads[form] { return known }
    let room = rooms.wireRoom(live, for: nil, withholding: [], session)
    let payload = SharedPayload(session.subprotocol.sharedState(room))
    payloads[form] = payload
    return payload
  }

  private func missedEvents(after number: UInt32, _ subprotocol: Subprotocol) -> [UInt8] {
    if let known = missed[subprotocol]?[number] { return known }
    let (events, gap) = live.room.missedEvents(after: number)
    let bytes = subprotocol.missedEvents(events.map { WireEvent($0, of: live.id) }, gap: gap)
    if missed[subprotocol, default: [:]].count < Self.missedMax { missed[subprotocol, default: [:]][number] = bytes }
    return bytes
  }
}

/// The differences between the shared parts of one room's state.
private struct StateForm: Hashable {
  let subprotocol: Subprotocol
  let ownBase: String?
}

extension Room {
  /// The authors of the kept chats, for newcomers or for players who have missed them.
  fileprivate var chatAuthors: Set<PlayerID> {
    var authors: Set<PlayerID> = []
    for case .chat(_, let author, _) in chats.lazy.map(\.body) { authors.insert(author) }
    for case .chat(_, let author, _) in events(after: 0).events.lazy.map(\.body) { authors.insert(author) }
    return authors
  }

  /// The newest events after a number that fit into an answer, and whether others are left out. The room's state covers
  /// older ones anyway.
  fileprivate func missedEvents(after number: UInt32) -> (events: ArraySlice<Event>, gap: Bool) {
    let (events, gap) = events(after: number)
    var bytes = 0
    var first = events.endIndex
    while first > events.startIndex {
      if case .chat(_, _, let text) = events[first - 1].body { bytes += text.utf8.count }
      bytes += Limits.eventBytes
      if bytes > Limits.missedEventBytesMax { break }
      first -= 1
    }
    return (events[first...], gap || first > events.startIndex)
  }
}
