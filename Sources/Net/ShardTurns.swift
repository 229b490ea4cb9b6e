// A shard's turns: what its thread does from one wait to the next, in which order, and for how long.
//
// On the shard's thread. Timers first (ticks must not wait for reads), then what other threads have posted, then sockets
// with one read each until `turnMicroseconds` are over, then everything that is to be sent, then what has ended. What one
// turn has no time for waits for the next one, which goes on behind the last socket served.

extension ShardCore {
  /// What the shard's thread does: turn after turn, waiting in between, until nobody has the shard any more.
  func serve(_ executor: ShardExecutor) {
    var isOpen = true
    while isOpen {
      wait(for: executor.mailbox)
      isOpen = turn(executor)
    }
    if !isStopped { stop() }
  }

  /// One turn that waits for nothing, of a shard that is driven; true when something was there to do.
  func turnAtOnce(_ executor: ShardExecutor) -> Bool {
    let hasNews = executor.mailbox.hasNews
    guard !isStopped else {
      _ = turn(executor)
      return hasNews
    }
    if nextEvent == eventCount { poll(milliseconds: 0) }
    let hasWork = hasNews || isBusy || nextEvent < eventCount
    let due = wheel.nextTurn
    _ = turn(executor)
    return hasWork || due.map { $0 <= now } ?? false
  }

  /// False when nobody has the shard any more.
  private func turn(_ executor: ShardExecutor) -> Bool {
    var isOpen = true
    now = clock.now()
    if !isStopped { fireTimers() }
    if executor.mailbox.hasNews {
      isOpen = executor.mailbox.take(&mailboxItems)
      for item in mailboxItems { executor.run(item) }
      mailboxItems.removeAll(keepingCapacity: true)
    }
    if !isStopped { serveSockets() }
    return isOpen
  }

  /// Waits until there is something to do. While reads are coalesced sockets don't count: what arrives is read at the end of the
  /// interval.
  private func wait(for mailbox: Mailbox) {
    guard !isStopped else { return mailbox.wait(microseconds: nil) }
    guard nextEvent == eventCount else { return }
    var delay: Int64? = isBusy ? 0 : nextDue.map { max(0, clock.waitMicroseconds(until: $0)) }
    if readCoalescing.isOn, delay != 0 {
      mailbox.wait(microseconds: delay)
      delay = 0
    }
    // Rounded up, for a timer is never early.
    poll(milliseconds: delay.map { Int32(clamping: ($0 + 999) / 1_000) } ?? -1)
  }

  private func poll(milliseconds: Int32) {
    eventCount = poller.wait(milliseconds: milliseconds)
    nextEvent = 0
  }

  /// Something is left for which the next turn comes at once.
  private var isBusy: Bool { !resumable.isEmpty || readCoalescing.isOn && eventCount == limits.eventsMax }

  private var nextDue: Timestamp? {
    readCoalescing.isOn ? min(wheel.nextTurn ?? .distantFuture, readCoalescing.nextRead(after: now)) : wheel.nextTurn
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
    readCoalescing.judge(deliveries: counters.deliveries, at: now)
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
      if readiness.hasPeerEnded { connection.peerEndedWhileSuspended() }
    }
  }

  /// Sends what was queued, reaps what has ended.
  func endTurn() {
    service.turnEnding()
    flush()
    // A service that hears of an end may send to others, and what it sends may end them.
    while let connection = doomed.popLast() {
      reap(connection)
      if doomed.isEmpty {
        service.turnEnding()
        flush()
      }
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

  func reapLater(_ connection: Connection) {
    doomed.append(connection)
  }

  private func reap(_ connection: Connection) {
    if connection.isWatched { poller.remove(connection.socket) }
    if let timer = connection.timer { wheel.cancel(timer) }
    vacate(connection)
    connection.endStall()
    connection.endHandshake()
    connection.socket.close()
    if connection.role == .server { quota.release(connection.isCountedByAddress ? connection.address.ip : nil) }
    counters.connectionsClosed += 1
    counters.bytesDropped += connection.unsentBytes
    if connection.isKnownToService { service.closed(connection) }
  }
}
