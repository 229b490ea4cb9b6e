// One player: says hello, enters its room, acts as its persona does, chats, and measures the answers.
//
// Owned by one shard. The server's messages decide the bot's next act; only walking goes by the clock.
import MadangProtocol
import Net

/// The room of a bot. It makes the bot's persona, and gets what the bot receives.
protocol BotDelegate: AnyObject {
  func persona(of bot: Bot) -> any Persona
  func welcomed(_ bot: Bot)
  func entered(_ bot: Bot, _ state: WireRoom)
  /// The server makes no new room at the moment.
  func overloaded(retryAfterMs: UInt32)
  func noteTick(gameMs: UInt32)
  /// Whether the room looks at the rows of ticks.
  var readsTicks: Bool { get }
  /// A tick of a game that is on has come to a bot that has seen all its ticks up to `seen`. Where `readsTicks` is
  /// false it may be left out.
  func received(_ tick: WireTick, by bot: Bot, seen: UInt32)
  /// The server has begun the game.
  func began()
  func captured(_ land: String, by seat: UInt32)
  /// A bot has lost its connection and is connected again.
  func resumed(_ bot: Bot, _ state: WireRoom)
  func ended(_ board: [WireBoardRow])
}

final class Bot {
  unowned let context: WalkContext
  private unowned let room: any BotDelegate
  private let roomIndex: Int
  let index: Int
  var connection: Connection?
  /// The seat that the server gave; nil before.
  private(set) var seat: UInt32?
  /// Whether it has seen the end of its game, and every answer that it has asked for.
  private(set) var isFinished = false
  private var hasEnded = false
  /// Whether it has dropped its connection and is coming back.
  private(set) var isAway = false
  private(set) lazy var persona: any Persona = room.persona(of: self)
  private var nextID: UInt32 = 0
  private var lastChat: UInt32 = 0
  private var lastEvent: UInt32 = 0
  /// The newest tick of the game, or the tick of a newer state.
  private var lastTick: UInt32 = 0
  private var isPlaying = false
  private var hasVerdict = false
  private var sessionToken = ""
  /// The server's clock minus the bot's, at the first welcome; milliseconds.
  private var clockOffsetMs: Int64 = 0
  /// The id and the sending time of the timed request.
  private var timed: (id: UInt32, sent: Timestamp)?

  var plan: WalkPlan { context.plan }
  var isHost: Bool { index == 0 }
  var serverTimeMs: Int64 { context.core.readClock().microseconds / 1_000 + clockOffsetMs }

  init(_ context: WalkContext, of room: any BotDelegate, roomIndex: Int, index: Int) {
    self.context = context
    self.room = room
    self.roomIndex = roomIndex
    self.index = index
  }

  /// Counts whether the server met an expectation.
  func expect(_ expectation: Expectation, _ isMet: Bool, _ example: @autoclosure () -> String) {
    context.results.expectations.note(expectation, isMet, "room \(roomIndex + 1), bot \(index + 1): \(example())")
  }

  // Sending.

  func dial() {
    do throws(NetError) {
      connection = try plan.target.dial(on: context.core, context: self)
    } catch {
      context.results.note(error: "CAN'T CONNECT")
    }
  }

  func greet() {
    guard !isAway else { return resume() }
    var hello = WireHello()
    hello.nickname = "bot \(index + 1)"
    hello.deviceSecret = "loadtest-\(context.runID)-\(roomIndex)-\(index)"
    request(.hello(hello))
  }

  private func resume() {
    var resume = WireResume()
    resume.sessionToken = sessionToken
    resume.afterEvent = lastEvent
    request(.resume(resume))
  }

  func createRoom(_ wish: WireCreateRoom) {
    request(.createRoom(wish))
  }

  func joinRoom(_ code: String) {
    var join = WireJoinRoom()
    join.code = code
    request(.joinRoom(join))
  }

  func startGame() {
    request(.startGame(WireStartGame()))
  }

  /// The bot's step, `seconds` after the start.
  func step(at seconds: Double) {
    guard !isAway, var move = persona.step(at: seconds) else { return }
    // Fixes that arrive as one after a stall must still be several.
    if !move.hasTimeMs { move.timeMs = serverTimeMs }
    guard let connection else { return }
    context.results.movesOut += 1
    context.results.messagesOut += 1
    plan.target.send(move, on: connection)
  }

  func chat(_ text: String) {
    var chat = WireChatRequest()
    chat.text = text
    request(.chat(chat))
  }

  /// Asks for the time, and times the answer.
  func measure() {
    timed = (nextID + 1, context.core.readClock())
    request(.time(WireTimeRequest()))
  }

