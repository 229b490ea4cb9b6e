// One player: says hello, enters its room, walks, chats, and measures what comes back.
//
// Owned by one shard. What a bot does next is decided by what the server says; only walking goes by the clock.
import MadangProtocol
import Net

final class Bot {
  unowned let room: BotRoom
  let index: Int
  var connection: Connection?
  /// The seat that the server gave; nil before.
  private(set) var seat: UInt32?
  private(set) var isFinished = false
  private var course: Course
  private(set) var expected = ExpectedFootprints()
  private var nextID: UInt32 = 0
  private var lastChat: UInt32 = 0
  /// When the request that is timed was sent, with its id.
  private var timed: (id: UInt32, sent: Timestamp)?

  var plan: WalkPlan { room.plan }
  var service: BotService { room.service }

  init(_ room: BotRoom, index: Int, course: Course) {
    self.room = room
    self.index = index
    self.course = course
  }

  var courseName: String {
    switch course {
    case .track(let track): track.name
    case .random: "random walk"
    }
  }

  // What is sent.

  func greet() {
    var hello = WireHello()
    hello.nickname = "bot \(index + 1)"
    hello.deviceSecret = "loadtest-\(service.runID)-\(room.index)-\(index)"
    request(.hello(hello))
  }

  func createRoom() {
    var create = WireCreateRoom()
    create.mode = .footprint
    create.durationS = UInt32(plan.seconds)
    if plan.players == 1 { create.solo = true } else { create.capacity = UInt32(plan.players) }
    request(.createRoom(create))
  }

  func joinRoom(_ code: String) {
    var join = WireJoinRoom()
    join.code = code
    request(.joinRoom(join))
  }

  func startGame() {
    request(.startGame(WireStartGame()))
  }

  /// Where the bot is now, `seconds` after the start.
  func step(at seconds: Double) {
    let coordinate = course.coordinate(at: seconds)
    var move = WireMove()
    move.latE7 = coordinate.latE7
    move.lngE7 = coordinate.lngE7
    move.accuracyM = 5
    expected.take(latE7: move.latE7, lngE7: move.lngE7, accuracyM: 5)
    service.results.movesOut += 1
    send(.move(move), id: nil)
  }

  func chat(_ text: String) {
    var chat = WireChatRequest()
    chat.text = text
    request(.chat(chat))
  }

  /// Asks for the time, and times the answer.
  func measure() {
    timed = (nextID + 1, service.core.readClock())
    request(.time(WireTimeRequest()))
  }

  private func request(_ body: WireClientMessage.OneOf_Body) {
    nextID += 1
    send(body, id: nextID)
  }

  private func send(_ body: WireClientMessage.OneOf_Body, id: UInt32?) {
    guard let connection else { return }
    service.results.messagesOut += 1
    plan.target.send(body, id: id, on: connection)
  }

  // What comes.

  func receive(_ message: WireServerMessage) {
    if let timed, message.hasReplyTo, message.replyTo == timed.id {
      let microseconds = service.core.readClock().microseconds(since: timed.sent)
      _ = service.results.roundTrips.record(UInt64(max(1, microseconds)))
      self.timed = nil
    }
    switch message.body {
    case .welcome: room.welcomed(self)
    case .room(let state):
      seat = state.you.seat
      room.entered(self, state)
    case .tick(let tick):
      service.results.ticksIn += 1
      room.noteTick(gameMs: tick.gameMs)
      for event in tick.events { receive(event) }
    case .verdict: service.results.verdicts += 1
    case .error(let error): service.results.note(error: error.code.name)
    case .ok, .time, .closing, .results, .records, .badge, nil: break
    }
  }

  private func receive(_ event: WireEvent) {
    switch event.body {
    case .phase(let change) where change.phase == .playing:
      room.began()
    case .phase(let change) where change.phase == .ended:
      room.ended(change.board)
      isFinished = true
      connection?.close(1000, "")
    case .chat:
      service.results.chatsIn += 1
      guard event.number > lastChat else { return }
      lastChat = event.number
    default:
      break
    }
  }

  /// Tells the server how far the bot has read the chat.
  func read() {
    guard lastChat > 0 else { return }
    var read = WireReadChat()
    read.upTo = lastChat
    request(.readChat(read))
  }
}
