// A shard's turns: the work of its queue from one wait to the next, its order and its time.
//
// On the shard's queue. Timers go first, for `turnMicroseconds`, then posted work, then sockets with one read each
// until `turnMicroseconds` are over, and at least for as long as the work before took, then everything to be sent, then
// ended connections. Work that one turn has no time for waits for the next one, which begins with the timers that have
// waited longest, and behind the last socket served.
//
// On an overloaded shard some timers are always due: nothing else may wait for the last of them. Under load a timer may
// itself read the arrivals that have waited for it (`ReadGroup`).
// Decisions: 103, 171 (docs/decisions).

extension ShardCore {
  /// Runs turn after turn on the calling thread and waits in between, until nothing has happened for
  /// `idleMicroseconds`. Returns after the first turn if that finds nothing to do.
  func serveWhileBusy(_ executor: ShardExecutor) -> ShardQueue.Rest {
    executor.takeThisThread()
    cpuTime.begin()
    resources.counters.calls += 1
    defer {
      cpuTime.end()
      executor.leaveThread()
    }
    return takeTurns(executor)
  }

  private func takeTurns(_ executor: ShardExecutor) -> ShardQueue.Rest {
    var idleAt: Timestamp?
    while true {
      measuredLoad.waitBegins(at: resources.clock.now())
      wait(for: executor.mailbox, until: idleAt ?? now)
      let hasItems = executor.mailbox.hasItems
      let hadWork = hasWork
      let due = resources.wheel.nextTurn
      let begin = resources.clock.now()
      if measuredLoad.turnBegins(at: begin) { publishedLoad.publish(load, at: begin) }
      guard turn(executor, at: begin) else {
        if !isStopped { stop() }
        return .ended
      }
      if hasItems || hadWork || due.map({ $0 <= now }) ?? false {
        idleAt = now.advanced(microseconds: limits.idleMicroseconds)
      }
      if isStopped {
        if !executor.mailbox.hasItems { return rest(nil) }
      } else if !hasWork, idleAt.map({ $0 <= now }) ?? true {
        return rest(nextDue.map { max(0, resources.clock.waitMicroseconds(until: $0)) })
      }
    }
  }

  /// Returns to Dispatch, which is a wait too.
  private func rest(_ delayMicroseconds: Int64?) -> ShardQueue.Rest {
    measuredLoad.waitBegins(at: resources.clock.now())
    return .idle(delayMicroseconds)
  }

  /// Runs one turn of a driven shard, without waiting; true when there was something to do.
  func turnAtOnce(_ executor: ShardExecutor) -> Bool {
    let hasItems = executor.mailbox.hasItems
    guard !isStopped else {
      _ = turn(executor, at: resources.clock.now())
      return hasItems
    }
    if nextEvent == eventCount { poll(milliseconds: 0) }
    let hadWork = hasItems || hasWork
    let due = resources.wheel.nextTurn
    _ = turn(executor, at: resources.clock.now())
    return hadWork || due.map { $0 <= now } ?? false
  }

  /// False when nobody holds the shard any more.
  private func turn(_ executor: ShardExecutor, at begin: Timestamp) -> Bool {
    var isOpen = true
    resources.time.begin(at: begin)
    if !isStopped { fireTimers() }
    if executor.mailbox.hasItems {
      isOpen = executor.mailbox.take(&mailboxItems)
      for item in mailboxItems { executor.run(item) }
      mailboxItems.removeAll(keepingCapacity: true)
    }
    if !isStopped { serveSockets() }
    return isOpen
  }
}

// Waiting.
extension ShardCore {
  /// Waits until there is something to do, at most until `end`. While reads are coalesced, sockets don't count: their
  /// bytes are read at the end of the interval.
  private func wait(for mailbox: Mailbox, until end: Timestamp) {
    guard !isStopped, nextEvent == eventCount else { return }
    let due = min(end, nextDue ?? .distantFuture)
    var delay = isBusy ? 0 : max(0, resources.clock.waitMicroseconds(until: due))
    if readCoalescing.isOn, delay > 0 {
      mailbox.wait(microseconds: delay)
      delay = 0
    }
    // Rounded up, for a timer is never early.
    poll(milliseconds: Int32(clamping: (delay + 999) / 1_000))
  }

  private func poll(milliseconds: Int32) {
    eventCount = resources.poller.wait(milliseconds: milliseconds)
    nextEvent = 0
  }

  /// Whether events wait to be handled, or remaining work makes the next turn come at once.
  private var hasWork: Bool { isBusy || nextEvent < eventCount }

  /// Whether remaining work makes the next turn come at once.
  private var isBusy: Bool {
    !resources.resumable.isEmpty || readCoalescing.isOn && eventCount == limits.eventsMax
  }

