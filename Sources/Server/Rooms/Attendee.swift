// The rooms' part of a session, an attendee: the player's room, their place there, and the messages that wait for the
// next tick.
//
// Owned by the session's shard. Paid fixes travel with the connection; the room stays where it is.
import Game
import Gateway
import MadangProtocol
import Net
import WebSocket

final class Attendee: SessionPart {
  static let slot = Session.takeSlot()

  struct Cargo: SessionCargo {
    let fixesPaid: Int32
    let explains: Bool

    func unpacked(for session: Session) -> any SessionPart {
      let attendee = Attendee(session, fixesPaid: fixesPaid)
      attendee.explains = explains
      return attendee
    }
  }

  // First what each tick and each position looks at, so that it shares lines of the processor's cache.
  /// The gateway ends this circle of references when the session ends.
  let session: Session
  /// The session's connection: a tick looks at it before it needs the session.
  let connection: Connection
  /// Whether ticks of the room may have something else for it than the room's whole tick.
  var isPaced = false
  /// Whether messages for this player alone wait for a tick.
  private(set) var hasNotifications = false
  /// The player has asked for the verdict on each fix.
  var explains = false
  /// The number of further fixes that the budgets of journals have paid for.
  var fixesPaid: Int32
  /// The player's room.
  private(set) var room: LiveRoom?
  /// The player's place in the room.
  private(set) var place: Place?
  /// The mark of what it has; nil where it has everything that ticks have carried but rows of far players.
  var lag: TickMark?

  /// The newest fix that its room was fed with.
  var spacing = FixSpacing()
  /// The time since which the connection attends; its answers to pings are watched since then.
  private(set) var attendsSince = Instant(milliseconds: 0)
  /// The room whose host is asked to let the player in.
  var asks: RoomCode?
  /// The pace at which the connection takes ticks; nil outside a room.
  var pace: TickPace?
  /// In a large room: it has all rows that broadcasts up to this one have carried.
  var rowsSeen: UInt64 = 0
  /// Whether a tick is to come for it even if nothing changes any more.
  var awaitsTick = false
  /// The player is in a room and waits for the answer with its state; no tick goes before.
  var awaitsRoom = false
  /// The room's state is due at the end of a turn; no message is accepted before.
  var awaitsState = false
  /// Messages for this player alone that leave with the next tick, in order.
  private var notifications: [WireServerMessage.OneOf_Body] = []
  /// Their frames, made for that tick.
  private var notificationFrames: [UInt8] = []

  init(_ session: Session, fixesPaid: Int32 = 0) {
    self.session = session
    connection = session.connection
    self.fixesPaid = fixesPaid
  }

  /// The memory that a position looks at.
  var receivingHints: ConnectionHints {
    ConnectionHints(receiving: connection, MemoryHint(session, bytes: 160), MemoryHint(self, bytes: 80))
  }

  /// The memory that a tick looks at.
  var sendingHints: ConnectionHints {
    ConnectionHints(sendingOn: connection, MemoryHint(session, bytes: 34), MemoryHint(self, bytes: 80))
  }

  /// Sets the hints of the connection in a room. In a fast one it is read with the others: where ticks are rarer, most
  /// moves could not wait for one.
  func setHints(in room: LiveRoom) {
    let isFast = room.tickIntervalMs * 1_000 <= ReadGroup.waitMicrosecondsMax
    let group = isFast ? room.readGroup : nil
    room.context.core.set(receivingHints, of: connection, group: room.ownHints, readWith: group)
  }

  var cargo: (any SessionCargo)? {
    fixesPaid > 0 || explains ? Cargo(fixesPaid: fixesPaid, explains: explains) : nil
  }

  /// The room without a count of its references: the shard holds it until the end of the turn.
  fileprivate var heldRoom: Unmanaged<LiveRoom>? { room.map(Unmanaged.passUnretained) }

  func enter(_ room: LiveRoom, _ place: Place) {
    self.room = room
    self.place = place
    attendsSince = room.context.now
    pace = room.pace
    isPaced = room.isLarge
    connection.pingIntervalSeconds = Limits.pingIntervalInRoomSeconds
  }

  /// Goes on in a room that has moved to this shard.
  func enter(_ room: LiveRoom, _ stay: RoomStay) {
    enter(room, stay.place)
    attendsSince = stay.attendsSince
    pace = stay.pace
    isPaced = stay.isPaced
    lag = stay.lag
    rowsSeen = stay.rowsSeen
    notifications = stay.notifications
    hasNotifications = !notifications.isEmpty
  }

  /// The stay that goes along with a room to another shard; nil outside a room.
  var stay: RoomStay? {
    place.map {
      RoomStay(
        place: $0,
        attendsSince: attendsSince,
        pace: pace,
        isPaced: isPaced,
        lag: lag,
        rowsSeen: rowsSeen,
        awaitsTick: awaitsTick,
        notifications: notifications
      )
    }
  }

  func move(to place: Place) {
    self.place = place
  }

