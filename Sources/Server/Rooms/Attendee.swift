// The rooms' part of a session, an attendee: the room that the player is in, their place there, and what waits for the next tick.
//
// Owned by the session's shard. What was paid for positions travels with the connection; the room stays where it is.
import Game
import Gateway
import MadangProtocol
import WebSocket

final class Attendee: SessionPart {
  static var slot: Int { SessionSlot.attendee.rawValue }

  /// What a connection that is behind has seen last.
  struct Lag {
    let broadcastNumber: UInt64
    let eventNumber: UInt32
  }

  struct Cargo: SessionCargo {
    let fixesPaid: Int32

    func unpacked(for session: Session) -> any SessionPart { Attendee(session, fixesPaid: fixesPaid) }
  }

  /// The gateway ends this circle of references when the session ends.
  let session: Session
  /// The room that the player is in.
  private(set) var room: LiveRoom?
  /// The player's place in the room.
  private(set) var place: Place?
  /// Set while the connection is behind.
  var lag: Lag?
  /// The player is in a room and waits for the answer that shows it; no tick goes before.
  var awaitsRoom = false
  /// The room's state is to be made at the end of a turn; no message is taken before.
  var awaitsState = false
  /// How many fixes more are paid for in the budgets of journals.
  var fixesPaid: Int32
  /// Messages for this player alone that leave with the next tick, in order.
  private var news: [WireServerMessage.OneOf_Body] = []
  /// Their frames, made for that tick.
  private var newsFrames: [UInt8] = []

  init(_ session: Session, fixesPaid: Int32 = 0) {
    self.session = session
    self.fixesPaid = fixesPaid
  }

  var cargo: (any SessionCargo)? { fixesPaid > 0 ? Cargo(fixesPaid: fixesPaid) : nil }

  func enter(_ room: LiveRoom, _ place: Place) {
    self.room = room
    self.place = place
    session.connection.pingIntervalSeconds = Limits.pingIntervalInRoomSeconds
  }

  func move(to place: Place) {
    self.place = place
  }

  func exit() {
    room = nil
    place = nil
    lag = nil
    awaitsRoom = false
    news = []
    session.connection.pingIntervalSeconds = Limits.pingIntervalSeconds
  }
}

// What leaves with a tick.
extension Attendee {
  /// Keeps a message for the next tick, so that it costs no system call of its own; where that is not soon, of each kind only
  /// the newest.
  func sendWithTick(_ body: WireServerMessage.OneOf_Body, isSoon: Bool) {
    if !isSoon { news.removeAll { $0.isSameNews(as: body) } }
    news.append(body)
  }

  /// The game is over: clients take everybody's path and run for gone, so none is told of as going on behind that.
  func forgetGoingOn() {
    news.removeAll { body in
      switch body {
      case .path(let path): path.state == .open
      case .run(let run): [.tooFar, .running, .warned].contains(run.state)
      default: false
      }
    }
  }

  /// Something for this player alone waits for a tick.
  var hasNews: Bool { !news.isEmpty }

  /// Hands over the frames of what waits for a tick, which waits no more.
  func takeNews<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    newsFrames.removeAll(keepingCapacity: true)
    for item in news {
      var message = WireServerMessage()
      message.body = item
      var bytes: [UInt8] = []
      session.state.subprotocol.append(message, to: &bytes)
      session.traffic.note(sent: SentType(item), bytes: bytes.count)
      bytes.withUnsafeBytes { FrameEncoder.append(session.messageKind, $0, mask: nil, to: &newsFrames) }
    }
    news.removeAll(keepingCapacity: true)
    return newsFrames.withUnsafeBytes(body)
  }
}

extension WireServerMessage.OneOf_Body {
  /// Whether this and other news are about the same: the newer of two makes the older pointless.
  fileprivate func isSameNews(as other: Self) -> Bool {
    switch (self, other) {
    case (.verdict, .verdict), (.path, .path), (.run, .run): true
    default: false
    }
  }
}

extension Session {
  /// The rooms' part; nil for a player who has never been in a room over this connection.
  var attendee: Attendee? { part(Attendee.self) }

  /// The room that the player is in.
  var room: LiveRoom? { attendee?.room }

  /// Tells of a badge that the player has just been awarded.
  func send(badge number: Int) {
    var badge = WireBadge()
    badge.badge = UInt32(number)
    send(.badge(badge))
  }

  /// Sends a tick that is for this player alone, with what they don't want to read withheld.
  func send(tick: Tick) {
    send(.tick) { state.subprotocol.append(tick, withholding: state.identity?.blocked ?? [], to: &$0) }
  }
}
