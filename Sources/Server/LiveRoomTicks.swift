// What a room tells its players: ticks on time, each distinct message encoded and framed once.
//
// Part of `LiveRoom`, on its shard. A tick is one system call for each player: the room's shared frame, then their own. It
// carries no event that is not committed; such an event leaves with the first tick after its commit.
// Decisions: 029 (docs/decisions).
import Game
import MadangProtocol
import Net

extension LiveRoom {
  /// Sets the timer for the next tick that has something to do.
  func arm() {
    guard !isClosed else { return }
    // The next boundary is at most an interval away: none lies before it.
    if let tickDue, tickDue <= service.now + tickInterval { return }
    let wanted: Instant
    if room.hasChanges(through: committedEvent) || hasNews || laggards > 0 {
      wanted = room.nextTick(after: service.now)
    } else if let deadline = room.nextDeadline {
      // What time does happens on the first tick that is not before it.
      wanted = room.nextTick(after: max(deadline, service.now) - .milliseconds(1))
    } else {
      return
    }
    if let tickDue, tickDue <= wanted { return }
    disarm()
    tickDue = wanted
    timer = service.core.setTimer(place.code.bits, at: Timestamp(wanted))
  }

  /// Forgets the tick that is due: with a game the room's clock begins anew, and the boundaries with it.
  func disarm() {
    if let timer { service.core.cancelTimer(timer) }
    timer = nil
    tickDue = nil
  }

  /// The timer has fired.
  func tick() {
    let began = service.core.readClock()
    defer { service.recordTickEnd(since: began) }
    if let tickDue { service.recordTick(due: tickDue, at: began) }
    tickDue = nil
    timer = nil
    let broadcastBefore = room.broadcastNumber
    _ = apply(.tick(through: committedEvent))
    guard !isClosed else { return }
    let eventBefore = service.effects.tick.events.first.map { $0.number - 1 } ?? room.carriedEventNumber
    broadcast(after: PlaySession.Lag(broadcastNumber: broadcastBefore, eventNumber: eventBefore))
    arm()
  }

  private func broadcast(after seen: PlaySession.Lag) {
    let hasTick = !service.effects.tick.isEmpty
    let isTellable = room.isTellable(through: committedEvent)
    service.clearFrames()
    hasNews = hasNews && !isTellable
    for session in sessions {
      guard let session else { continue }
      if session.lag != nil || session.connection.isBehind {
        if hasTick, session.connection.isBehind { service.traffic.note(conflated: .tick) }
        catchUp(session, after: seen)
        continue
      }
      guard isTellable, hasTick || session.hasNews else { continue }
      session.takeNews { own in
        if hasTick {
          service.sendTick(to: session, own)
        } else {
          session.connection.send(frames: own, UnsafeRawBufferPointer(start: nil, count: 0))
        }
      }
    }
  }

  /// One merged tick for a connection that has been behind, once it is behind no more.
  private func catchUp(_ session: PlaySession, after seen: PlaySession.Lag) {
    if session.lag == nil {
      session.lag = seen
      laggards += 1
    }
    guard let lag = session.lag, !session.awaitsRoom, !session.connection.isBehind,
      room.isTellable(through: committedEvent)
    else { return }
    session.lag = nil
    laggards -= 1
    guard
      room.mergeTicks(
        afterBroadcast: lag.broadcastNumber,
        afterEvent: lag.eventNumber,
        into: &service.mergedTick
      )
    else { return session.close(.tooSlow) }
    if !service.mergedTick.isEmpty {
      session.send(tick: service.mergedTick)
      service.recordFrame()
    }
    _ = session.takeNews { session.connection.send(frames: $0, UnsafeRawBufferPointer(start: nil, count: 0)) }
  }
}
