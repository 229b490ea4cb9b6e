// One console's feed: the view that it watches, and what was sent of that.
//
// Owned by the operators' one shard and used on its thread.
// Decisions: 085 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import WebSocket

final class ConsoleFeed {
  unowned let connection: Connection
  private(set) var view = ConsoleView.overview
  /// Goes up with every view: answers for an earlier view are dropped.
  private(set) var viewNumber = 0
  /// An answer for the view is under way.
  var isAsking = false
  /// The content that was sent last.
  private var shown: [UInt8] = []

  // The followed room.
  var place: RoomPlace?
  var seen: RoomSeen?
  private var membersShown: [UInt8] = []

  /// The number of the newest log entry that was sent.
  var newsSeen = 0
  private var messages = TokenBucket(
    burst: ConsoleFeed.messagesPerSecond,
    tokenMs: 1_000 / ConsoleFeed.messagesPerSecond
  )

  static let messagesPerSecond: Int64 = 20
  static let messageBytesMax = 8 * 1_024

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Counts a received message; false when it is over the rate.
  func takesMessage(at now: Instant) -> Bool { messages.take(at: now) }

  func watch(_ view: ConsoleView) {
    self.view = view
    viewNumber += 1
    isAsking = false
    shown = []
    place = nil
    seen = nil
    membersShown = []
  }

  /// Whether a message can be sent: news wait while the connection is behind.
  var isReady: Bool { connection.isOpen && !connection.isBehind }

  func send(_ name: String, _ value: JSONText) {
    send(.object { $0.member(name, value) })
  }

  func send(_ message: JSONText) {
    message.bytes.withUnsafeBytes { connection.send(.text, $0) }
  }

  /// Sends the view's content, unless it was sent last.
  func show(_ name: String, _ value: JSONText) {
    guard value.bytes != shown else { return }
    shown = value.bytes
    send(name, value)
  }

  /// Sends the followed room's changes.
  func show(_ news: RoomUpdate, of id: RoomID) {
    switch news {
    case .gone:
      send("roomGone", .object { $0.member("id", id.description) })
      watch(.overview)
    case .nothing:
      break
    case .whole(let state, let seen, let members, let authors):
      self.seen = seen
      let members = JSONText.array(members.map(\.json))
      membersShown = members.bytes
      send(
        "room",
        .object { json in
          json.member("id", id.description)
          if let place { json.member("shard", place.shard) }
          json.member("state", state.json)
          json.member("members", members)
          json.member("authors", authors.json)
        }
      )
    case .tick(let tick, let seen, let members):
      self.seen = seen
      let members = members.map { JSONText.array($0.map(\.json)) }.flatMap { $0.bytes == membersShown ? nil : $0 }
      guard !tick.isEmpty || members != nil else { return }
      if let members { membersShown = members.bytes }
      send(
        "tick",
        .object { json in
          json.member("id", id.description)
          json.member("tick", tick.json)
          if let members { json.member("members", members) }
          let authors = ChatAuthors(of: tick.events)
          if !authors.isEmpty { json.member("authors", authors.json) }
        }
      )
    }
  }
}
