// A shard's inside: its connections in numbered slots, its service, its siblings and its listener. ShardTurns.swift has
// its work, ShardResources.swift the resources that connections borrow.
//
// Used on the shard's queue only.
import WebSocket

package final class ShardCore {
  let resources: ShardResources
  private var attachedService: (any ShardService)?
  /// All shards of the process, this one included.
  package internal(set) var siblings: [Shard] = []

  private var slots: [Connection?] = []
  private var generations: [UInt32] = []
  private var freeSlots: [Int] = []
  var listener: Listener?
  package internal(set) var readCoalescing: ReadCoalescing
  /// The number of events of the newest poll, and the first that has not been handled.
  var eventCount = 0
  var nextEvent = 0
  /// The buffer into which the mailbox's items are taken.
  var mailboxItems: [Mailbox.Item] = []
  var cpuTime = ShardCPUTime()
  package internal(set) var load: ShardLoad
  let publishedLoad: PublishedLoad
  /// Used while the shard is overloaded.
  var passes: ReadPasses
  /// Whether the shard has stopped: it adopts and watches nothing any more.
  package private(set) var isStopped = false

  init(
    index: Int,
    limits: NetLimits,
    clock: any Clock,
    budgets: ProcessBudgets,
    poller: Poller,
    publishedLoad: PublishedLoad
  ) {
    self.publishedLoad = publishedLoad
    resources = ShardResources(index: index, limits: limits, clock: clock, budgets: budgets, poller: poller)
    readCoalescing = ReadCoalescing(limits, now: resources.now)
    load = ShardLoad(now: resources.now)
    passes = ReadPasses(now: resources.now)
  }

  func attach(_ service: any ShardService) {
    precondition(attachedService == nil, "a shard has one service")
    attachedService = service
  }

  package var service: any ShardService {
    guard let attachedService else { preconditionFailure("a service is attached before anything runs") }
    return attachedService
  }

  /// The service, whose type the caller knows.
  package func service<Service: ShardService>(as type: Service.Type) -> Service {
    guard let service = service as? Service else { preconditionFailure("the shard's service is no \(type)") }
    return service
  }

  /// Gives up every connection at once, without a close frame, and stops for good. Later arrivals are closed.
  func stop() {
    guard !isStopped else { return }
    stopListening()
    forEachConnection { $0.abandon() }
    endTurn()
    isStopped = true
    siblings = []
    resources.poller.close()
  }
}

// The service's view of the resources.
extension ShardCore {
  package var index: Int { resources.index }
  package var limits: NetLimits { resources.limits }
  package func compressFromBytes(_ kind: MessageKind) -> Int { resources.compressFromBytes(kind) }
  package var budgets: ProcessBudgets { resources.budgets }
  var quota: ConnectionQuota { resources.quota }

  /// The time of this turn.
  package var now: Timestamp { resources.now }
  package var time: TurnTime { resources.time }

  /// The CPU time that the shard has used, on all threads that have run it; microseconds. Asks the kernel.
  package var cpuMicroseconds: Int64 { cpuTime.microseconds }

  /// Takes a load as measured and publishes it; for tests.
  package func take(_ load: ShardLoad) {
    self.load = load
    publishedLoad.publish(load, at: now)
  }

  /// The current time; `now` is the time of the turn.
  package func readClock() -> Timestamp { resources.clock.now() }

  package internal(set) var counters: ShardCounters {
    get { resources.counters }
    set { resources.counters = newValue }
  }

  /// The shard's compressor for peers who keep a window of two to the power of `windowBits`.
  package func deflater(windowBits: Int) -> Deflater { resources.deflater(windowBits: windowBits) }

  /// Sets a timer of the service's own; `token`, below 2⁶³, is what `ShardService.timerFired` is called with.
  package func setTimer(_ token: UInt64, at time: Timestamp) -> TimerID {
    precondition(token & ShardResources.connectionTimerBit == 0, "the highest bit marks connections' timers")
    return resources.wheel.schedule(token, at: time)
  }

  package func cancelTimer(_ timer: TimerID) {
    resources.wheel.cancel(timer)
  }
}

// Connections.
extension ShardCore {
  /// The number of connections that the shard owns.
  package var connectionCount: Int { slots.count - freeSlots.count }

  package func forEachConnection(_ body: (Connection) -> Void) {
    for connection in slots {
      if let connection { body(connection) }
    }
  }

  /// Calls `body` for the connections whose bytes wait for the kernel; looks at no others.
  package func forEachStalledConnection(_ body: (Connection) -> Void) {
    for token in resources.stalled {
      if let connection = connection(for: token) { body(connection) }
    }
  }

  /// The connection that a token names; nil when it is gone.
  package func connection(for token: UInt64) -> Connection? {
    let slot = Int(token & 0xFFFF_FFFF)
    guard slot < slots.count, generations[slot] == UInt32(token >> 32) else { return nil }
    return slots[slot]
  }

  /// Makes a peer's connection, in a slot. The token is slot and generation: an event or a timer of a gone connection
  /// finds nobody, even when its slot is taken again.
  func register(_ peer: ConnectedPeer, _ state: ConnectionState) -> Connection {
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      slot = slots.count
      slots.append(nil)
      generations.append(0)
    }
    let token = UInt64(generations[slot]) << 32 | UInt64(slot)
    let connection = Connection(peer, state, token: token, of: self, resources, service)
    slots[slot] = connection
    return connection
  }
}

extension ShardCore: ConnectionOwner {
  func vacate(_ token: UInt64) {
    let slot = Int(token & 0xFFFF_FFFF)
    precondition(connection(for: token) != nil, "a connection leaves its slot once")
    slots[slot] = nil
    resources.stalled.remove(token)
    // 31 bits: the highest bit of a token tells timers apart.
    generations[slot] = (generations[slot] &+ 1) & 0x7FFF_FFFF
    freeSlots.append(slot)
  }
}
