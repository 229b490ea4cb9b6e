// A shard's inside: its connections in numbered slots, one read buffer, one timer wheel, and the turn that serves them.
//
// Used on the shard's thread only. A turn is bounded: timers first (ticks must not wait for reads), then what other threads
// have posted, then sockets with one read each until `turnMicroseconds` are over, then everything that is to be sent, then
// what has ended. The next turn goes on behind the last socket served.
import WebSocket

package final class ShardCore {
  package let index: Int
  package let limits: NetLimits
  let quota: ConnectionQuota
  let poller: Poller
  fileprivate let clock: any Clock
  private var attachedService: (any ShardService)?

  /// The time of this turn.
  package private(set) var now: Timestamp
  package internal(set) var counters = ShardCounters()
  /// All shards of the process, this one included.
  package internal(set) var siblings: [Shard] = []

  private var slots: [Connection?] = []
  private var generations: [UInt32] = []
  private var freeSlots: [Int] = []
  var wheel: TimerWheel
  var listener: Listener?
  /// Whether reads wait for a beat.
  package private(set) var heartbeat: Heartbeat
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
  private var unflushed: [Connection] = []
  private var doomed: [Connection] = []
  /// Connections of which something is left that readiness won't tell of: requests, or bytes that TLS has decrypted.
  private var resumable: [Connection] = []
  /// What the newest poll brought: how many events, and the first that has not been dealt with.
  private var eventCount = 0
  private var nextEvent = 0
  /// Nothing is adopted or watched any more.
  private(set) var isStopped = false
  /// Makes masks for frames that go out as a client.
  private var maskGenerator = SystemRandomNumberGenerator()

  init(index: Int, limits: NetLimits, clock: any Clock, quota: ConnectionQuota, poller: Poller) {
    self.index = index
    self.limits = limits
    self.clock = clock
    self.quota = quota
    self.poller = poller
    now = clock.now()
    wheel = TimerWheel(now: now)
    heartbeat = Heartbeat(limits, now: now)
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

  /// How many connections the shard owns.
  package var connectionCount: Int { slots.count - freeSlots.count }

  package func forEachConnection(_ body: (Connection) -> Void) {
    for connection in slots {
      if let connection { body(connection) }
    }
  }
}

// Time.
extension ShardCore {
  /// The time at this very moment; `now` is this turn's.
  package func readClock() -> Timestamp { clock.now() }
}

// Turns.
extension ShardCore {
  /// What the shard's thread does: turn after turn, waiting in between, until nobody has the shard any more.
  func serve(_ executor: ShardExecutor) {
    var letters: [Mailbox.Letter] = []
    var isOpen = true
    while isOpen {
      wait(for: executor.mailbox)
      now = clock.now()
      if !isStopped { fireTimers() }
      if executor.mailbox.hasNews {
        isOpen = executor.mailbox.take(&letters)
        for letter in letters { executor.run(letter) }
        letters.removeAll(keepingCapacity: true)
      }
      if !isStopped { serveSockets() }
    }
    if !isStopped { stop() }
  }

  /// Waits until there is something to do. At a beat sockets don't count: what arrives is read at the next one.
  private func wait(for mailbox: Mailbox) {
    guard !isStopped else { return mailbox.wait(microseconds: nil) }
    guard nextEvent == eventCount else { return }
    var delay: Int64? = isBusy ? 0 : nextDue.map { max(0, clock.waitMicroseconds(until: $0)) }
    if heartbeat.isOn, delay != 0 {
      mailbox.wait(microseconds: delay)
      delay = 0
    }
    // Rounded up, for a timer is never early.
    eventCount = poller.wait(milliseconds: delay.map { Int32(clamping: ($0 + 999) / 1_000) } ?? -1)
    nextEvent = 0
  }

  /// Something is left for which the next turn comes at once.
  private var isBusy: Bool { !resumable.isEmpty || heartbeat.isOn && eventCount == limits.eventsMax }

  private var nextDue: Timestamp? {
    heartbeat.isOn ? min(wheel.nextTurn ?? .distantFuture, heartbeat.next(after: now)) : wheel.nextTurn
  }

  private func serveSockets() {
    counters.turns += 1
    flush()
    resumeSome()
    let first = nextEvent
    while nextEvent < eventCount {
      // Who floods takes longer to serve: ticks come first again, and the next turn goes on behind the last one served,
      // so that everyone has their turn.
      if (nextEvent - first) % 4 == 3, isTurnOver { break }
      serve(poller.readiness(nextEvent))
      nextEvent += 1
    }
    heartbeat.judge(deliveries: counters.deliveries, at: now)
    endTurn()
  }

  /// Goes on with connections of which something is left, for half of the turn: the sockets have the other half.
  private func resumeSome() {
    let waiting = take(&resumable)
    for (index, connection) in waiting.enumerated() {
      if index > 0, clock.now().microseconds(since: now) > limits.turnMicroseconds / 2 {
        resumable = Array(waiting[index...]) + resumable
        return
      }
      connection.resume()
    }
  }

  /// What is left of this turn's work waits for the next one: ticks come first.
  var isTurnOver: Bool { clock.now().microseconds(since: now) > limits.turnMicroseconds }

  private func serve(_ readiness: Poller.Readiness) {
    switch readiness.token {
    case Poller.mailboxToken:
      break
    case Listener.token:
      acceptNewcomers()
    default:
      // Events left from an earlier turn may be of connections that have gone since; their tokens find nobody.
      guard let connection = connection(for: readiness.token) else { return }
      if readiness.isWritable { connection.becameWritable() }
      if readiness.isReadable { connection.becameReadable() }
      if readiness.isHungUp, !connection.isReading { connection.abandon() }
    }
  }

  /// Sends what was queued, buries what has ended.
  private func endTurn() {
    flush()
    // A service that hears of an end may send to others, and what it sends may end them.
    while let connection = doomed.popLast() {
      bury(connection)
      if doomed.isEmpty { flush() }
    }
  }

  private func flush() {
    // Sending can end a connection but queues nothing, so one pass is enough.
    for connection in unflushed { connection.flush() }
    unflushed.removeAll(keepingCapacity: true)
  }

  func flushLater(_ connection: Connection) {
    unflushed.append(connection)
  }

  /// The connection goes on in the next turn, which comes at once.
  func resumeLater(_ connection: Connection) {
    resumable.append(connection)
  }

  private func take(_ list: inout [Connection]) -> [Connection] {
    defer { list = [] }
    return list
  }

  func buryLater(_ connection: Connection) {
    doomed.append(connection)
  }

  private func bury(_ connection: Connection) {
    if connection.isWatched { poller.remove(connection.socket) }
    if let timer = connection.timer { wheel.cancel(timer) }
    vacate(connection)
    connection.socket.close()
    if connection.role == .server { quota.release(connection.isCountedByAddress ? connection.address.ip : nil) }
    counters.connectionsClosed += 1
    if connection.isKnownToService { service.closed(connection) }
  }
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

  private func fireTimers() {
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

  /// The shard's compressor for peers who keep a window of two to the power of `windowBits`.
  package func deflater(windowBits: Int) -> Deflater {
    if let deflater = deflaters[windowBits] { return deflater }
    let deflater = Deflater(windowBits: windowBits)
    deflaters[windowBits] = deflater
    return deflater
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
