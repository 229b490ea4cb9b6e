// Durable commands, spread over rooms, players and time: the sender, the time and the kind of each.
//
// Values. Everything follows from the numbers and the seed alone.

/// The number of commands due at a time, and their senders.
package struct CommandLoad: Sendable {
  /// The interval at which due commands are sent.
  static let stepMilliseconds: Int64 = 5

  package let rooms: Int
  package let players: Int
  package let perSecond: Int

  package init(rooms: Int, players: Int, perSecond: Int) {
    self.rooms = rooms
    self.players = players
    self.perSecond = perSecond
  }

  package var bots: Int { rooms * players }

  /// The number of commands due `microseconds` after the start, of all bots together. Late ones are made up for: a load
  /// that waits for a slow server would measure itself.
  package func due(afterMicroseconds microseconds: Int64) -> Int {
    Int(microseconds * Int64(perSecond) / 1_000_000)
  }

  /// The bot whose turn it is: the rooms one after the other, and in each its players one after the other.
  package func bot(ofCommand number: Int) -> Int {
    number % rooms * players + number / rooms % players
  }
}

/// The kind of a command.
package enum CommandKind: Sendable {
  /// Writes an event that all players in the room receive.
  case chat
  /// Moves a read cursor: persisted and acknowledged, nothing more.
  case readChat
}

/// Draws commands: a chat every other time, else a read cursor. After a recent chat always a read cursor, because the
/// server would refuse a chat.
package struct CommandMix: Sendable {
  /// The server accepts one chat a second, after a few at once.
  private static let betweenChatsMicroseconds: Int64 = 1_050_000
  private var generator: SplitMix64

  package init(seed: UInt64) {
    generator = SplitMix64(seed)
  }

  /// The next command of a player whose last chat was at `lastChat`, nil for none; microseconds.
  package mutating func next(at now: Int64, lastChat: Int64?) -> CommandKind {
    let wantsChat = Bool.random(using: &generator)
    guard wantsChat, lastChat.map({ now - $0 >= Self.betweenChatsMicroseconds }) ?? true else { return .readChat }
    return .chat
  }
}