  func exit() {
    room?.context.core.set(receivingHints, of: connection, group: GroupHints(), readWith: nil)
    room = nil
    place = nil
    lag = nil
    pace = nil
    isPaced = false
    awaitsRoom = false
    notifications = []
    hasNotifications = false
    connection.pingIntervalSeconds = Limits.pingIntervalSeconds
  }
}

/// A part of a tick for one of its receivers.
struct TickDelivery {
  let part: TickPart
  let attendee: Attendee
}

// Messages that leave with a tick.
extension Attendee {
  /// Keeps a message for the next tick, so that it costs no system call of its own. Where that tick is not soon, only
  /// the newest of each kind is kept. Progress does not wake a player who wants nothing but events.
  ///
  /// - Returns: whether a tick must come for it.
  func sendWithTick(_ body: WireServerMessage.OneOf_Body, isSoon: Bool) -> Bool {
    let isEventsOnly = pace?.isEventsOnly ?? false
    if !isSoon {
      // The news that a path or run goes on leaves the reason why the one before has ended.
      notifications.removeAll { $0.isSameKind(as: body) && ($0.isProgress || !body.isProgress) }
    } else if isEventsOnly {
      notifications.removeAll { $0.isProgress && $0.isSameKind(as: body) }
    }
    notifications.append(body)
    hasNotifications = true
    return !isEventsOnly || !body.isProgress
  }

  /// Whether the connection takes what is sent: one with a pace of its own does, however much its ticks leave out.
  var keepsUp: Bool {
    lag == nil || isPaced && !awaitsRoom && !connection.isBehind
  }

  /// Sends what waits for a tick, if there is more than progress among it.
  func sendUrgentNotifications() {
    if !notifications.allSatisfy(\.isProgress) { sendNotifications() }
  }

  /// Sends what waits for a tick, if there is anything.
  func sendNotifications() {
    guard hasNotifications else { return }
    takeNotifications { _ = connection.send(frames: $0, UnsafeRawBufferPointer(start: nil, count: 0)) }
  }

  /// Drops paths and runs that go on: the game is over, and clients remove everybody's then.
  func forgetGoingOn() {
    notifications.removeAll { body in
      if case .run(let run) = body, run.state == .warned { return true }
      return body.isProgress
    }
    hasNotifications = !notifications.isEmpty
  }

  /// Hands over the frames of the messages that wait for a tick, and forgets them.
  func takeNotifications<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    notificationFrames.removeAll(keepingCapacity: true)
    for item in notifications {
      var message = WireServerMessage()
      message.body = item
      var bytes: [UInt8] = []
      session.subprotocol.append(message, to: &bytes)
      session.traffic.note(sent: SentType(item), bytes: bytes.count)
      bytes.withUnsafeBytes { FrameEncoder.append(session.messageKind, $0, mask: nil, to: &notificationFrames) }
    }
    notifications.removeAll(keepingCapacity: true)
    hasNotifications = false
    return notificationFrames.withUnsafeBytes(body)
  }
}

extension WireServerMessage.OneOf_Body {
  /// Whether it only tells that a path or a run goes on: nothing to act on.
  fileprivate var isProgress: Bool {
    switch self {
    case .path(let path): path.state == .open || path.state == .looped
    case .run(let run): run.state == .tooFar || run.state == .running
    default: false
    }
  }

  /// Whether two messages are about the same: the newer one makes the older pointless.
  fileprivate func isSameKind(as other: Self) -> Bool {
    switch (self, other) {
    case (.verdict, .verdict), (.path, .path), (.run, .run): true
    default: false
    }
  }
}

extension Session {
  /// The rooms' part; nil for a player who has never been in a room over this connection.
  var attendee: Attendee? { part(Attendee.self) }

  /// The player's room.
  var room: LiveRoom? { attendee?.room }

  /// Calls `body` with the rooms' part, the room and the place, and counts no references: the shard holds a room until
  /// the end of the turn, and the session its part. `body` does not hand the session off.
  ///
  /// - Returns: whether the player is in a room.
  func lookAtRoom(_ body: (Attendee, LiveRoom, Place) -> Void) -> Bool {
    heldPart(Attendee.self)?._withUnsafeGuaranteedRef { attendee in
      guard let room = attendee.heldRoom, let place = attendee.place else { return false }
      room._withUnsafeGuaranteedRef { body(attendee, $0, place) }
      return true
    } ?? false
  }

  /// Whether the player has a seat in a game that is on.
  var isPlaying: Bool {
    guard let attendee, let room = attendee.room, case .seat? = attendee.place else { return false }
    return room.isPlaying
  }

  /// Whether the player's room does not believe their positions.
  var isSuspectInRoom: Bool {
    guard let player = state.identity?.player else { return false }
    return room?.suspects.contains(player) ?? false
  }

  /// Notifies the player of a new badge.
  func send(badge number: Int) {
    var badge = WireBadge()
    badge.badge = UInt32(number)
    send(.badge(badge))
  }

  /// Sends a room's tick for this player alone, with blocked players' chats withheld.
  func send(tick: Tick, of room: RoomID) {
    send(.tick) { subprotocol.append(tick, of: room, withholding: blocked, to: &$0) }
  }
}
