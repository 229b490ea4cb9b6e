// Rooms' whole states, for players who come in or come back: made at the end of a turn, once for all who ask in it.
//
// On the shard's thread. A connection that waits for a state is held, so that its answers keep the order of its requests. A
// state leaves with the commit of what it tells. Rooms that a turn has no time for are answered in the next.
import DequeModule
import Game
import MadangProtocol
import Net
import WebSocket

/// Somebody who is to be sent the state of the room that they are in.
struct RoomStateRequest {
  let session: PlaySession
  let id: UInt32?
  /// What the state is part of; nil for a state by itself.
  var welcome: WireWelcome?
  /// After which event those are told that were missed; nil for none.
  var afterEvent: UInt32?
  /// What the player taps for, by the tally.
  var school: SchoolID?
}

/// Rooms that somebody waits for, in the order of the first request for each.
struct RoomStateRequests {
  fileprivate var order: Deque<RoomCode> = []
  fileprivate var requests: [RoomCode: (live: LiveRoom, requests: [RoomStateRequest])] = [:]

  var isEmpty: Bool { order.isEmpty }

  fileprivate mutating func append(_ request: RoomStateRequest, _ live: LiveRoom) {
    if requests[live.place.code] == nil { order.append(live.place.code) }
    requests[live.place.code, default: (live, [])].requests.append(request)
  }

  fileprivate mutating func popFirst() -> (live: LiveRoom, requests: [RoomStateRequest])? {
    order.popFirst().flatMap { requests.removeValue(forKey: $0) }
  }

  /// Requests that a turn had no time for come behind those for other rooms.
  fileprivate mutating func putBack(_ rest: ArraySlice<RoomStateRequest>, _ live: LiveRoom) {
    guard !rest.isEmpty else { return }
    order.append(live.place.code)
    requests[live.place.code] = (live, Array(rest))
  }
}

extension PlayService {
  /// Sends the session, which attends the room, its state at the end of this turn or one of the next.
  func askForState(of live: LiveRoom, _ request: RoomStateRequest) {
    request.session.awaitsState = true
    request.session.connection.suspend()
    stateRequests.append(request, live)
  }

  /// Answers who has asked for rooms' states, for at most half a turn's time; the next turn goes on.
  func answerStateRequests() {
    guard !stateRequests.isEmpty else { return }
    let began = core.readClock()
    let isOver = { self.core.readClock().microseconds(since: began) > self.core.limits.turnMicroseconds / 2 }
    var isOut = false
    while !isOut, let (live, requests) = stateRequests.popFirst() {
      let states = SharedRoomStates(live, self)
      var rest = requests[...]
      while !isOut, let request = rest.popFirst() {
        answer(request, of: live, states)
        isOut = isOver()
      }
      stateRequests.putBack(rest, live)
    }
    // Any letter brings the next turn at once.
    if !stateRequests.isEmpty { ownShard.post { _ in } }
  }

  private func answer(_ request: RoomStateRequest, of live: LiveRoom, _ states: SharedRoomStates) {
    let session = request.session
    session.awaitsState = false
    guard !session.hasEnded, session.connection.isOpen else { return }
    defer { session.connection.goOn() }
    guard session.room === live, let place = session.place, let identity = session.state.identity else {
      return answerWithoutRoom(request)
    }
    live.seeNow(session)
    let begin = { [self] in
      settle(request.school, of: session)
      live.begin(session)
    }
    guard identity.blocked.isDisjoint(with: states.chatAuthors) else {
      let body = states.body(of: request, for: place, withholding: identity.blocked)
      return session.reply(to: request.id, body, after: journal, begin)
    }
    session.reply(states.answer(to: request, for: place, session.state.subprotocol), after: journal, begin)
  }

  /// The room was closed, or the player taken out of it, before its state could be told.
  private func answerWithoutRoom(_ request: RoomStateRequest) {
    guard let welcome = request.welcome else {
      return request.session.reply(to: request.id, .error(WireError(.roomNotFound, nil)), after: journal)
    }
    request.session.reply(to: request.id, .welcome(welcome), after: journal) { [self] in
      settle(request.school, of: request.session)
    }
  }

  /// The whole state of a room, as one of its players sees it who has blocked some; without a place, as an operator does.
  func wireRoom(_ live: LiveRoom, for place: Place?, withholding blocked: Set<PlayerID>) -> WireRoom {
    let isSolo = live.room.configuration.solo
    var room = WireRoom(
      live.room,
      withholding: blocked,
      code: isSolo ? "" : live.place.code.description,
      joinURL: isSolo ? "" : commons.joinLink(live.place.code).url,
      at: now
    )
    if let place { room.add(live.room, for: place, at: now) }
    if live.room.gameNumber > 0 { room.gameID = GameID(room: live.id, number: live.room.gameNumber).description }
    return room
  }
}

