// One bot's durable commands: what it has sent and not been answered, and what it knows to send.
//
// Owned by one shard.
import Net

final class BotCommands {
  private var open: [(id: UInt32, sent: Timestamp)] = []
  /// When the bot said something last.
  private(set) var lastChat: Timestamp?
  /// The number of the newest event that the bot was told of.
  private(set) var newestEvent: UInt32 = 0

  func note(event number: UInt32) {
    newestEvent = max(newestEvent, number)
  }

  func sent(_ kind: CommandKind, id: UInt32, at time: Timestamp) {
    open.append((id, time))
    if kind == .chat { lastChat = time }
  }

  /// When the command that is answered was sent; nil when it is none.
  func answered(_ id: UInt32) -> Timestamp? {
    guard let index = open.firstIndex(where: { $0.id == id }) else { return nil }
    return open.remove(at: index).sent
  }
}
