// The shared objects of one shard's rooms: its journal and directory, buffers for inputs and ticks, and figures.
//
// Owned by one shard's `Rooms` and used on its queue.
import Game
import Gateway
import Locks
import MadangProtocol
import Net

final class RoomContext {
  // A tick counts no references to these, as it would to an unowned shard.
  private let time: TurnTime
  private let timers: TimerWheel
  /// The shard's own load.
  private let load: PublishedLoad
  unowned let core: ShardCore
  unowned let gateway: ShardGateway
  let traffic: MessageTraffic
  let journal: ShardJournal
  let directory: Directory
  let openRooms: OpenRooms
  let webhooks: Webhooks
  /// The figures of all rooms together.
  var census = RoomCensus()
  let statistics = Exclusive(RoomStatistics())
  /// Called when a room has closed.
  var roomClosed: (RoomCode) -> Void = { _ in }
  /// The time at which fixes were refused last, since the store failed.
  var fixesRefusedAt: Instant?
  /// Called with a room where players ask for the host's consent, when its host may be another, or connected anew.
  var hostMayHaveChanged: (RoomCode) -> Void = { _ in }
  /// Called when a game begins.
  var gameBegan: () -> Void = {}
  /// Called when a room keeps a fix that the rules have refused.
  var fixRefused: () -> Void = {}
  /// Called with what a room believes of a player: the newest accepted fix, if there is one, and whether the player is
  /// suspect.
  var believes: (PlayerID, PositionSample?, _ isSuspect: Bool) -> Void = { _, _, _ in }
  let notify: @Sendable (OperatorNotification) -> Void
  private let metrics: RoomMetrics

  // Reused for every input and every tick.
  let effects = Exclusive(Effects())
  var parts = TickParts()
  private let frames = Exclusive(TickFrames())

  init(_ gateway: ShardGateway, _ context: ServerContext, _ webhooks: Webhooks) {
    core = gateway.core
    time = core.time
    timers = core.timers
    load = core.publishedLoad
    self.gateway = gateway
    traffic = gateway.traffic
    journal = gateway.journal
    directory = gateway.directory
    openRooms = context.openRooms
    self.webhooks = webhooks
    notify = context.notify
    metrics = context.roomMetrics
  }

  /// See `ShardJournal.isFull`.
  var isJournalFull: Bool { journal.isFull }

  /// Whether there is more to do than the shard can do.
  var isOverloaded: Bool { load.isOverloaded }

  /// Sets the timer of a room's tick.
  func setTimer(_ room: Int, at time: Instant) -> TimerID { timers.schedule(UInt64(room), at: Timestamp(time)) }

  /// Cancels the timer of a room's tick.
  func cancel(_ timer: TimerID) { timers.cancel(timer) }

  /// This turn's time, for the rules.
  var now: Instant { Instant(time.now) }

  /// The current time; `now` is the time of the turn.
  func readClock() -> Timestamp { time.readClock() }

  /// The time behind the newest refusal in which fixes that come late are withheld by nobody.
  private static let catchUp = Duration.seconds(120)

  /// The time since which an attending connection answers: `begin`; nil while phones bring what the failing store kept
  /// from being taken.
  func answers(since begin: Instant) -> Instant? {
    if let fixesRefusedAt, now < fixesRefusedAt + Self.catchUp { return nil }
    return begin
  }

  /// Calls `body` with the newest tick and with frames for it, and counts what it has sent. No room takes an input
  /// meanwhile.
  func broadcast(_ body: (inout Tick, inout TickFrames) -> Void) {
    body(&effects.value.tick, &frames.value)
    statistics.value.noteTick(frames: frames.value.count, compressions: frames.value.compressions)
    traffic.note(sent: .tick, count: frames.value.sharedCount, bytes: frames.value.sharedBytes)
  }

  /// Records the lateness of a room's tick, which was due then and began now.
  func recordTick(due: Instant, at began: Timestamp) {
    let microseconds = began.microseconds(since: Timestamp(due))
    statistics.value.lateness.record(microseconds: microseconds)
    metrics.tickLateness.record(microseconds: microseconds)
  }

  func recordTickEnd(since began: Timestamp) {
    metrics.tickDuration.record(microseconds: readClock().microseconds(since: began))
  }
}
