// A shard's inside: its connections in numbered slots, its service, its siblings and its listener. ShardTurns.swift has
// its work, ShardResources.swift the resources that connections borrow.
//
// Used on the shard's queue only.
// Decisions: 114 (docs/decisions).
import WebSocket

package final class ShardCore {
  let resources: ShardResources
  private var attachedService: (any ShardService)?
  /// All shards of the process, this one included.
  package internal(set) var siblings: [Shard] = []

  /// A numbered place for a connection.
  private struct Slot {
    // First what each event looks at.
    var connection: Connection?
    /// The group with which the service reads it; nil where each arrival is read at once.
    var readGroup: ReadGroup?
    /// The number of earlier connections; it distinguishes their tokens.
    var generation: UInt32 = 0
    /// Whether the next arrival may wait for the group.
    var mayWait = false
    /// Whether an arrival waits for the group.
    var isWaiting = false
    /// The pace of the arrivals that may.
    var pace = ArrivalPace()
    /// The group's memory: to look at the group itself would wait for it.
    var readHint = MemoryHint()
    /// The memory that a message of the connection looks at.
    var hints = ConnectionHints()
    /// The group that the service has put it into.
    var groupHints = GroupHints()
  }

  /// Side by side in the shard's own memory, since each event looks at one.
  private var slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: 0)
  private var freeSlots: [Int] = []
  /// The connections that have left their slots in this turn. What has made one leave goes on with it.
  var leavers: [Connection] = []
  var listener: Listener?
  var coalescing: ReadCoalescing
  /// The number of events of the newest poll, and the first that has not been handled.
  var eventCount = 0
  var nextEvent = 0
  /// The buffer into which the mailbox's items are taken.
  var mailboxItems: [Mailbox.Item] = []
  var cpuTime = ShardCPUTime()
  var measuredLoad: ShardLoad
  /// The measured load, for other threads and for services.
  package let publishedLoad: PublishedLoad
  private var hasStopped = false

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
    coalescing = ReadCoalescing(limits, now: resources.now)
    measuredLoad = ShardLoad(now: resources.now)
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
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
    hasStopped = true
    siblings = []
    resources.poller.close()
  }
}

// The service's view of the shard. A property that other modules see is computed where turns look at it: a stored one
// would be a checked access each time.
extension ShardCore {
  /// Whether the shard has stopped: it adopts and watches nothing any more.
  package var isStopped: Bool { hasStopped }
  package var load: ShardLoad { measuredLoad }
  package var readCoalescing: ReadCoalescing { coalescing }

  package var index: Int { resources.index }
  package var limits: NetLimits { resources.limits }
  package func compressFromBytes(_ kind: MessageKind) -> Int { resources.compressFromBytes(kind) }
  package var budgets: ProcessBudgets { resources.budgets }
  var quota: ConnectionQuota { resources.quota }

  /// The time of this turn.
  package var now: Timestamp { resources.now }
  package var time: TurnTime { resources.time }
  /// The shard's timers, for a service that sets thousands a second; `setTimer` and `cancelTimer` are for all others.
  package var timers: TimerWheel { resources.wheel }

  /// The CPU time that the shard has used, on all threads that have run it; microseconds. Asks the kernel.
  package var cpuMicroseconds: Int64 { cpuTime.microseconds }

  /// Takes a load as measured and publishes it; for tests.
  package func take(_ load: ShardLoad) {
    measuredLoad = load
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
    // The body may add slots, which moves them.
    var number = 0
    while number < slots.count {
      if let connection = slots[number].connection { body(connection) }
      number += 1
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
    slot(for: token)?.pointee.connection
  }

  /// The same without a count of its references: the shard holds a connection until the end of the turn.
  func heldConnection(for token: UInt64) -> Unmanaged<Connection>? {
    slot(for: token)?.pointee.connection.map(Unmanaged.passUnretained)
  }

  /// The slot of the connection that a token names; nil when that is gone.
  private func slot(for token: UInt64) -> UnsafeMutablePointer<Slot>? {
    let number = Int(token & 0xFFFF_FFFF)
    guard number < slots.count, let slot = slots.baseAddress?.advanced(by: number) else { return nil }
    return slot.pointee.generation == UInt32(token >> 32) ? slot : nil
  }

  /// Makes a peer's connection, in a slot. The token is slot and generation: an event or a timer of a gone connection
  /// finds nobody, even when its slot is taken again.
  func register(_ peer: ConnectedPeer, _ state: ConnectionState) -> Connection {
    if freeSlots.isEmpty { addSlots() }
    let number = freeSlots.removeLast()
    let token = UInt64(slots[number].generation) << 32 | UInt64(number)
    let connection = Connection(peer, state, token: token, of: self, resources, service)
    slots[number].connection = connection
    slots[number].hints = ConnectionHints(receiving: connection)
    return connection
  }

  /// Adds free slots, many at once.
  private func addSlots() {
    let count = min(max(16, slots.count), 1_024)
    let more = UnsafeMutableBufferPointer<Slot>.allocate(capacity: slots.count + count)
    let used = more.moveInitialize(fromContentsOf: slots)
    more[used...].initialize(repeating: Slot())
    freeSlots = Array((used..<more.count).reversed())
    slots.deallocate()
    slots = more
  }
}

// Hints and groups.
extension ShardCore {
  /// Asks for the memory of a connection that is served soon, or of its group where its arrival waits for that.
  func giveHints(ofEvent token: UInt64) {
    guard let slot = slot(for: token), slot.pointee.mayWait else { return giveHints(of: token) }
    slot.pointee.readHint.give()
  }

