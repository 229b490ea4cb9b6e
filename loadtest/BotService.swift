// The rooms of bots of one shard: begun at a pace, and given what comes for them.
//
// Owned by one shard and used on its queue.
import MadangProtocol
import Net
import WebSocket

final class BotService: ShardService {
  private let context: WalkContext
  private var rooms: [Int: BotRoom] = [:]
  /// The rooms of this shard, and the number of those begun.
  private var indices: [Int] = []
  private var begunRooms = 0
  private var begin: Timestamp?
  /// The rooms' timers have the rooms' numbers.
  private static let paceTimer: UInt64 = 1 << 62

  init(_ core: ShardCore, _ plan: WalkPlan, runID: UInt64, _ usage: ServerUsage) {
    context = WalkContext(core, plan, runID: runID, usage)
  }

  private var core: ShardCore { context.core }
  private var plan: WalkPlan { context.plan }

  /// Begins rooms, all at once or at the plan's pace.
  func begin(rooms indices: [Int]) {
    self.indices = indices
    begin = core.readClock()
    beginDue()
  }

  private func beginDue() {
    guard let begin else { return }
    var due = indices.count
    if let roomsPerSecond = plan.roomsPerSecond {
      // The shards share the pace.
      let shards = core.siblings.count
      let pace = ConnectPace(connections: indices.count, perSecond: max(1, roomsPerSecond / shards))
      due = pace.due(afterMicroseconds: core.readClock().microseconds(since: begin))
    }
    while begunRooms < due {
      let room = BotRoom(context, index: indices[begunRooms])
      rooms[room.index] = room
      room.dialFirst()
      begunRooms += 1
    }
    guard begunRooms < indices.count else { return }
    _ = core.setTimer(Self.paceTimer, at: core.now.advanced(milliseconds: ConnectPace.stepMilliseconds))
  }

  func timerFired(_ token: UInt64) {
    guard token != Self.paceTimer else { return beginDue() }
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
  var isFinished: Bool { begunRooms == indices.count && rooms.values.allSatisfy(\.isFinished) }

  /// The results; unfinished work counts as errors.
  func conclude() -> Results {
    for room in rooms.values where !room.isFinished { context.results.note(error: "UNFINISHED") }
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
