// A room's messages to its players: ticks on time, each distinct message encoded and framed once.
//
// Part of `LiveRoom`, on its shard. A tick is one system call for each player: the room's shared frame, then their own.
// It carries only committed events; an event leaves with the first tick after its commit.
// Decisions: 029 (docs/decisions).
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
    let isAwaited = hasNotifications || awaitingCount > 0
    guard let wanted = played.nextTick(after: now, through: committedEvent, isAwaited: isAwaited) else { return }
    if let tickDue, tickDue <= wanted { return }
    disarm()
    tickDue = wanted
    timer = context.setTimer(number, at: wanted)
  }

  /// Cancels the due tick: a game restarts the room's clock, and so its tick boundaries.
  func disarm() {
    if let timer { context.cancel(timer) }
    timer = nil
    tickDue = nil
  }

  /// The timer has fired.
  func tick() {
    hints.give()
    let context = context
    let began = context.readClock()
    defer { context.recordTickEnd(since: began) }
    if let tickDue { context.recordTick(due: tickDue, at: began) }
    tickDue = nil
    timer = nil
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
    let hasTick = !tick.isEmpty
    frames.begin(tick)
    var parting = TickParting()
    attendees.forEachHeld { attendee in
      let isBehind = attendee.connection.isBehind
      if attendee.isPaced || attendee.lag != nil || isBehind {
        if hasTick, isBehind { context.traffic.note(conflated: .tick) }
        plan(attendee, &tick, after: seen, &parting)
      } else if isAllowed, hasTick {
        send(&tick, to: attendee, &frames)
      } else if isAllowed, attendee.hasNotifications {
        attendee.sendNotifications()
      }
    }
    if parting.hasBegun { sendDeliveries(&tick, &frames) }
  }

  /// Sends a tick, or a part of one, and the messages for this player alone. The frame is made for the first receiver
  /// that needs it; a player who has blocked an author of its chats gets a tick of their own. The tick stays as it is:
  /// it is `inout` since a closure would copy what it lends.
  func send(_ tick: inout Tick, to attendee: Attendee, _ frames: inout TickFrames) {
    let session = attendee.session
    if frames.isWithheld(tick, from: session) {
      session.send(tick: tick, of: id)
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

extension ContiguousArray {
  /// Calls `body` with each object in turn. The array holds all of them meanwhile, so the references to each are not
  /// counted: that would wait for its memory.
  fileprivate func forEachHeld<Object: AnyObject>(_ body: (Object) -> Void) where Element == Object? {
    withExtendedLifetime(self) {
      for index in indices {
        guard let object = self[index].map(Unmanaged.passUnretained) else { continue }
        object._withUnsafeGuaranteedRef(body)
      }
    }
  }
}
