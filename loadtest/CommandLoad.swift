// Durable commands, spread over rooms, players and time: which bot sends the next one, when, and what it is.
//
// Values. Everything follows from the numbers and the seed alone.

/// How many commands are to have been sent by when, and by whom.
package struct CommandLoad: Sendable {
  /// How often what is due is sent.
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

  /// How many commands are due `microseconds` after the start, of all bots together. What is late is made up for: a load
  /// that waits for a slow server measures itself.
  package func due(afterMicroseconds microseconds: Int64) -> Int {
    Int(microseconds * Int64(perSecond) / 1_000_000)
  }

  /// Whose turn it is: the rooms one after the other, in each its players one after the other.
  package func bot(ofCommand number: Int) -> Int {
    number % rooms * players + number / rooms % players
  }
}

/// What a command is.
package enum CommandKind: Sendable {
  /// Writes an event that everybody in the room is told.
  case chat
  /// Moves a read cursor: written down and acknowledged, nothing more.
  case readChat
}

/// Draws commands: a chat every other time, unless the player said something a moment ago, for then the server would
/// refuse it.
package struct CommandMix: Sendable {
  /// The server lets one through each second, after a few at once.
  private static let betweenChatsMicroseconds: Int64 = 1_050_000
  private var generator: SplitMix64

  package init(seed: UInt64) {
    generator = SplitMix64(seed)
  }

  /// What a player sends now, who said something last at `lastChat`, if ever; microseconds.
  package mutating func next(at now: Int64, lastChat: Int64?) -> CommandKind {
    let wantsChat = Bool.random(using: &generator)
    guard wantsChat, lastChat.map({ now - $0 >= Self.betweenChatsMicroseconds }) ?? true else { return .readChat }
    return .chat
  }
}
