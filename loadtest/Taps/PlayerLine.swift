// One player's connection that comes back: hello the first time and after a crash, resume from then on.
//
// Owned by one shard. It knows sessions; what is asked within them is its player's.
import MadangProtocol
import Net

/// Who speaks over a line.
protocol LinePlayer: AnyObject {
  var line: PlayerLine { get }
  /// A session is there, for the first time or again.
  func welcomed(_ welcome: WireWelcome)
  /// The session has no connection any more. It comes back by itself; what was asked is never answered.
  func lost()
  /// Takes a message that need not be decoded for it; false for all others.
  func takes(_ bytes: UnsafeRawBufferPointer) -> Bool
  func received(_ message: WireServerMessage)
  /// What came on a connection that was replaced.
  func overheard(_ message: WireServerMessage)
  func timerFired()
}

extension LinePlayer {
  func takes(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
  func overheard(_ message: WireServerMessage) {}
}

final class PlayerLine {
  unowned let service: TapsService
  /// Among all players of the run.
  let index: Int
  weak var player: (any LinePlayer)?
  /// There is a session, and a connection to speak on.
  private(set) var isWelcome = false
  /// There has been a session since the server was lost last.
  private(set) var isBack = false
  /// The server was away between the last session and this one.
  private(set) var missedServer = false
  /// Of all lines' losses of the server, those before this session.
  private var lossesKnown = 0
  private var connection: Connection?
  private var replaced: Connection?
  private var token: String?
  private var nextID: UInt32 = 0
  private var greeting: UInt32 = 0
  private var timer: TimerID?
  /// The player ends the connection by themselves, and dials anew after so long.
  private var absenceMilliseconds: Int64?
  /// Dials since the last session.
  private var failures = 0
  private var isOver = false
  private var generator: SplitMix64

  private static let redialMilliseconds: Int64 = 200

  init(_ service: TapsService, index: Int) {
    self.service = service
    self.index = index
    generator = SplitMix64(service.plan.seed ^ UInt64(index) << 20 | 1)
  }

  /// How far it has come, for reports of what has not come about.
  var state: String {
    if isWelcome { return "there" }
    guard let connection else { return "waiting to dial" }
    return connection.isOpen ? "asking for its session" : "dialling"
  }

  // What is sent.

  func dial() {
    if let timer { service.core.cancelTimer(timer) }
    do throws(NetError) {
      connection = try service.plan.target.dial(on: service.core, context: self)
    } catch {
      service.results.note(loss: error.description, isFault: !service.plan.survives)
      dialLater()
    }
  }

  @discardableResult
  func request(_ body: WireClientMessage.OneOf_Body) -> UInt32 {
    nextID += 1
    if let connection { service.plan.target.send(body, id: nextID, on: connection) }
    return nextID
  }

  /// Loses the connection, with a word or without, and comes back at once.
  func drop() {
    guard let connection, absenceMilliseconds == nil else { return }
    service.results.drops += 1
    absenceMilliseconds = 0
    if Bool.random(using: &generator) { connection.abandon() } else { connection.close(1000, "") }
  }

  /// Ends as a phone's app does that is killed: without a word, its session forgotten. After so long it is started again, and
  /// has nothing but the device's secret to say hello with.
  func crash(awayMilliseconds: Int64) {
    guard let connection, absenceMilliseconds == nil else { return }
    service.results.crashes += 1
    absenceMilliseconds = awayMilliseconds
    (token, nextID) = (nil, 0)
    connection.abandon()
  }

  /// Comes back on a second connection while the first is there, as a phone does that changes its network.
  func replace() {
    guard isWelcome else { return }
    service.results.replacements += 1
    replaced = connection
    connection = nil
    isWelcome = false
    player?.lost()
    dial()
  }

  /// Nothing more is said.
  func end() {
    isOver = true
    connection?.close(1000, "")
  }

  /// Waits longer from time to time: thousands who knock without a pause keep a server from starting.
  private func dialLater() {
    let most = Self.redialMilliseconds << min(failures, 3)
    failures += 1
    wake(afterMilliseconds: Int64.random(in: most / 4...most, using: &generator))
  }

  private func wake(afterMilliseconds milliseconds: Int64) {
    if let timer { service.core.cancelTimer(timer) }
    timer = service.setTimer(line: index, at: service.core.readClock().advanced(milliseconds: milliseconds))
  }

  /// The time to dial anew, or to greet anew.
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
      hello.deviceSecret = service.plan.roll.deviceSecret(of: index)
      greeting = request(.hello(hello))
    }
  }

  // What comes.

  func opened(_ connection: Connection) {
    guard connection === self.connection else { return }
    service.results.opened += 1
    greet()
  }

  func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    let isCurrent = connection === self.connection
    guard isCurrent || connection === replaced else { return }
    if isCurrent, isWelcome, player?.takes(bytes) == true { return }
    let message: WireServerMessage
    do throws(DecodingFailure) {
      message = try service.plan.target.subprotocol.decodeServerMessage(bytes)
    } catch {
      return service.results.note(error: "UNREADABLE")
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
      // Who had no connection then has not noticed by itself.
      missedServer = !isBack || lossesKnown < service.serverLosses
      lossesKnown = service.serverLosses
      (isWelcome, isBack) = (true, true)
      failures = 0
      service.times.note(serverTimeMs: welcome.serverTimeMs, at: service.core.readClock())
      player?.welcomed(welcome)
    case .error(let error):
      service.results.note(error: error.code.name)
      if [.badToken, .sessionExpired, .sessionEnded].contains(error.code) { token = nil }
      wake(afterMilliseconds: Int64(max(50, error.retryAfterMs)))
    default:
      service.results.note(error: "NO WELCOME")
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
    if isBack { service.lostServer() }
    isBack = false
    let why = connection.closeCode.map { "closed with \($0)" } ?? "broken"
    service.results.note(loss: why, isFault: !service.plan.survives)
    if wasWelcome { player?.lost() }
    dialLater()
  }
}
