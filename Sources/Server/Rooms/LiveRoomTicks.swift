// A room's messages to its players: ticks on time, each distinct message encoded and framed once.
//
// Part of `LiveRoom`, on its shard. A tick is one system call for each player: the room's shared frame, then their own.
// It carries only committed events; an event leaves with the first tick after its commit.
// Decisions: 029, 171 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net

extension LiveRoom {
  /// Sets the timer for the next tick with work to do.
  func arm() {
    guard !isClosed else { return }
    let context = context
    // The next boundary is at most an interval away: none lies before it.
    let now = context.now
    if let tickDue, tickDue.milliseconds <= now.milliseconds + tickIntervalMs { return }
    let isAwaited = hasNotifications || awaitingCount > 0 || expectsMoves
    guard let wanted = played.nextTick(after: now, through: committedEvent, isAwaited: isAwaited) else { return }
    if let tickDue, tickDue <= wanted { return }
    if let timer { context.cancel(timer) }
    tickDue = wanted
    timer = context.setTimer(number, at: wanted)
    readGroup.setReadDue(Timestamp(wanted))
  }

  /// Cancels the due tick: a game restarts the room's clock, and so its tick boundaries.
  func disarm() {
    if let timer { context.cancel(timer) }
    timer = nil
    tickDue = nil
    context.core.giveUpRead(of: readGroup)
  }

  /// The timer has fired: reads the moves that have waited. Returns whether the tick is still due: a message may have
  /// closed the room, or begun a game with a clock of its own.
  func readMoves() -> Bool {
    timer = nil
    let due = tickDue
    expectsMoves = context.core.read(readGroup)
    return !expectsMoves || !isClosed && !hasMoved && tickDue == due
  }

  /// Ticks, after `readMoves`.
  func tick() {
    hints.give()
    let context = context
    let began = context.readClock()
    defer { context.recordTickEnd(since: began) }
    if let tickDue { context.recordTick(due: tickDue, at: began) }
    tickDue = nil
    readGroup.setReadDue(.distantFuture)
    let broadcastBefore = played.broadcastNumber
    _ = apply(.tick(through: committedEvent))
    guard !isClosed else { return }
    context.broadcast { tick, frames in
      let sending = played.sending(through: committedEvent)
      let eventBefore = tick.events.first.map { $0.number - 1 } ?? sending.carriedEvent
      hasNotifications = hasNotifications && !sending.isAllowed
      let seen = TickMark(broadcastNumber: broadcastBefore, eventNumber: eventBefore)
      broadcast(&tick, after: seen, isAllowed: sending.isAllowed, &frames)
    }
    arm()
  }

  private func broadcast(_ tick: inout Tick, after seen: TickMark, isAllowed: Bool, _ frames: inout TickFrames) {
    frames.begin(tick)
    var parting = TickParting()
    let share = TickShare(hasTick: !tick.isEmpty, isAllowed: isAllowed, seen: seen)
    attendees.forEachHeld { $0.take(&tick, share, of: self, &frames, &parting) }
    if parting.hasBegun { sendDeliveries(&tick, &frames) }
  }

  /// Sends a tick, or a part of one, and the messages for this player alone. The frame is made for the first receiver
  /// that needs it; a player who has blocked an author of its chats gets a tick of their own.
  func send(_ tick: borrowing Tick, to attendee: Attendee, _ frames: inout TickFrames) {
    let session = attendee.session
    if frames.isWithheld(tick, from: session) {
      session.send(tick: copy tick, of: id)
      attendee.sendNotifications()
      return frames.noteOwn()
    }
    frames.fill(tick, for: session.subprotocol, of: id)
    if attendee.hasNotifications {
      attendee.takeNotifications { frames.send(to: session, $0) }
    } else {
      frames.send(to: session, UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}

/// The same for all attendees of a tick.
private struct TickShare {
  let hasTick: Bool
  /// Whether it may be sent: see `Room.isSendable`.
  let isAllowed: Bool
  /// The mark of the members who keep up.
  let seen: TickMark
}

extension Attendee {
  /// Gets a tick of the room, or has the room decide which part of it. The tick is not changed: a closure can only pass
  /// it on without a copy as `inout`.
  fileprivate func take(
    _ tick: inout Tick,
    _ share: TickShare,
    of room: LiveRoom,
    _ frames: inout TickFrames,
    _ parting: inout TickParting
  ) {
    let isBehind = connection.isBehind
    if isPaced || lag != nil || isBehind {
      if share.hasTick, isBehind { session.traffic.note(conflated: .tick) }
      room.plan(self, tick, after: share.seen, &parting)
    } else if share.isAllowed, share.hasTick {
      room.send(tick, to: self, &frames)
    } else if share.isAllowed, hasNotifications {
      sendNotifications()
    }
  }
}

extension ContiguousArray {
  /// Calls `body` with each object in turn. The array holds all of them meanwhile, so no object's own count of
  /// references is changed: that would wait for the object's memory.
  fileprivate func forEachHeld<Object: AnyObject>(_ body: (Object) -> Void) where Element == Object? {
    withExtendedLifetime(self) {
      for index in indices {
        guard let object = self[index].map(Unmanaged.passUnretained) else { continue }
        object._withUnsafeGuaranteedRef(body)
      }
    }
  }
}
