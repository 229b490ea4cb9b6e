// Sends durable commands for the bots of one shard, by the clock and independent of the server.
//
// Owned by one shard.
import MadangProtocol
import Net

final class CommandSender {
  /// The token of its timer, greater than the rooms'.
  static let timer: UInt64 = 1 << 61

  private unowned let context: HoldContext
  private let load: CommandLoad
  private var mix: CommandMix
  /// The bots by their numbers; nil until they are dialled.
  private var bots: [HoldBot?]
  private var begin: Timestamp?
  private var sent = 0

  init(_ context: HoldContext, _ load: CommandLoad, seed: UInt64) {
    self.context = context
    self.load = load
    mix = CommandMix(seed: seed)
    bots = Array(repeating: nil, count: load.bots)
  }

  func add(_ bot: HoldBot) {
    bot.commands = BotCommands(context)
    bots[bot.index] = bot
  }

  func start() {
    begin = context.core.readClock()
    sent = 0
    sendDue()
  }

  /// Stops sending; answers are still counted.
  func stop() {
    begin = nil
  }

  func sendDue() {
    guard let begin else { return }
    let due = load.due(afterMicroseconds: context.core.readClock().microseconds(since: begin))
    while sent < due {
      if let bot = bots[load.bot(ofCommand: sent)] { send(bot) }
      sent += 1
    }
    let next = context.core.readClock().advanced(milliseconds: CommandLoad.stepMilliseconds)
    _ = context.core.setTimer(Self.timer, at: next)
  }

  private func send(_ bot: HoldBot) {
    guard let commands = bot.commands, bot.connection != nil else { return }
    let now = context.core.readClock()
    let kind = mix.next(at: now.microseconds, lastChat: commands.lastChat?.microseconds)
    let id: UInt32
    switch kind {
    case .chat:
      var chat = WireChatRequest()
      chat.text = "안녕, \(sent)"
      id = bot.request(.chat(chat))
      context.results.commands.chats += 1
    case .readChat:
      var read = WireReadChat()
      read.upTo = commands.newestEvent
      id = bot.request(.readChat(read))
      context.results.commands.reads += 1
    }
    commands.sent(kind, id: id, at: now)
  }
}
