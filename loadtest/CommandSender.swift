// Sends durable commands for the bots of one shard, by the clock and independent of the server, and measures the time
// to each answer.
//
// Owned by one shard.
import MadangProtocol
import Net

final class CommandSender {
  private unowned let service: HoldService
  private let load: CommandLoad
  private var mix: CommandMix
  /// The bots by their numbers; nil until they are dialled.
  private var bots: [HoldBot?]
  private var begin: Timestamp?
  private var sent = 0

  init(_ service: HoldService, _ load: CommandLoad, seed: UInt64) {
    self.service = service
    self.load = load
    mix = CommandMix(seed: seed)
    bots = Array(repeating: nil, count: load.bots)
  }

  func add(_ bot: HoldBot) {
    bot.commands = BotCommands()
    bots[bot.index] = bot
  }

  func start() {
    begin = service.core.readClock()
    sent = 0
    sendDue()
  }

  /// Stops sending; answers are still counted.
  func stop() {
    begin = nil
  }

  func sendDue() {
    guard let begin else { return }
    let due = load.due(afterMicroseconds: service.core.readClock().microseconds(since: begin))
    while sent < due {
      if let bot = bots[load.bot(ofCommand: sent)] { send(bot) }
      sent += 1
    }
    service.setCommandTimer(at: service.core.readClock().advanced(milliseconds: CommandLoad.stepMilliseconds))
  }

  private func send(_ bot: HoldBot) {
    guard let commands = bot.commands, bot.connection != nil else { return }
    let now = service.core.readClock()
    let kind = mix.next(at: now.microseconds, lastChat: commands.lastChat?.microseconds)
    let id: UInt32
    switch kind {
    case .chat:
      var chat = WireChatRequest()
      chat.text = "안녕, \(sent)"
      id = bot.request(.chat(chat))
      service.results.commands.chats += 1
    case .readChat:
      var read = WireReadChat()
      read.upTo = commands.newestEvent
      id = bot.request(.readChat(read))
      service.results.commands.reads += 1
    }
    commands.sent(kind, id: id, at: now)
  }

  /// Takes a message that a bot received.
  func received(_ message: WireServerMessage, by commands: BotCommands) {
    if message.hasReplyTo, let sent = commands.answered(message.replyTo) {
      let microseconds = service.core.readClock().microseconds(since: sent)
      service.results.commands.answered(afterMicroseconds: microseconds, isOK: message.isOK)
    }
    switch message.body {
    case .room(let state): commands.note(event: state.lastEvent)
    case .tick(let tick): if let event = tick.events.last { commands.note(event: event.number) }
    default: break
    }
  }
}

extension WireServerMessage {
  fileprivate var isOK: Bool { if case .ok = body { true } else { false } }
}