  private var nextDue: Timestamp? {
    let nextTurn = resources.wheel.nextTurn
    return readCoalescing.isOn ? min(nextTurn ?? .distantFuture, readCoalescing.nextRead(after: now)) : nextTurn
  }
}

// Timers.
extension ShardCore {
  /// Fires timers that are due, slot by slot of the wheel, while they have time.
  private func fireTimers() {
    // Its references are counted once, and not for each timer.
    let service = service
    var firedCount = 0
    while let token = resources.wheel.popDue(at: now) {
      if token == Listener.timerToken {
        listener?.resume(in: resources.poller)
        if listener?.isPaused == true { pauseAccepting() }
      } else if token == MemoryTrim.timerToken {
        resources.memoryTimerFired()
      } else if token & ShardResources.connectionTimerBit != 0 {
        connection(for: token & ~ShardResources.connectionTimerBit)?.timerFired()
      } else {
        if let next = resources.wheel.nextToken { service.timerComes(next) }
        service.timerFired(token)
      }
      firedCount += 1
      if firedCount % 4 == 0, resources.time.isOverForTimers { return }
    }
  }

  /// Looks again after a pause whether newcomers can be accepted.
  func pauseAccepting() {
    let time = now.advanced(milliseconds: limits.acceptPauseMilliseconds)
    _ = resources.wheel.schedule(Listener.timerToken, at: time)
  }
}

// Sockets.
extension ShardCore {
  private func serveSockets() {
    resources.counters.turns += 1
    flush()
    resumeSome(until: resources.time.socketsBegin())
    let first = nextEvent
    let defersReads = readCoalescing.isOn
    while nextEvent < eventCount {
      // Flooding peers take longer to serve. Ticks go first again, and the next turn begins behind the last socket
      // served, so that each has its turn.
      if (nextEvent - first) % 4 == 3, resources.isTurnOver { break }
      if nextEvent + 2 < eventCount {
        let token = resources.poller.readiness(nextEvent + 2).token
        if defersReads { giveHints(ofEvent: token) } else { giveHints(of: token) }
      }
      serve(resources.poller.readiness(nextEvent), defersReads: defersReads)
      nextEvent += 1
    }
    coalescing.judge(deliveries: resources.counters.deliveries, at: now)
    endTurn()
  }

  /// Goes on with connections that have work left, for half of the time: the sockets have the other half.
  private func resumeSome(until middle: Timestamp) {
    guard !resources.resumable.isEmpty else { return }
    let waiting = resources.resumable.takeAll()
    for (index, token) in waiting.enumerated() {
      if index > 0, resources.clock.now() > middle {
        return resources.resumable.putBack(waiting[index...])
      }
      connection(for: token)?.resume()
      readWaiting(token)
    }
  }

  private func serve(_ readiness: Poller.Readiness, defersReads: Bool) {
    switch readiness.token {
    case Poller.mailboxToken:
      break
    case Listener.token:
      acceptNewcomers()
    default:
      if defersReads, readiness.isOnlyReadable, deferRead(of: readiness.token) { return }
      // Events left from an earlier turn may belong to connections that have gone; their tokens find nobody.
      heldConnection(for: readiness.token)?._withUnsafeGuaranteedRef {
        serve($0, readiness, defersReads: defersReads)
      }
    }
  }

  private func serve(_ connection: Connection, _ readiness: Poller.Readiness, defersReads: Bool) {
    if readiness.isWritable { connection.becameWritable() }
    if readiness.isReadable {
      if defersReads { read(connection) } else { connection.becameReadable() }
    }
    if readiness.isHungUp, !connection.isReading { connection.abandon() }
    if readiness.hasPeerEnded { connection.peerEndedWhileSuspended() }
  }
}

// The end of a turn.
extension ShardCore {
  /// Sends queued bytes and reaps ended connections.
  func endTurn() {
    service.turnEnding()
    flush()
    // A service that is notified of an end may send to others, and that may end them.
    while let token = resources.ended.popLast() {
      if let connection = connection(for: token) { reap(connection) }
      if resources.ended.isEmpty {
        service.turnEnding()
        flush()
      }
    }
    if !leavers.isEmpty { leavers = [] }
  }

  private func flush() {
    // Sending can end a connection but queues nothing, so one pass is enough.
    resources.unflushed.drain { connection(for: $0)?.flush() }
  }

  private func reap(_ connection: Connection) {
    connection.leaveShard()
    vacate(connection.token)
    connection.endStall()
    connection.socket.close()
    if connection.peer.role == .server { quota.release(connection.peer.countedAddress) }
    resources.counters.connectionsClosed += 1
    resources.counters.bytesDropped += connection.unsentBytes
    if connection.lifecycle.state.ending.isKnownToService { service.closed(connection) }
  }
}
