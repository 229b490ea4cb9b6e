// One bot's durable commands: the unanswered ones, the time to each answer, and the data for the next.
//
// Owned by one shard.
import MadangProtocol
import Net

final class BotCommands {
  private unowned let context: HoldContext
  private var open: [(id: UInt32, sent: Timestamp)] = []
  /// The time of the bot's last chat.
  private(set) var lastChat: Timestamp?
  /// The number of the newest event that the bot has received.
  private(set) var newestEvent: UInt32 = 0

  init(_ context: HoldContext) {
    self.context = context
  }

  func sent(_ kind: CommandKind, id: UInt32, at time: Timestamp) {
    open.append((id, time))
    if kind == .chat { lastChat = time }
  }

  /// Takes a message that the bot received.
  func received(_ message: WireServerMessage) {
    if message.hasReplyTo, let sent = answered(message.replyTo) {
      let microseconds = context.core.readClock().microseconds(since: sent)
      context.results.commands.answered(afterMicroseconds: microseconds, isOK: message.isOK)
    }
    switch message.body {
    case .room(let state): note(event: state.lastEvent)
    case .tick(let tick): if let event = tick.events.last { note(event: event.number) }
    default: break
    }
  }

  /// The time at which the answered command was sent; nil when the answer is for no command.
  private func answered(_ id: UInt32) -> Timestamp? {
    guard let index = open.firstIndex(where: { $0.id == id }) else { return nil }
    return open.remove(at: index).sent
  }

  private func note(event number: UInt32) {
    newestEvent = max(newestEvent, number)
  }
}

extension WireServerMessage {
  fileprivate var isOK: Bool { if case .ok = body { true } else { false } }
}