  /// Tells the server the last chat that the bot has read.
  func read() {
    guard lastChat > 0 else { return }
    var read = WireReadChat()
    read.upTo = lastChat
    request(.readChat(read))
  }

  func request(_ body: WireClientMessage.OneOf_Body) {
    nextID += 1
    send(body, id: nextID)
  }

  private func send(_ body: WireClientMessage.OneOf_Body, id: UInt32?) {
    guard let connection else { return }
    context.results.messagesOut += 1
    plan.target.send(body, id: id, on: connection)
  }

  /// Drops the connection, to come back at once and find everything unchanged.
  func comeBack() {
    guard let connection else { return }
    isAway = true
    timed = nil
    connection.close(1000, "")
  }

  // Receiving.

  func receive(_ message: WireServerMessage) {
    if let timed, message.hasReplyTo, message.replyTo == timed.id {
      let microseconds = context.core.readClock().microseconds(since: timed.sent)
      _ = context.results.roundTrips.record(UInt64(max(1, microseconds)))
      self.timed = nil
    }
    switch message.body {
    case .welcome(let welcome): receive(welcome)
    case .room(let state):
      seat = state.you.seat
      lastEvent = state.lastEvent
      glancesAtTicks = !room.readsTicks && !persona.readsTicks
      room.entered(self, state)
    case .tick(let tick): receive(tick)
    case .verdict(let verdict):
      context.results.verdicts += 1
      hasVerdict = true
      persona.receive(.verdict(verdict))
    case .path, .run: message.body.map(persona.receive)
    case .landRanking:
      message.body.map(persona.receive)
      if hasEnded { leave() }
    case .error(let error) where error.code == .overloaded && seat == nil:
      room.overloaded(retryAfterMs: error.retryAfterMs)
    case .error(let error): context.results.note(error: error.code.name)
    // Other messages mean nothing to this bot.
    default: break
    }
  }

  private func receive(_ welcome: WireWelcome) {
    sessionToken = welcome.sessionToken
    guard isAway else {
      clockOffsetMs = welcome.serverTimeMs - context.core.readClock().microseconds / 1_000
      return room.welcomed(self)
    }
    isAway = false
    context.results.resumes += 1
    let state = welcome.room
    let numbers = welcome.events.map(\.number)
    let areAll = numbers.elementsEqual((lastEvent..<max(lastEvent, state.lastEvent)).map { $0 + 1 })
    let isSame = welcome.hasRoom && state.you.seat == seat && (areAll || welcome.gap)
    expect(.resumed, isSame, "seat \(state.you.seat) with events \(numbers) after \(lastEvent)")
    guard welcome.hasRoom else { return }
    for event in welcome.events { receive(event) }
    lastTick = state.tick
    room.resumed(self, state)
    persona.resumed(state)
  }

  /// Whether nobody looks at more of a tick than its numbers, unless it has events; known when it is in its room.
  private(set) var glancesAtTicks = false

  func receive(_ glance: TickGlance) {
    note(gameMs: glance.gameMs)
    if isPlaying { lastTick = glance.tick }
  }

  private func note(gameMs: UInt32) {
    context.results.ticksIn += 1
    context.usage.noteTick()
    room.noteTick(gameMs: gameMs)
  }

  private func receive(_ tick: WireTick) {
    note(gameMs: tick.gameMs)
    if !isPlaying, tick.events.contains(where: \.isStart) {
      isPlaying = true
      lastTick = 0
    }
    if isPlaying {
      room.received(tick, by: self, seen: lastTick)
      lastTick = tick.tick
      persona.receive(tick)
    }
    for event in tick.events where event.number > lastEvent { receive(event) }
  }

  private func receive(_ event: WireEvent) {
    lastEvent = event.number
    switch event.body {
    case .phase(let change) where change.phase == .playing:
      room.began()
    case .phase(let change) where change.phase == .ended:
      finish(change.board)
    case .captured(let captured):
      context.results.captures += isHost ? 1 : 0
      guard case .land(let land) = captured.what else { return }
      room.captured(land.landID, by: captured.seat)
      if captured.seat == seat { persona.captured(land) }
    case .chat:
      context.results.chatsIn += 1
      lastChat = event.number
    default:
      break
    }
  }

  private func finish(_ board: [WireBoardRow]) {
    guard !hasEnded else { return }
    hasEnded = true
    room.ended(board)
    persona.ended(board)
    if persona.expectations.contains(.believed) { expect(.believed, !hasVerdict, "fixes are refused") }
    if !persona.awaitsAnswer { leave() }
  }

  private func leave() {
    isFinished = true
    connection?.close(1000, "")
  }
}

extension WireEvent {
  var isStart: Bool {
    if case .phase(let change) = body { change.phase == .playing } else { false }
  }
}
