// The shared objects of one shard's rooms: its journal and directory, buffers for inputs and ticks, and figures.
//
// Owned by one shard's `Rooms` and used on its queue.
import Game
import Gateway
import MadangProtocol
import Net

final class RoomContext {
  unowned let core: ShardCore
  unowned let gateway: ShardGateway
  let traffic: MessageTraffic
  let journal: ShardJournal
  let directory: Directory
  let openRooms: OpenRooms
  /// The figures of all rooms together.
  var census = RoomCensus()
  var statistics = RoomStatistics()
  /// Called when a room has closed.
  var roomClosed: (RoomCode) -> Void = { _ in }
  /// Called when a room keeps a fix that the rules have refused.
  var fixRefused: () -> Void = {}
  let notify: @Sendable (OperatorNotification) -> Void
  private let metrics: RoomMetrics

  // Reused for every input and every tick.
  var effects = Effects()
  var mergedTick = Tick()
  private var jsonFrames = SharedFrames(.text)
  private var protoFrames = SharedFrames(.binary)

  init(_ gateway: ShardGateway, _ context: ServerContext) {
    core = gateway.core
    self.gateway = gateway
    traffic = gateway.traffic
    journal = gateway.journal
    directory = gateway.directory
    openRooms = context.openRooms
    notify = context.notify
    metrics = context.roomMetrics
  }

  /// This turn's time, for the rules.
  var now: Instant { Instant(core.now) }

  func clearFrames() {
    jsonFrames.clear()
    protoFrames.clear()
  }

  /// Sends this tick's frame and one player's own messages. The frame is made for the first receiver that needs it.
  func sendTick(to session: Session, _ own: UnsafeRawBufferPointer) {
    let subprotocol = session.state.subprotocol
    let connection = session.connection
    if let blocked = session.state.identity?.blocked, effects.tick.hasChats(of: blocked) {
      session.send(tick: effects.tick)
      connection.send(frames: own, UnsafeRawBufferPointer(start: nil, count: 0))
      return recordFrame()
    }
    let sentBytes =
      switch subprotocol {
      case .json:
        jsonFrames.send(to: connection, own, on: core) { subprotocol.append(effects.tick, to: &$0) }
      case .proto:
        protoFrames.send(to: connection, own, on: core) { subprotocol.append(effects.tick, to: &$0) }
      }
    statistics.compressedTicks = jsonFrames.compressions
    guard let sentBytes else { return }
    traffic.note(sent: .tick, bytes: sentBytes)
    recordFrame()
  }

  /// Records the lateness of a room's tick, which was due then and began now.
  func recordTick(due: Instant, at began: Timestamp) {
    let microseconds = began.microseconds(since: Timestamp(due))
    statistics.lateness.record(microseconds: microseconds)
    metrics.tickLateness.record(microseconds: microseconds)
  }

  func recordTickEnd(since began: Timestamp) {
    metrics.tickDuration.record(microseconds: core.readClock().microseconds(since: began))
  }

  func recordFrame() {
    statistics.tickFrames += 1
  }
}
