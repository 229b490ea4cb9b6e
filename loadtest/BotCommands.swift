// One bot's durable commands: the unanswered ones, and the data for the next.
//
// Owned by one shard.
import Net

final class BotCommands {
  private var open: [(id: UInt32, sent: Timestamp)] = []
  /// The time of the bot's last chat.
  private(set) var lastChat: Timestamp?
  /// The number of the newest event that the bot has received.
  private(set) var newestEvent: UInt32 = 0

  func note(event number: UInt32) {
    newestEvent = max(newestEvent, number)
  }

  func sent(_ kind: CommandKind, id: UInt32, at time: Timestamp) {
    open.append((id, time))
    if kind == .chat { lastChat = time }
  }

  /// The time at which the answered command was sent; nil when the answer is for no command.
  func answered(_ id: UInt32) -> Timestamp? {
    guard let index = open.firstIndex(where: { $0.id == id }) else { return nil }
    return open.remove(at: index).sent
  }
}
