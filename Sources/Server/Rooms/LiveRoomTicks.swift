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
    timer = context.core.setTimer(place.code.bits, at: Timestamp(wanted))
  }

  /// Cancels the due tick: a game restarts the room's clock, and so its tick boundaries.
  func disarm() {
    if let timer { context.core.cancelTimer(timer) }
    timer = nil
    tickDue = nil
  }

  /// The timer has fired.
  func tick() {
    let began = context.core.readClock()
    defer { context.recordTickEnd(since: began) }
    if let tickDue { context.recordTick(due: tickDue, at: began) }
    tickDue = nil
    timer = nil
    let broadcastBefore = played.broadcastNumber
    _ = apply(.tick(through: committedEvent))
    guard !isClosed else { return }
    let eventBefore = context.effects.tick.events.first.map { $0.number - 1 } ?? played.carriedEventNumber
    broadcast(after: TickMark(broadcastNumber: broadcastBefore, eventNumber: eventBefore))
    arm()
  }

  private func broadcast(after seen: TickMark) {
    let hasTick = !context.effects.tick.isEmpty
    let isSendable = played.isSendable(through: committedEvent)
    hasNotifications = hasNotifications && !isSendable
    context.broadcast { frames in
      var parting = TickParting()
      for attendee in attendees {
        guard let attendee else { continue }
        let session = attendee.session
        if attendee.isPaced || attendee.lag != nil || session.connection.isBehind {
          if hasTick, session.connection.isBehind { context.traffic.note(conflated: .tick) }
          plan(attendee, after: seen, &parting)
          continue
        }
        guard isSendable, hasTick || attendee.hasNotifications else { continue }
        attendee.takeNotifications { own in
          if hasTick {
            frames.send(to: session, own, of: id, from: context)
          } else {
            session.connection.send(frames: own, UnsafeRawBufferPointer(start: nil, count: 0))
          }
        }
      }
      if parting.hasBegun { sendDeliveries(&frames) }
    }
  }
}
