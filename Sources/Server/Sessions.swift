// Who is there: hello, resume, the server's clock, and one connection for each player.
//
// On the shard's thread.
import Game
import MadangProtocol
import Net

extension PlayService {
  func hello(_ request: WireHello, _ id: UInt32?, _ session: PlaySession) {
    guard session.state.identity == nil else { return session.refuse(id, .alreadyWelcome) }
    let nickname: Nickname
    do throws(TextFault) {
      nickname = try Nickname(request.nickname)
    } catch {
      return session.refuse(id, .outOfRange, "nickname: \(error)")
    }
    guard Limits.deviceSecretBytes.contains(request.deviceSecret.utf8.count) else {
      return session.refuse(id, .outOfRange, "deviceSecret: \(Limits.deviceSecretBytes) bytes of UTF-8")
    }
    let secret = SessionToken.drawSecret(by: commons.configuration.random)
    let recognition = directory.hello(
      device: SecretDigest(of: request.deviceSecret),
      nickname: nickname.text,
      secret: SecretDigest(of: secret),
      shard: core.index,
      connection: session.connection.token,
      at: core.now
    )
    let token = SessionToken(of: recognition.player, secret: secret)
    welcome(session, recognition, token, Errand.Reply(id: id, afterEvent: nil))
  }

  func resume(_ request: WireResume, _ id: UInt32?, _ session: PlaySession) {
    guard session.state.identity == nil else { return session.refuse(id, .alreadyWelcome) }
    guard
      let token = SessionToken(request.sessionToken),
      let recognition = directory.resume(
        token.player,
        secret: token.digest,
        shard: core.index,
        connection: session.connection.token,
        at: core.now
      )
    else {
      session.state.badTokenCount += 1
      session.refuse(id, .badToken)
      if session.state.badTokenCount >= Limits.badTokensMax { session.close(.badToken) }
      return
    }
    let afterEvent = request.hasAfterEvent ? request.afterEvent : nil
    welcome(session, recognition, token, Errand.Reply(id: id, afterEvent: afterEvent))
  }

  func time(_ id: UInt32?, _ session: PlaySession) {
    var reply = WireTimeReply()
    reply.serverTimeMs = core.now.milliseconds
    session.reply(to: id, .time(reply))
  }

  /// Takes the session up as this player's, and their older connection's place.
  private func welcome(
    _ session: PlaySession,
    _ recognition: Recognition,
    _ token: SessionToken,
    _ reply: Errand.Reply
  ) {
    session.connection.serviceDeadline = nil
    session.state.identity = Identity(
      player: recognition.player,
      nickname: recognition.nickname,
      number: recognition.number
    )
    if let replaced = recognition.replaced { replace(replaced) }
    let errand = Errand(state: session.state, task: .welcome(token, recognition.room?.code, reply))
    if let room = recognition.room, room.shard != core.index {
      session.connection.move(to: core.siblings[room.shard], carrying: errand)
    } else {
      run(errand.task, for: session)
    }
  }

  /// Closes a connection in whose place a newer one has come.
  private func replace(_ place: ConnectionPlace) {
    if place.shard == core.index { return closeReplaced(place) }
    core.siblings[place.shard].post { shard in
      (shard.core.service as? PlayService)?.closeReplaced(place)
    }
  }

  private func closeReplaced(_ place: ConnectionPlace) {
    // When it has moved on meanwhile, it is found out of date on its arrival.
    guard let session = core.connection(for: place.token)?.context as? PlaySession,
      session.state.identity?.number == place.number
    else { return }
    session.close(.replaced)
  }

  /// Answers hello and resume on the shard of the player's room, if they are in one.
  func finishWelcome(_ token: SessionToken, _ code: RoomCode?, _ reply: Errand.Reply, _ session: PlaySession) {
    guard let identity = session.state.identity else { preconditionFailure("a welcome has an identity") }
    var welcome = WireWelcome()
    welcome.playerID = identity.player.description
    welcome.sessionToken = token.text
    welcome.serverTimeMs = core.now.milliseconds
    if let live = code.flatMap({ rooms[$0] }), let place = bringBack(identity.player, to: live, session) {
      welcome.room = wireRoom(live, for: place)
      if let afterEvent = reply.afterEvent {
        let (events, gap) = live.room.events(after: afterEvent)
        let newest = Self.newest(events)
        welcome.events = newest.map(WireEvent.init)
        welcome.gap = gap || newest.count < events.count
      }
    }
    session.reply(to: reply.id, .welcome(welcome))
  }

  /// Lets the session attend for a player who is in the room; nil when they are not, or no longer: a hold may have run out
  /// since the last tick. A spectator who comes back may find a seat, so the place is asked for afterwards.
  private func bringBack(_ player: PlayerID, to live: LiveRoom, _ session: PlaySession) -> Place? {
    guard let before = live.room.place(of: player) else { return nil }
    if let older = live.session(at: before) { live.detach(older) }
    live.attend(session, at: before)
    guard live.apply(.comeBack(before)) == .ok, let place = live.room.place(of: player) else {
      live.detach(session)
      return nil
    }
    return place
  }

  /// The newest events that fit into an answer; what is older is in the room's state anyway.
  private static func newest(_ events: [Event]) -> ArraySlice<Event> {
    var bytes = 0
    var first = events.endIndex
    while first > events.startIndex {
      if case .chat(_, _, let text) = events[first - 1].body { bytes += text.utf8.count }
      bytes += Limits.eventBytes
      if bytes > Limits.missedEventBytesMax { break }
      first -= 1
    }
    return events[first...]
  }
}
