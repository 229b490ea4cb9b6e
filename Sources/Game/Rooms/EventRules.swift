// How much of what happened in a room is kept, and what an event counts against that. Pure numbers; the log goes by them,
// and whoever asks what a room costs.

/// The bounds of a room's event log.
package enum EventRules {
  /// How many events are kept for who resumes.
  package static let eventsMax = 1_000
  /// How many bytes the kept events may have, reckoned as their texts' bytes and `eventBytes` for each.
  package static let bytesMax = 65_536
  /// What an event without its text is reckoned at, and each row of a board; bytes.
  package static let eventBytes = 64
  /// How many chats are kept for who joins.
  package static let chatsMax = 200
  /// How many bytes of text the kept chats may have; of more the oldest lose their texts.
  package static let chatTextBytesMax = 65_536
}

extension Event.Body {
  /// What the event counts against the bound of its room's log; bytes.
  package var reckonedBytes: Int {
    switch self {
    case .joined(let member): EventRules.eventBytes + member.nickname.utf8.count
    case .chat(_, _, let text): EventRules.eventBytes + text.utf8.count
    case .phase(.ended(let board)):
      board.reduce(EventRules.eventBytes) { $0 + EventRules.eventBytes + $1.nickname.utf8.count }
    case .left, .held, .back, .host, .phase, .captured: EventRules.eventBytes
    }
  }

  /// How long the text of a chat is, in bytes; 0 for all else.
  var chatTextBytes: Int {
    if case .chat(_, _, let text) = self { text.utf8.count } else { 0 }
  }

  /// The same without the text of a chat, nor whose it was: no chat that is told is empty.
  var withoutChatText: Event.Body {
    if case .chat(let place, _, _) = self { .chat(place, author: PlayerID(0), text: "") } else { self }
  }
}
