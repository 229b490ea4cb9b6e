// The held connections: begun at a pace, in order, those in rooms first.
//
// Owned by one shard and used on its queue.
// Decisions: 172 (docs/decisions).
import MadangProtocol
import Net
import WebSocket

final class HoldService: ShardService {
  private let context: HoldContext
  /// The sender of durable commands; nil where there are none.
  private(set) var commands: CommandSender?
  private var rooms: [HoldRoom] = []
  private var trafficRoom: TrafficRoom?
  private var placeWalkers: PlaceWalkers?
  private var begun = 0
  private var begin: Timestamp?
  /// The rooms' timers have the rooms' numbers.
  private static let paceTimer: UInt64 = 1 << 62

  init(_ core: ShardCore, _ plan: HoldPlan) {
    context = HoldContext(core, plan)
  }

  private var core: ShardCore { context.core }
  private var plan: HoldPlan { context.plan }

  func start() {
    commands = plan.commands.map { CommandSender(context, $0, seed: plan.seed) }
    trafficRoom = plan.traffic.map { TrafficRoom(context, $0) }
    placeWalkers = plan.places.map { PlaceWalkers(context, $0) }
    if trafficRoom == nil, placeWalkers == nil { rooms = (0..<plan.rooms).map { HoldRoom(context, index: $0) } }
    begin = core.readClock()
    connectDue()
  }

  /// The results so far.
  var report: HoldResults {
    var report = context.results
    report.pingsAnswered = core.counters.pingsAnswered
    report.bytesIn = core.counters.bytesIn
    return report
  }

  /// The results so far; the times of answers and ticks are those since the last call.
  func takeReport() -> HoldResults {
    defer { context.results.forgetTimes() }
    return report
  }

  /// Lets the first `count` rooms play; the others' bots stand still.
  func play(first count: Int) {
    for (index, room) in rooms.enumerated() {
      if index < count { room.play() } else { room.rest() }
    }
  }

  private func connectDue() {
    guard let begin else { return }
    let now = core.readClock()
    let due = plan.pace.due(afterMicroseconds: now.microseconds(since: begin))
    // A connect takes long when half of the machine's ports are taken. Late ones go on in a later step, so that
    // existing connections are served in time.
    let end = now.advanced(milliseconds: ConnectPace.stepMilliseconds)
    while begun < due, core.readClock() < end {
      dial(begun)
      begun += 1
    }
    guard begun < plan.connections else { return }
    _ = core.setTimer(Self.paceTimer, at: end)
  }

  private func dial(_ index: Int) {
    let bot = HoldBot(context, index: index, room: room(ofBot: index))
    commands?.add(bot)
    do throws(NetError) {
      bot.connection = try plan.target.dial(on: core, context: bot)
    } catch {
      bot.refused(error.description)
    }
  }

  private func room(ofBot index: Int) -> (any HoldBotDelegate)? {
    guard index < plan.inRooms else { return nil }
    if let trafficRoom { return trafficRoom }
    if let placeWalkers { return placeWalkers }
    return rooms[index / plan.players]
  }

  func timerFired(_ token: UInt64) {
    switch token {
    case Self.paceTimer: connectDue()
    case CommandSender.timer: commands?.sendDue()
    default:
      if let trafficRoom { return trafficRoom.timerFired() }
      if let placeWalkers { return placeWalkers.timerFired() }
      rooms[Int(token)].timerFired()
    }
  }

  func opened(_ connection: Connection) {
    (connection.context as? HoldBot)?.opened()
  }

  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    guard let bot = connection.context as? HoldBot else { return }
    // A phone acknowledges by itself. Otherwise a server on the same machine pays for it with its late ticks.
    connection.acknowledge()
    bot.noteArrival()
    do throws(DecodingFailure) {
      bot.receive(try plan.target.subprotocol.decodeServerMessage(bytes))
    } catch {
      context.results.errors["UNREADABLE", default: 0] += 1
    }
  }

  func closed(_ connection: Connection) {
    (connection.context as? HoldBot)?.closed(code: connection.closeCode)
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
