// A room with people in it: the rules' room, the sessions that attend it, and its tick.
//
// Owned by one shard. The rules decide; this feeds them and carries out what comes back. Each distinct message is encoded
// and framed once, and a tick is one system call for each player: the room's shared frame, then their own.
import Game
import MadangProtocol
import Net

final class LiveRoom {
  unowned let service: PlayService
  let place: RoomPlace
  private(set) var room: Room
  private(set) var isClosed = false
  /// By place: seats first, then spectators.
  private var sessions: ContiguousArray<PlaySession?>
  private var timer: TimerID?
  /// When the timer is to fire: a moment of the room's tick.
  private var tickDue: Instant?
  private var laggards = 0
  private var hasOwnFrames = false

  init(_ service: PlayService, _ place: RoomPlace, _ configuration: RoomConfiguration, seed: UInt64) {
    self.service = service
    self.place = place
    room = Room(configuration, seed: seed, at: service.now)
    sessions = ContiguousArray(repeating: nil, count: configuration.capacity + configuration.spectatorsMax)
    arm()
  }

  /// Feeds the rules with one input and carries out what they say.
  func apply(_ input: Input) -> Effects.Answer {
    precondition(!isClosed, "nothing happens in a closed room")
    room.apply(input, at: service.now, into: &service.effects)
    let answer = service.effects.answer
    if !service.effects.outputs.isEmpty { carryOut(service.effects.outputs) }
    arm()
    return answer
  }

  private func carryOut(_ outputs: [Effect]) {
    for output in outputs {
      switch output {
      case .verdict(let place, let refusal, let isSuspect):
        sessions[index(place)]?.sendWithTick(.verdict(WireVerdict(refusal, isSuspect: isSuspect)))
        hasOwnFrames = true
      case .placed(let player, let newPlace):
        move(player, to: newPlace)
      case .removed(let player, let oldPlace):
        service.directory.leave(player, place.code, at: service.core.now)
        let session = sessions[index(oldPlace)]
        if session?.state.identity?.player == player {
          sessions[index(oldPlace)] = nil
          exit(session)
        }
      case .gameEnded: break
      case .closed:
        close()
      }
    }
  }

  private func exit(_ session: PlaySession?) {
    if session?.lag != nil { laggards -= 1 }
    session?.exit()
  }

  private func close() {
    isClosed = true
    if let timer { service.core.cancelTimer(timer) }
    timer = nil
    for index in sessions.indices {
      exit(sessions[index])
      sessions[index] = nil
    }
    for member in room.members { service.directory.leave(member.id, place.code, at: service.core.now) }
    service.forget(self)
  }

  private func index(_ place: Place) -> Int {
    switch place {
    case .seat(let seat): seat
    case .spectator(let number): room.configuration.capacity + number
    }
  }
}

// Who attends.
extension LiveRoom {
  /// The session of someone whom the rules have let in, or have back.
  func attend(_ session: PlaySession, at place: Place) {
    sessions[index(place)] = session
    session.enter(self, place)
  }

  /// The session that attends for a place now.
  func session(at place: Place) -> PlaySession? {
    sessions[index(place)]
  }

  /// A newer connection of the same player takes over.
  func detach(_ session: PlaySession) {
    guard let place = session.place, sessions[index(place)] === session else { return }
    sessions[index(place)] = nil
    exit(session)
  }

  /// The session's connection is gone.
  func lose(_ session: PlaySession) {
    guard let place = session.place, sessions[index(place)] === session else { return }
    detach(session)
    _ = apply(.lose(place))
  }

  /// A spectator has taken a seat.
  private func move(_ player: PlayerID, to newPlace: Place) {
    for session in sessions {
      guard let session, session.state.identity?.player == player, let oldPlace = session.place else { continue }
      sessions[index(oldPlace)] = nil
      sessions[index(newPlace)] = session
      session.move(to: newPlace)
      return
    }
  }
}

// Ticks.
extension LiveRoom {
  /// Sets the timer for the next tick that has something to do.
  private func arm() {
    guard !isClosed else { return }
    let wanted: Instant
    if room.hasChanges(through: .max) || hasOwnFrames || laggards > 0 {
      wanted = room.nextTick(after: service.now)
    } else if let deadline = room.nextDeadline {
      // What time does leaves on the first tick that is not before it.
      wanted = room.nextTick(after: max(deadline, service.now) - .milliseconds(1))
    } else {
      return
    }
    if let tickDue, tickDue <= wanted { return }
    if let timer { service.core.cancelTimer(timer) }
    tickDue = wanted
    timer = service.core.setTimer(place.code.bits, at: Timestamp(wanted))
  }

  /// The timer has fired.
  func tick() {
    if let tickDue { service.recordTick(due: tickDue) }
    tickDue = nil
    timer = nil
    let broadcastBefore = room.broadcastNumber
    _ = apply(.tick(through: .max))
    guard !isClosed else { return }
    let eventBefore = service.effects.tick.events.first.map { $0.number - 1 } ?? room.lastEventNumber
    broadcast(after: PlaySession.Lag(broadcastNumber: broadcastBefore, eventNumber: eventBefore))
    arm()
  }

  private func broadcast(after seen: PlaySession.Lag) {
    let hasTick = !service.effects.tick.isEmpty
    service.clearFrames()
    hasOwnFrames = false
    for session in sessions {
      guard let session else { continue }
      if session.lag != nil || session.connection.isBehind {
        catchUp(session, after: seen)
        continue
      }
      guard hasTick || !session.ownFrames.isEmpty else { continue }
      session.ownFrames.withUnsafeBytes { own in
        if hasTick {
          service.sendTick(to: session, own)
        } else {
          session.connection.send(frames: own, UnsafeRawBufferPointer(start: nil, count: 0))
        }
      }
      session.ownFrames.removeAll(keepingCapacity: true)
    }
  }

  /// One merged tick for a connection that has been behind, once it is behind no more.
  private func catchUp(_ session: PlaySession, after seen: PlaySession.Lag) {
    if session.lag == nil {
      session.lag = seen
      laggards += 1
    }
    guard let lag = session.lag, !session.connection.isBehind else { return }
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
      var bytes: [UInt8] = []
      session.state.subprotocol.append(service.mergedTick, to: &bytes)
      bytes.withUnsafeBytes { session.connection.send(session.messageKind, $0) }
      service.recordFrame()
    }
    _ = session.ownFrames.withUnsafeBytes {
      session.connection.send(frames: $0, UnsafeRawBufferPointer(start: nil, count: 0))
    }
    session.ownFrames.removeAll(keepingCapacity: true)
  }
}
