// A shard's inside: its connections in numbered slots, one timer wheel, and what connections borrow (a read buffer, buffers
// to send from, zlib's streams). ShardTurns.swift has what it does with them.
//
// Used on the shard's thread only.
import WebSocket

package final class ShardCore {
  package let index: Int
  package let limits: NetLimits
  package let budgets: ProcessBudgets
  let poller: Poller
  let clock: any Clock
  private var attachedService: (any ShardService)?

  /// The time of this turn.
  package internal(set) var now: Timestamp
  package internal(set) var counters = ShardCounters()
  /// All shards of the process, this one included.
  package internal(set) var siblings: [Shard] = []

  private var slots: [Connection?] = []
  /// The tokens of those who await writability.
  private var stalled: Set<UInt64> = []
  private var generations: [UInt32] = []
  private var freeSlots: [Int] = []
  var wheel: TimerWheel
  var listener: Listener?
  /// Whether reads are coalesced.
  package internal(set) var readCoalescing: ReadCoalescing
  private var memoryTrim = MemoryTrim()
  /// Lent to send queues, so that an answer allocates nothing.
  private var spareBuffers: [[UInt8]] = []
  /// Where what leaves in one TLS record is laid end to end.
  var recordRoom: [UInt8] = []
  /// No context is taken over from message to message, so one of each kind serves all connections.
  let inflater = Inflater()
  private var deflaters: [Int: Deflater] = [:]
  /// What one connection's bytes are read into and parsed in.
  let readBuffer: UnsafeMutableRawBufferPointer

  /// Connections with bytes that were queued in this turn, and connections that ended in it.
  var unflushed: [Connection] = []
  var doomed: [Connection] = []
  /// Connections of which something is left that readiness won't tell of: requests, or bytes that TLS has decrypted.
  var resumable: [Connection] = []
  /// What the newest poll brought: how many events, and the first that has not been dealt with.
  var eventCount = 0
  var nextEvent = 0
  /// What the mailbox's items are taken into.
  var mailboxItems: [Mailbox.Item] = []
  /// Nothing is adopted or watched any more.
  package private(set) var isStopped = false
  /// Makes masks for frames that go out as a client.
  private var maskGenerator = SystemRandomNumberGenerator()

  init(index: Int, limits: NetLimits, clock: any Clock, budgets: ProcessBudgets, poller: Poller) {
    self.index = index
    self.limits = limits
    self.clock = clock
    self.budgets = budgets
    self.poller = poller
    now = clock.now()
    wheel = TimerWheel(now: now)
    readCoalescing = ReadCoalescing(limits, now: now)
    readBuffer = .allocate(byteCount: limits.readBytesMax, alignment: 16)
  }

  deinit {
    readBuffer.deallocate()
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

  var quota: ConnectionQuota { budgets.connections }

  /// How many connections the shard owns.
  package var connectionCount: Int { slots.count - freeSlots.count }

  package func forEachConnection(_ body: (Connection) -> Void) {
    for connection in slots {
      if let connection { body(connection) }
    }
  }

  /// The connections for which something waits until the kernel takes it; those alone are looked at.
  package func forEachStalledConnection(_ body: (Connection) -> Void) {
    for token in stalled {
      if let connection = connection(for: token) { body(connection) }
    }
  }

  func noteStall(of connection: Connection) {
    if connection.awaitsWritability { stalled.insert(connection.token) } else { stalled.remove(connection.token) }
  }
}

// Time.
extension ShardCore {
  /// The time at this very moment; `now` is this turn's.
  package func readClock() -> Timestamp { clock.now() }
}

// Timers.
extension ShardCore {
  /// Sets a timer of the service's own; `token`, below 2⁶³, is what `ShardService.timerFired` is called with.
  package func setTimer(_ token: UInt64, at time: Timestamp) -> TimerID {
    precondition(token & Self.connectionTimerBit == 0, "the highest bit tells connections' timers")
    return wheel.schedule(token, at: time)
  }

  package func cancelTimer(_ timer: TimerID) {
    wheel.cancel(timer)
  }

  func setTimer(for connection: Connection, at time: Timestamp) -> TimerID {
    wheel.schedule(connection.token | Self.connectionTimerBit, at: time)
  }

  func fireTimers() {
    while let token = wheel.popDue(at: now) {
      if token == Listener.timerToken {
        listener?.resume(in: poller)
        if listener?.isPaused == true { pauseAccepting() }
      } else if token == MemoryTrim.timerToken {
        if memoryTrim.timerFired() { setMemoryTimer() }
      } else if token & Self.connectionTimerBit != 0 {
        connection(for: token & ~Self.connectionTimerBit)?.timerFired()
      } else {
        service.timerFired(token)
      }
    }
  }

  /// A TLS handshake has ended.
  func noteHandshake() {
    if memoryTrim.noteHandshake() { setMemoryTimer() }
  }

  /// Looks again whether newcomers can be taken in.
  func pauseAccepting() {
    _ = wheel.schedule(Listener.timerToken, at: now.advanced(milliseconds: limits.acceptPauseMilliseconds))
  }

  private func setMemoryTimer() {
    _ = wheel.schedule(MemoryTrim.timerToken, at: now.advanced(seconds: MemoryTrim.intervalSeconds))
  }

  private static let connectionTimerBit: UInt64 = 1 << 63
}

// Slots.
extension ShardCore {
  /// Gives a new connection a slot. The token is slot and generation, so that an event or a timer of a connection that is
  /// gone finds nobody, even when its slot is taken again.
  func settle(_ connection: Connection) -> UInt64 {
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      slot = slots.count
      slots.append(nil)
      generations.append(0)
    }
    slots[slot] = connection
    return UInt64(generations[slot]) << 32 | UInt64(slot)
  }

  func vacate(_ connection: Connection) {
    let slot = Int(connection.token & 0xFFFF_FFFF)
    precondition(slots[slot] === connection, "a connection leaves its own slot, once")
    slots[slot] = nil
    stalled.remove(connection.token)
    // 31 bits: the highest bit of a token tells timers apart.
    generations[slot] = (generations[slot] &+ 1) & 0x7FFF_FFFF
    freeSlots.append(slot)
  }

  /// The connection that a token names; nil when it is gone.
  package func connection(for token: UInt64) -> Connection? {
    let slot = Int(token & 0xFFFF_FFFF)
    guard slot < slots.count, generations[slot] == UInt32(token >> 32) else { return nil }
    return slots[slot]
  }
}

// What connections borrow.
extension ShardCore {
  /// The shard's compressor for peers who keep a window of two to the power of `windowBits`.
  package func deflater(windowBits: Int) -> Deflater {
    if let deflater = deflaters[windowBits] { return deflater }
    let deflater = Deflater(windowBits: windowBits)
    deflaters[windowBits] = deflater
    return deflater
  }

  /// An empty buffer for a send queue.
  func takeBuffer() -> [UInt8] { spareBuffers.popLast() ?? [] }

  /// Keeps an empty buffer for the next who needs one, unless it is large or there are many.
  func giveBack(_ buffer: [UInt8]) {
    if (1...16_384).contains(buffer.capacity), spareBuffers.count < 64 { spareBuffers.append(buffer) }
  }

  /// A random mask for a frame that goes out as a client.
  func drawMask() -> UInt32 {
    maskGenerator.next()
  }
}

// The end.
extension ShardCore {
  /// Gives up every connection at once, without a word, and stops for good: what arrives later is closed.
  func stop() {
    guard !isStopped else { return }
    stopListening()
    forEachConnection { $0.abandon() }
    endTurn()
    isStopped = true
    siblings = []
    poller.close()
  }
}
