// One player's connection, which comes back: by hello the first time and after a crash, by resume from then on.
//
// Owned by one shard. It knows sessions; its player knows the requests within them.
import MadangProtocol
import Net

/// The player that speaks over a line.
protocol LinePlayer: AnyObject {
  var line: PlayerLine { get }
  /// A session has begun or resumed.
  func welcomed(_ welcome: WireWelcome)
  /// The session has lost its connection. It comes back by itself; open requests are never answered.
  func lost()
  /// Takes a message that need not be decoded for it; false for all others.
  func takes(_ bytes: UnsafeRawBufferPointer) -> Bool
  func received(_ message: WireServerMessage)
  /// A message on a connection that was replaced.
  func overheard(_ message: WireServerMessage)
  func timerFired()
}

extension LinePlayer {
  func takes(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
  func overheard(_ message: WireServerMessage) {}
}

final class PlayerLine {
  unowned let context: TapsContext
  /// The index among all players of the run.
  let index: Int
  weak var player: (any LinePlayer)?
  /// Whether there is a session, and a connection to speak on.
  private(set) var isWelcome = false
  /// Whether there has been a session since the server was lost last.
  private(set) var isBack = false
  /// Whether the server was away between the last session and this one.
  private(set) var missedServer = false
  /// The number of all lines' losses of the server before this session.
  private var lossesKnown = 0
  private var connection: Connection?
  private var replaced: Connection?
  private var token: String?
  private var nextID: UInt32 = 0
  private var greeting: UInt32 = 0
  private var timer: TimerID?
  /// The time after which the player dials again, having ended the connection; nil otherwise.
  private var absenceMilliseconds: Int64?
  /// The number of dials since the last session.
  private var failures = 0
  private var isOver = false
  private var generator: SplitMix64

  private static let redialMilliseconds: Int64 = 200

  init(_ context: TapsContext, index: Int) {
    self.context = context
    self.index = index
    generator = SplitMix64(context.plan.seed ^ UInt64(index) << 20 | 1)
  }

  /// The progress, for reports of unfinished work.
  var state: String {
    if isWelcome { return "there" }
    guard let connection else { return "waiting to dial" }
    return connection.isOpen ? "asking for its session" : "dialling"
  }

  // Sending.

  func dial() {
    if let timer { context.core.cancelTimer(timer) }
    do throws(NetError) {
      connection = try context.plan.target.dial(on: context.core, context: self)
    } catch {
      context.results.note(loss: error.description, isFault: !context.plan.survives)
      dialLater()
    }
  }

  @discardableResult
  func request(_ body: WireClientMessage.OneOf_Body) -> UInt32 {
    nextID += 1
    if let connection { context.plan.target.send(body, id: nextID, on: connection) }
    return nextID
  }

  /// Loses the connection, with or without a close frame, and comes back at once.
  func drop() {
    guard let connection, absenceMilliseconds == nil else { return }
    context.results.drops += 1
    absenceMilliseconds = 0
    if Bool.random(using: &generator) { connection.abandon() } else { connection.close(1000, "") }
  }

  /// Ends like a phone's app that is killed: without a close frame, its session forgotten. The app starts again after
  /// the given time, with only the device's secret for its hello.
  func crash(awayMilliseconds: Int64) {
    guard let connection, absenceMilliseconds == nil else { return }
    context.results.crashes += 1
    absenceMilliseconds = awayMilliseconds
    (token, nextID) = (nil, 0)
    connection.abandon()
  }

  /// Comes back on a second connection while the first exists, like a phone that changes its network.
  func replace() {
    guard isWelcome else { return }
    context.results.replacements += 1
    replaced = connection
    connection = nil
    isWelcome = false
    player?.lost()
    dial()
  }

  /// Ends the connection for good.
  func end() {
    isOver = true
    connection?.close(1000, "")
  }

  /// Waits longer each time: thousands of clients that dial without a pause keep a server from starting.
  private func dialLater() {
    let most = Self.redialMilliseconds << min(failures, 3)
    failures += 1
    wake(afterMilliseconds: Int64.random(in: most / 4...most, using: &generator))
  }

  private func wake(afterMilliseconds milliseconds: Int64) {
    if let timer { context.core.cancelTimer(timer) }
    timer = context.setTimer(line: index, at: context.core.readClock().advanced(milliseconds: milliseconds))
  }

  /// The time to dial or greet again.
  func timerFired() {
    guard !isOver else { return }
    if connection == nil { dial() } else if !isWelcome { greet() }
  }

  private func greet() {
    if let token {
      var resume = WireResume()
      resume.sessionToken = token
      greeting = request(.resume(resume))
    } else {
      var hello = WireHello()
      hello.nickname = "bot \(index + 1)"
      hello.deviceSecret = context.plan.identities.deviceSecret(of: index)
      greeting = request(.hello(hello))
    }
  }

  // Receiving.

  func opened(_ connection: Connection) {
    guard connection === self.connection else { return }
    context.results.opened += 1
    greet()
  }

  func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    let isCurrent = connection === self.connection
    guard isCurrent || connection === replaced else { return }
    if isCurrent, isWelcome, player?.takes(bytes) == true { return }
    let message: WireServerMessage
    do throws(DecodingFailure) {
      message = try context.plan.target.subprotocol.decodeServerMessage(bytes)
    } catch {
      return context.results.note(error: "UNREADABLE")
    }
    if !isCurrent {
      player?.overheard(message)
    } else if isWelcome {
      player?.received(message)
    } else if message.hasReplyTo, message.replyTo == greeting {
      answered(message)
    }
  }

  private func answered(_ message: WireServerMessage) {
    switch message.body {
    case .welcome(let welcome):
      token = welcome.sessionToken
      // A line without a connection at that time has not noticed the loss by itself.
      missedServer = !isBack || lossesKnown < context.serverLosses
      lossesKnown = context.serverLosses
      (isWelcome, isBack) = (true, true)
      failures = 0
      context.times.note(serverTimeMs: welcome.serverTimeMs, at: context.core.readClock())
      player?.welcomed(welcome)
    case .error(let error):
      context.results.note(error: error.code.name)
      if [.badToken, .sessionExpired, .sessionEnded].contains(error.code) { token = nil }
      wake(afterMilliseconds: Int64(max(50, error.retryAfterMs)))
    default:
      context.results.note(error: "NO WELCOME")
    }
  }

  func closed(_ connection: Connection) {
    if connection === replaced { replaced = nil }
    guard connection === self.connection else { return }
    self.connection = nil
    guard !isOver else { return }
    let wasWelcome = isWelcome
    isWelcome = false
    if let absence = absenceMilliseconds {
      absenceMilliseconds = nil
      player?.lost()
      return absence > 0 ? wake(afterMilliseconds: absence) : dial()
    }
    if isBack { context.lostServer() }
    isBack = false
    let why = connection.closeCode.map { "closed with \($0)" } ?? "broken"
    context.results.note(loss: why, isFault: !context.plan.survives)
    if wasWelcome { player?.lost() }
    dialLater()
  }
}
