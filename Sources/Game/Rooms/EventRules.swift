// The bounds of a room's kept events, and the size that counts against them. Pure numbers, for the log and for
// estimates of a room's cost.

/// The bounds of a room's event log.
package enum EventRules {
  /// The number of events kept for connections that resume.
  package static let eventsMax = 1_000
  /// The greatest size of the kept events: the bytes of their texts, and `eventBytes` for each.
  package static let bytesMax = 65_536
  /// The size of an event without its text, and of each row of a board; bytes.
  package static let eventBytes = 64
  /// The number of chats kept for joining players.
  package static let chatsMax = 200
  /// The greatest size of the kept chats' texts, in bytes; beyond it the oldest lose their texts.
  package static let chatTextBytesMax = 65_536
}

extension Event.Body {
  /// The event's size against the bound of its room's log; bytes.
  package var estimatedBytes: Int {
    switch self {
    case .joined(let member): EventRules.eventBytes + member.nickname.utf8.count
    case .chat(_, _, let text): EventRules.eventBytes + text.utf8.count
    case .phase(.ended(let board)):
      board.reduce(EventRules.eventBytes) { $0 + EventRules.eventBytes + $1.nickname.utf8.count }
    case .left, .held, .back, .host, .timeUp, .phase, .captured, .kicked, .locked: EventRules.eventBytes
    }
  }

  /// The length of a chat's text, in bytes; 0 for all other events.
  var chatTextBytes: Int {
    if case .chat(_, _, let text) = self { text.utf8.count } else { 0 }
  }

  /// The same event without the text and author of a chat: no visible chat is empty.
  var withoutChatText: Event.Body {
    if case .chat(let place, _, _) = self { .chat(place, author: PlayerID(0), text: "") } else { self }
  }
}