  /// Asks for the memory of a connection that is read soon.
  func giveHints(of token: UInt64) {
    guard let slot = slot(for: token) else { return }
    slot.pointee.hints.give()
    slot.pointee.groupHints.give()
  }

  /// Sets the hints of a connection, and of the group that the service has put it into.
  ///
  /// - Parameters:
  ///   - hints: The memory that its messages look at.
  ///   - connection: One of this shard.
  ///   - group: The memory that the messages of all in its group look at.
  ///   - readGroup: The group with which it is read under load; nil where each arrival is read at once.
  package func set(
    _ hints: ConnectionHints,
    of connection: Connection,
    group: GroupHints,
    readWith readGroup: ReadGroup?
  ) {
    guard let slot = slot(for: connection.token), slot.pointee.connection === connection else { return }
    slot.pointee.hints = hints
    slot.pointee.groupHints = group
    // Of bytes that TLS has decrypted the kernel reports nothing.
    slot.pointee.readGroup = connection.peer.transport.tls == nil ? readGroup : nil
    slot.pointee.readHint = slot.pointee.readGroup?.hint ?? MemoryHint()
    if slot.pointee.readGroup == nil { slot.pointee.mayWait = false }
  }

  /// Defers the read of an arrival until the connection's group is read; false where it is to be read at once.
  func deferRead(of token: UInt64) -> Bool {
    guard let slot = slot(for: token), slot.pointee.mayWait else { return false }
    // The slot holds the group, so its references are not counted.
    return slot.pointee.readGroup.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef {
      deferRead(of: token, in: slot, with: $0)
    } ?? false
  }

  private func deferRead(of token: UInt64, in slot: UnsafeMutablePointer<Slot>, with group: ReadGroup) -> Bool {
    guard group.isReadSoon(at: now) else { return false }
    // An arrival out of time is probably something else. A shard that has more to do than it can do waits for all.
    let isInTime = !slot.pointee.isWaiting && slot.pointee.pace.expects(at: now)
    guard isInTime || load.isOverloaded else { return false }
    slot.pointee.pace.note(at: now)
    resources.counters.arrivalsDeferred += 1
    if !slot.pointee.isWaiting { group.append(token) }
    slot.pointee.isWaiting = true
    return true
  }

  /// Reads a connection once.
  func read(_ connection: Connection) {
    guard let slot = slot(for: connection.token) else { return }
    let (mightWait, hasWaited) = (slot.pointee.mayWait, slot.pointee.isWaiting)
    slot.pointee.isWaiting = false
    connection.becameReadable()
    guard mightWait || connection.mayWait else { return }
    // A read can move the slots, or have the connection leave its own.
    guard let slot = self.slot(for: connection.token) else { return }
    slot.pointee.mayWait = connection.mayWait && slot.pointee.readGroup != nil
    if slot.pointee.mayWait, !hasWaited { slot.pointee.pace.note(at: now) }
  }

  /// Reads a connection if an arrival still waits for its group.
  func readWaiting(_ token: UInt64) {
    guard let slot = slot(for: token), slot.pointee.isWaiting else { return }
    slot.pointee.connection.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef { read($0) }
  }

  /// Reads the connections of a group whose arrivals have waited, in the order of these.
  ///
  /// - Returns: whether there were any.
  package func read(_ group: ReadGroup) -> Bool {
    guard !group.isEmpty else { return false }
    resources.time.groupBegins()
    while let token = group.popFirst() {
      if let next = group.first { giveHints(of: next) }
      readWaiting(token)
    }
    return true
  }

  /// Asks for the memory of the connection that is read first with a group.
  package func giveReadHints(of group: ReadGroup) {
    if let first = group.first { giveHints(of: first) }
  }

  /// The service does not read the group at its moment: arrivals that have waited are read with the next sockets.
  package func giveUpRead(of group: ReadGroup) {
    group.setReadDue(.distantFuture)
    while let token = group.popFirst() { resources.resumable.append(token) }
  }
}

extension ShardCore: ConnectionOwner {
  func vacate(_ token: UInt64) {
    guard let connection = connection(for: token) else { preconditionFailure("a connection leaves its slot once") }
    leavers.append(connection)
    let number = Int(token & 0xFFFF_FFFF)
    // 31 bits: the highest bit of a token tells timers apart.
    slots[number] = Slot(generation: (slots[number].generation &+ 1) & 0x7FFF_FFFF)
    resources.stalled.remove(token)
    freeSlots.append(number)
  }
}
