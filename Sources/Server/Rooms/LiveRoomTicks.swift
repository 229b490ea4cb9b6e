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
    // The next boundary is at most an interval away: none lies before it.
    let now = context.now
    if let tickDue, tickDue.milliseconds <= now.milliseconds + tickIntervalMs { return }
    let isAwaited = hasNotifications || awaitingCount > 0
    guard let wanted = played.nextTick(after: now, through: committedEvent, isAwaited: isAwaited) else { return }
    if let tickDue, tickDue <= wanted { return }
    disarm()
    tickDue = wanted
    timer = context.timers.schedule(UInt64(number), at: Timestamp(wanted))
  }

  /// Cancels the due tick: a game restarts the room's clock, and so its tick boundaries.
  func disarm() {
    if let timer { context.timers.cancel(timer) }
    timer = nil
    tickDue = nil
  }

  /// The timer has fired.
  func tick() {
    hints.give()
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
    let core = context.core
    var parting = TickParting()
    for attendee in attendees {
      guard let attendee else { continue }
      let isBehind = attendee.session.connection.isBehind
      if attendee.isPaced || attendee.lag != nil || isBehind {
        if hasTick, isBehind { context.traffic.note(conflated: .tick) }
        plan(attendee, tick, after: seen, &parting)
      } else if isAllowed, hasTick {
        send(tick, to: attendee, &frames, on: core)
      } else if isAllowed, attendee.hasNotifications {
        attendee.sendNotifications()
      }
    }
    if parting.hasBegun { sendDeliveries(&tick, &frames) }
  }

  /// Sends a tick, or a part of one, and the messages for this player alone. The frame is made for the first receiver
  /// that needs it; a player who has blocked an author of its chats gets a tick of their own.
  func send(_ tick: borrowing Tick, to attendee: Attendee, _ frames: inout TickFrames, on core: ShardCore) {
    let session = attendee.session
    if frames.isWithheld(tick, from: session) {
      session.send(tick: copy tick, of: id)
      attendee.sendNotifications()
      return frames.noteOwn()
    }
    frames.fill(tick, for: session.subprotocol, of: id, on: core)
    if attendee.hasNotifications {
      attendee.takeNotifications { frames.send(to: session, $0, on: core) }
    } else {
      frames.send(to: session, UnsafeRawBufferPointer(start: nil, count: 0), on: core)
    }
  }
}
