// A room as a console follows it: first its whole state, then its players' later ticks, merged.
//
// The console is like a player who is always behind: it holds the numbers of the last broadcast and event that it has
// seen, and asks for later ones. So it costs the room only the questions, and gets only committed events.
import ConsoleProtocol
import Game
import Gateway
import MadangProtocol
import Net

/// The last broadcast, event and game of a room that a console has seen.
struct RoomSeen: Sendable {
  let broadcast: UInt64
  let event: UInt32
  let game: UInt32
}

/// A member of a room, as operators see them.
struct RoomMember: Sendable, Equatable {
  let player: PlayerID
  let place: Place
  let nickname: String
  let isHeld: Bool
  let isSuspect: Bool
  // Of connected players.
  let isMuted: Bool
  let address: IPAddress?
  let roundTripMs: Int64?
  let unsentBytes: Int?
}

/// The authors of a room's chats, by their events' numbers: a seat may have another player since.
struct ChatAuthors: Sendable {
  private var players: [(event: UInt32, player: PlayerID)] = []

  init(of events: some Sequence<Event>) {
    append(events)
  }

  mutating func append(_ events: some Sequence<Event>) {
    for event in events {
      if case .chat(_, let author, _) = event.body { players.append((event.number, author)) }
    }
  }

  /// The authors' identifiers, by event number.
  var byEvent: [UInt32: String] {
    Dictionary(players.map { ($0.event, $0.player.description) }) { $1 }
  }
}

/// The update of a room for a console.
enum RoomUpdate: Sendable {
  /// The room is not here, or not any more.
  case gone
  /// No update may be sent yet: a game's start is being committed.
  case nothing
  /// The whole state: ticks can't be joined to the seen state.
  case whole(WireRoom, RoomSeen, [RoomMember], ChatAuthors)
  /// The changes since, if any, as one tick; members, where they were asked for.
  case tick(Tick, RoomSeen, [RoomMember]?)
}

extension Operations {
  /// Answers with a room's changes since `seen`, or all of it. `answer` is called on this thread, when its content is
  /// committed.
  func follow(
    _ id: RoomID,
    _ code: RoomCode,
    since seen: RoomSeen?,
    withMembers: Bool,
    _ answer: @escaping @Sendable (RoomUpdate) -> Void
  ) {
    guard let live = rooms.rooms[code], live.id == id else { return answer(.gone) }
    if let seen {
      guard live.room.isSendable(through: live.committedEvent) else { return answer(.nothing) }
      if let update = live.tick(since: seen, withMembers: withMembers) { return answer(update) }
    }
    let room = live.room
    let now = RoomSeen(broadcast: room.broadcastNumber, event: room.lastEventNumber, game: room.gameNumber)
    let state = rooms.wireRoom(live, for: nil, withholding: [])
    let (members, authors) = (live.membersForOperators, ChatAuthors(of: room.chats))
    gateway.journal.whenCommitted { answer(.whole(state, now, members, authors)) }
  }
}

extension LiveRoom {
  /// The changes since `seen`; nil where ticks can't be joined to them.
  fileprivate func tick(since seen: RoomSeen, withMembers: Bool) -> RoomUpdate? {
    var tick = Tick()
    guard seen.game == room.gameNumber,
      room.mergeTicks(afterBroadcast: seen.broadcast, afterEvent: seen.event, into: &tick)
    else { return nil }
    let now = RoomSeen(
      broadcast: room.broadcastNumber,
      event: max(seen.event, room.carriedEventNumber),
      game: seen.game
    )
    return .tick(tick, now, withMembers ? membersForOperators : nil)
  }

  fileprivate var membersForOperators: [RoomMember] {
    RoomWalkers.shownMembers(of: room).map { member in
      let session = attendee(at: member.place)?.session
      let connection = session?.connection
      var isSuspect = false
      if case .seat(let seat) = member.place { isSuspect = room.phase == .playing && room.isSuspect(seat: seat) }
      return RoomMember(
        player: member.id,
        place: member.place,
        nickname: member.nickname,
        isHeld: member.isHeld,
        isSuspect: isSuspect,
        isMuted: session?.mute?.isInForce(at: context.gateway.context.expiry.now(context.now)) ?? false,
        address: connection?.address.ip,
        roundTripMs: connection?.roundTripMicroseconds.map { $0 / 1_000 },
        unsentBytes: connection?.unsentBytes
      )
    }
  }
}

extension RoomMember {
  var message: FeedMember {
    .with {
      if player.isWalker { $0.walker = true } else { $0.player = player.description }
      switch place {
      case .seat(let seat): $0.seat = UInt32(seat)
      case .spectator(let number): $0.spectator = UInt32(number)
      }
      $0.nickname = nickname
      $0.held = isHeld
      $0.suspect = isSuspect
      $0.muted = isMuted
      if let address { $0.address = address.description }
      if let roundTripMs { $0.roundTripMs = roundTripMs }
      if let unsentBytes { $0.unsentBytes = Int64(unsentBytes) }
    }
  }
}

extension Tick {
  /// The tick of a room as in the players' JSON, without the message around it.
  func json(of room: RoomID) -> [UInt8] {
    var message: [UInt8] = []
    Subprotocol.json.append(self, of: room, to: &message)
    // The message is an object with this one member.
    let before = Array("{\"tick\":".utf8)
    precondition(message.starts(with: before), "the message begins with its tick")
    return Array(message[before.count..<message.count - 1])
  }
}

extension WireRoom {
  /// The room as in the players' JSON, without the message around it.
  var json: [UInt8] { Subprotocol.json.room(self) }
}
