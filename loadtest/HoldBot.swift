// One held connection: says hello, then idles, or sits in a room and moves.
//
// Owned by one shard. Small, because there are tens of thousands.
import MadangProtocol
import Net

/// The room of a bot, which gets what the bot receives.
protocol HoldBotDelegate: AnyObject {
  func welcomed(_ bot: HoldBot)
  func entered(code: String)
  /// The server makes no new room at the moment.
  func overloaded(retryAfterMs: UInt32)
  func received(_ tick: WireTick, by bot: HoldBot)
  /// Any other message.
  func received(_ body: WireServerMessage.OneOf_Body, by bot: HoldBot)
}

extension HoldBotDelegate {
  func received(_ body: WireServerMessage.OneOf_Body, by bot: HoldBot) {}
}

final class HoldBot {
  let index: Int
  private unowned let context: HoldContext
  /// The room to sit in; nil for an idle bot.
  private let room: (any HoldBotDelegate)?
  var connection: Connection?
  /// The bot's durable commands; nil when it sends none.
  var commands: BotCommands?
  private(set) var isOpened = false
  private(set) var isReady = false
  /// Whether it was refused or lost.
  private(set) var isGivenUp = false
  private var nextID: UInt32 = 0
  private var lastArrival: Timestamp?
  /// A message that arrives no later behind another wakes nobody: the device is still awake.
  private static let awakeMicroseconds: Int64 = 20_000

  init(_ context: HoldContext, index: Int, room: (any HoldBotDelegate)?) {
    self.context = context
    self.index = index
    self.room = room
  }

  func opened() {
    isOpened = true
    context.results.opened += 1
    var hello = WireHello()
    hello.nickname = "bot \(index + 1)"
    hello.deviceSecret = "loadtest-\(context.plan.runID)-\(index)"
    request(.hello(hello))
  }

  @discardableResult
  func request(_ body: WireClientMessage.OneOf_Body) -> UInt32 {
    nextID += 1
    send(body, id: nextID)
    return nextID
  }

  func send(_ body: WireClientMessage.OneOf_Body, id: UInt32? = nil) {
    guard let connection else { return }
    context.plan.target.send(body, id: id, on: connection)
  }

  /// Counts a message that has arrived, and whether it would have woken a phone.
  func noteArrival() {
    let now = context.core.readClock()
    context.results.messagesIn += 1
    if lastArrival.map({ now.microseconds(since: $0) > Self.awakeMicroseconds }) ?? true {
      context.results.wakeups += 1
    }
    lastArrival = now
  }

  func receive(_ message: WireServerMessage) {
    commands?.received(message)
    switch message.body {
    case .welcome:
      if let room { room.welcomed(self) } else { becomeReady() }
    case .room(let state):
      becomeReady()
      room?.entered(code: state.code)
    case .tick(let tick):
      context.results.ticksIn += 1
      room?.received(tick, by: self)
    case .error(let error) where error.code == .overloaded && !isReady && room != nil:
      room?.overloaded(retryAfterMs: error.retryAfterMs)
    case .error(let error):
      context.results.errors[error.code.name, default: 0] += 1
      // A bot that an error stopped does not become ready by waiting.
      giveUp()
    case let body?: room?.received(body, by: self)
    case nil: break
    }
  }

  func closed(code: UInt16?) {
    connection = nil
    if isOpened {
      context.results.disconnects[code, default: 0] += 1
      giveUp()
    } else {
      refused("closed before it was a WebSocket")
    }
  }

  /// The connection never became a WebSocket.
  func refused(_ why: String) {
    isGivenUp = true
    context.results.refusals[why, default: 0] += 1
  }

  func becomeReady() {
    guard !isReady, !isGivenUp else { return }
    isReady = true
    context.results.ready += 1
  }

  private func giveUp() {
    guard !isReady, !isGivenUp else { return }
    isGivenUp = true
    context.results.givenUp += 1
  }
}
