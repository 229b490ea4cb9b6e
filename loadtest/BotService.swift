// The bots of one shard.
//
// Owned by one shard and used on its thread.
import MadangProtocol
import Net
import WebSocket

final class BotService: ShardService {
  unowned let core: ShardCore
  let plan: WalkPlan
  let runID: UInt64
  var results = Results()
  private var rooms: [Int: BotRoom] = [:]
  private let usage: ServerUsage
  /// The rooms of this shard, and the number of those begun.
  private var indices: [Int] = []
  private var begunRooms = 0
  private var begin: Timestamp?
  /// The rooms' timers have the rooms' numbers.
  private static let paceTimer: UInt64 = 1 << 62

  init(_ core: ShardCore, _ plan: WalkPlan, runID: UInt64, _ usage: ServerUsage) {
    self.core = core
    self.plan = plan
    self.runID = runID
    self.usage = usage
  }

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
      let room = BotRoom(self, index: indices[begunRooms])
      rooms[room.index] = room
      room.dialFirst()
      begunRooms += 1
    }
    guard begunRooms < indices.count else { return }
    _ = core.setTimer(Self.paceTimer, at: core.now.advanced(milliseconds: ConnectPace.stepMilliseconds))
  }

  func dial(_ bot: Bot) {
    do throws(NetError) {
      bot.connection = try plan.target.dial(on: core, context: bot)
    } catch {
      results.note(error: "CAN'T CONNECT")
    }
  }

  func roomBegan() { usage.roomBegan() }
  func roomEnded() { usage.roomEnded() }

  func setTimer(_ room: Int, at time: Timestamp) {
    _ = core.setTimer(UInt64(room), at: time)
  }

  func timerFired(_ token: UInt64) {
    guard token != Self.paceTimer else { return beginDue() }
    rooms[Int(token)]?.walk()
  }

  func opened(_ connection: Connection) {
    results.connects += 1
    (connection.context as? Bot)?.greet()
  }

  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    guard let bot = connection.context as? Bot else { return }
    do throws(DecodingFailure) {
      bot.receive(try plan.target.subprotocol.decodeServerMessage(bytes))
    } catch {
      results.note(error: "UNREADABLE")
    }
  }

  func closed(_ connection: Connection) {
    guard let bot = connection.context as? Bot else { return }
    bot.connection = nil
    if bot.isAway { return dial(bot) }
    if !bot.isFinished { results.note(error: connection.closeCode.map { "CLOSED \($0)" } ?? "DISCONNECTED") }
  }

  /// Whether every bot of every room has seen its game's end.
  var isFinished: Bool { begunRooms == indices.count && rooms.values.allSatisfy(\.isFinished) }

  /// The results; unfinished work counts as errors.
  func conclude() -> Results {
    for room in rooms.values where !room.isFinished { results.note(error: "UNFINISHED") }
    if plan.resumeSeconds != nil { results.personas.insert(.resumed) }
    for bot in rooms.values.flatMap(\.bots) { results.personas.formUnion(bot.persona.expectations) }
    return results
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
