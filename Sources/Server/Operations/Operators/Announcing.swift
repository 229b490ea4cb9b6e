// Announcements of operators: one frame for each encoding, for all receivers.
//
// On the shard's queue. Announcements to everybody are numbered. Shards learn of one at different times; a connection
// that moves between them gets it once.
// Decisions: 077 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import WebSocket

/// The operations' part of a session: the connection's last announcement.
final class AnnouncementCursor: SessionPart {
  static let slot = Session.takeSlot()

  struct Cargo: SessionCargo {
    let lastAnnouncement: UInt64

    func unpacked(for session: Session) -> any SessionPart {
      let cursor = AnnouncementCursor()
      cursor.lastAnnouncement = lastAnnouncement
      return cursor
    }
  }

  /// The number of the newest announcement to everybody that the connection got, or that preceded it.
  var lastAnnouncement: UInt64 = 0

  var cargo: (any SessionCargo)? { Cargo(lastAnnouncement: lastAnnouncement) }
}

extension Operations {
  /// No connection misses more of them while it moves between shards.
  private static let announcementsKept = 8
  private static let announcementsPerTurn = 250

  /// Announces a text on all shards; runs on the first of them.
  func announceEverywhere(_ text: String, at now: Instant) {
    precondition(gateway.core.index == 0, "only shard 0 numbers announcements")
    let announcement = Announcement(number: (announcements.last?.number ?? 0) + 1, text: text, at: now)
    for index in 0..<shards.count where index != gateway.core.index { shards[index].post { $0.announce(announcement) } }
    announce(announcement)
  }

  private func announce(_ announcement: Announcement) {
    if announcements.count == Self.announcementsKept { announcements.removeFirst() }
    announcements.append(announcement)
    var listeners: [UInt64] = []
    gateway.forEachSession { listeners.append($0.connection.token) }
    send(announcement, to: listeners[...])
  }

  /// Sends to some listeners now and to the others in later turns, so that no tick waits behind thousands of sends.
  private func send(_ announcement: Announcement, to listeners: ArraySlice<UInt64>) {
    var frames = AnnouncementFrames(announcement.text, at: announcement.at)
    for token in listeners.prefix(Self.announcementsPerTurn) {
      let connection = gateway.core.connection(for: token)
      if let session = connection?.context as? Session { send(announcement, to: session, &frames) }
    }
    let rest = listeners.dropFirst(Self.announcementsPerTurn)
    guard !rest.isEmpty else { return }
    ownShard.post { $0.send(announcement, to: rest) }
  }

  /// Sends announcements that the session's former shard did not know yet.
  func sendMissedAnnouncements(_ session: Session) {
    let last = session.part(AnnouncementCursor.self)?.lastAnnouncement ?? 0
    for announcement in announcements where announcement.number > last {
      var frames = AnnouncementFrames(announcement.text, at: announcement.at)
      send(announcement, to: session, &frames)
    }
  }

  private func send(_ announcement: Announcement, to session: Session, _ frames: inout AnnouncementFrames) {
    let cursor = session.part(orAdd: AnnouncementCursor())
    guard cursor.lastAnnouncement < announcement.number else { return }
    cursor.lastAnnouncement = announcement.number
    // A client that has not said hello expects no notifications.
    if session.state.identity != nil { frames.send(to: session) }
  }
}

extension LiveRoom {
  /// Announces a text to everybody connected in the room.
  func announce(_ text: String, at now: Instant) {
    var frames = AnnouncementFrames(text, at: now)
    for session in attending { frames.send(to: session) }
  }
}

/// An announcement's frames, made for the first receiver that needs them.
private struct AnnouncementFrames {
  private var message = WireServerMessage()
  private var json = SharedFrames(.text)
  private var proto = SharedFrames(.binary)

  init(_ text: String, at now: Instant) {
    message.announcement.text = text
    message.announcement.timeMs = now.milliseconds
  }

  mutating func send(to session: Session) {
    let (subprotocol, connection, message) = (session.subprotocol, session.connection, message)
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    let sentBytes: Int?
    switch subprotocol {
    case .json:
      json.fill { subprotocol.append(message, to: &$0) }
      sentBytes = json.send(to: connection, nothing)
    case .proto:
      proto.fill { subprotocol.append(message, to: &$0) }
      sentBytes = proto.send(to: connection, nothing)
    }
    if let sentBytes { session.traffic.note(sent: .announcement, bytes: sentBytes) }
  }
}