/// One room's state as it is now, encoded when the first who needs it asks.
final class SharedRoomStates {
  private let live: LiveRoom
  private let service: PlayService
  let chatAuthors: Set<PlayerID>
  private var payloads: [Subprotocol: SharedPayload] = [:]
  /// Encoded, by encoding and by the event behind which they begin: who was lost together has missed the same.
  private var missed: [Subprotocol: [UInt32: [UInt8]]] = [:]
  private static let missedMax = 64

  init(_ live: LiveRoom, _ service: PlayService) {
    self.live = live
    self.service = service
    chatAuthors = live.room.chatAuthors
  }

  /// The answer to one who withholds nothing.
  func answer(to request: RoomStateRequest, for place: Place, _ subprotocol: Subprotocol) -> SharedAnswer {
    let payload = payload(subprotocol)
    let (head, tail) = subprotocol.aroundState(
      sharedBytes: payload.bytes.count,
      own: WireRoom(own: live.room, for: place, at: service.now),
      replyTo: request.id,
      welcome: request.welcome,
      missed: request.afterEvent.map { missedEvents(after: $0, subprotocol) } ?? []
    )
    return SharedAnswer(type: request.welcome == nil ? .room : .welcome, head: head, payload: payload, tail: tail)
  }

  /// The answer to one who withholds chats that the state has.
  func body(
    of request: RoomStateRequest,
    for place: Place,
    withholding blocked: Set<PlayerID>
  ) -> WireServerMessage.OneOf_Body {
    let room = service.wireRoom(live, for: place, withholding: blocked)
    guard var welcome = request.welcome else { return .room(room) }
    welcome.room = room
    if let afterEvent = request.afterEvent {
      let (events, gap) = live.room.missedEvents(after: afterEvent)
      welcome.events = events.map { WireEvent($0, withholding: blocked) }
      welcome.gap = gap
    }
    return .welcome(welcome)
  }

  private func payload(_ subprotocol: Subprotocol) -> SharedPayload {
    if let known = payloads[subprotocol] { return known }
    let payload = SharedPayload(subprotocol.sharedState(service.wireRoom(live, for: nil, withholding: [])))
    payloads[subprotocol] = payload
    return payload
  }

  private func missedEvents(after number: UInt32, _ subprotocol: Subprotocol) -> [UInt8] {
    if let known = missed[subprotocol]?[number] { return known }
    let (events, gap) = live.room.missedEvents(after: number)
    let bytes = subprotocol.missedEvents(events.map { WireEvent($0) }, gap: gap)
    if missed[subprotocol, default: [:]].count < Self.missedMax { missed[subprotocol, default: [:]][number] = bytes }
    return bytes
  }
}

/// A part of messages that many share: encoded once, compressed once for each size of window. Of one shard.
final class SharedPayload {
  let bytes: [UInt8]
  private var compressed: [Int: [UInt8]] = [:]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  func compressed(windowBits: Int, by deflater: Deflater) -> [UInt8] {
    if let known = compressed[windowBits] { return known }
    let made = MessagePieces.compressed(bytes, by: deflater)
    compressed[windowBits] = made
    return made
  }
}

/// A message with a shared part.
struct SharedAnswer {
  let type: SentType
  let head: [UInt8]
  let payload: SharedPayload
  let tail: [UInt8]

  var byteCount: Int { head.count + payload.bytes.count + tail.count }
}

extension PlaySession {
  /// Answers with a shared state when what it tells is committed, then calls `action`.
  func reply(_ answer: SharedAnswer, after journal: ShardJournal, _ action: @escaping () -> Void) {
    hold(after: journal) { [self] in
      send(answer)
      action()
    }
  }

  private func send(_ answer: SharedAnswer) {
    guard connection.isOpen else { return }
    traffic.note(sent: answer.type, bytes: answer.byteCount)
    guard messageKind == .text, answer.byteCount >= connection.compressFromBytes,
      let bits = connection.deflateWindowBits
    else {
      return connection.send(
        messageKind,
        pieces: [answer.head, answer.payload.bytes, answer.tail],
        isCompressed: false
      )
    }
    let deflater = connection.deflater(windowBits: bits)
    connection.send(
      messageKind,
      pieces: [
        MessagePieces.stored(answer.head), answer.payload.compressed(windowBits: bits, by: deflater),
        MessagePieces.last(answer.tail, by: deflater),
      ],
      isCompressed: true
    )
  }
}

extension Room {
  /// Who has written the chats that are kept, for newcomers or for those who have missed them.
  fileprivate var chatAuthors: Set<PlayerID> {
    var authors: Set<PlayerID> = []
    for case .chat(_, let author, _) in chats.lazy.map(\.body) { authors.insert(author) }
    for case .chat(_, let author, _) in events(after: 0).events.lazy.map(\.body) { authors.insert(author) }
    return authors
  }

  /// The newest events after a number that fit into an answer, and whether others are left out: what is older is in the
  /// room's state anyway.
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
