// The rooms of bots of one shard: made at a pace, and given what comes for them.
//
// Owned by one shard and used on its queue.
import MadangProtocol
import Net
import WebSocket

final class BotService: ShardService {
  private let context: WalkContext
  private var rooms: [Int: BotRoom] = [:]
  /// The rooms of this shard, and the numbers of those made and of those whose games are started.
  private var indices: [Int] = []
  private var madeRooms = 0
  private var startedRooms = 0
  /// The times at which the first room is made and the first game is started.
  private var making: Timestamp?
  private var starting: Timestamp?
  /// The rooms' timers have the rooms' numbers.
  private static let paceTimer: UInt64 = 1 << 62

  init(_ core: ShardCore, _ plan: WalkPlan, runID: UInt64, _ usage: ServerUsage) {
    context = WalkContext(core, plan, runID: runID, usage)
  }

  private var core: ShardCore { context.core }
  private var plan: WalkPlan { context.plan }

  /// Makes rooms, all at once or at the plan's pace.
  func begin(rooms indices: [Int]) {
    self.indices = indices
    making = core.readClock()
    goOn()
  }

  /// Makes the rooms and starts the games that are due.
  private func goOn() {
    let madeDue = due(since: making)
    while madeRooms < madeDue {
      let room = BotRoom(context, index: indices[madeRooms])
      rooms[room.index] = room
      room.dialFirst()
      madeRooms += 1
    }
    if plan.startsTogether { startDue() }
    guard madeRooms < indices.count || plan.startsTogether && startedRooms < indices.count else { return }
    _ = core.setTimer(Self.paceTimer, at: core.now.advanced(milliseconds: ConnectPace.stepMilliseconds))
  }

  private func startDue() {
    if starting == nil, context.usage.areAllFilled { starting = core.readClock() }
    let startDue = due(since: starting)
    while startedRooms < startDue {
      rooms[indices[startedRooms]]?.start()
      startedRooms += 1
    }
  }

  /// The number of this shard's rooms that are due, `begin` being the first one's time.
  private func due(since begin: Timestamp?) -> Int {
    guard let begin else { return 0 }
    guard let roomsPerSecond = plan.roomsPerSecond else { return indices.count }
    // The shards share the pace.
    let pace = ConnectPace(connections: indices.count, perSecond: max(1, roomsPerSecond / core.siblings.count))
    return pace.due(afterMicroseconds: core.readClock().microseconds(since: begin))
  }

  func timerFired(_ token: UInt64) {
    guard token != Self.paceTimer else { return goOn() }
    rooms[Int(token)]?.timerFired()
  }

  func opened(_ connection: Connection) {
    context.results.connects += 1
    (connection.context as? Bot)?.greet()
  }

  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    guard let bot = connection.context as? Bot else { return }
    if kind == .binary, bot.glancesAtTicks, let glance = TickGlance(binary: bytes) { return bot.receive(glance) }
    do throws(DecodingFailure) {
      bot.receive(try plan.target.subprotocol.decodeServerMessage(bytes))
    } catch {
      context.results.note(error: "UNREADABLE")
    }
  }

  func closed(_ connection: Connection) {
    guard let bot = connection.context as? Bot else { return }
    bot.connection = nil
    if bot.isAway { return bot.dial() }
    if !bot.isFinished { context.results.note(error: connection.closeCode.map { "CLOSED \($0)" } ?? "DISCONNECTED") }
  }

  /// Whether every bot of every room has seen its game's end.
  var isFinished: Bool { madeRooms == indices.count && rooms.values.allSatisfy(\.isFinished) }

  /// The results; unfinished work counts as errors.
  func conclude() -> Results {
    for room in rooms.values where !room.isFinished { context.results.note(error: "UNFINISHED") }
    if plan.startsTogether, !context.usage.areAllFilled { context.results.note(error: "ROOMS NOT FULL") }
    if plan.resumeSeconds != nil { context.results.personas.insert(.resumed) }
    if plan.fill > 0 { context.results.personas.insert(.filled) }
    if plan.checksBoards { context.results.personas.insert(.calculatedPoints) }
    for bot in rooms.values.flatMap(\.bots) { context.results.personas.formUnion(bot.persona.expectations) }
    return context.results
  }

  // Bots serve nothing and never move.

  func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse {
    preconditionFailure("bots don't listen")
  }

  func admit(_ head: RequestHead, on connection: Connection) -> Admission {
    preconditionFailure("bots don't listen")
  }

  func adopted(_ connection: Connection, carrying cargo: any Sendable) {
    preconditionFailure("bots don't move")
  }

  func deadlinePassed(_ connection: Connection) {}
}
