// What operators do while the server runs, each with its row of the audit log in the same commit.
//
// Any thread may call; what is done to a player, a room or the store is done on a shard's thread. What a commit can't bring
// about itself (closing a connection, an announcement, the end) follows the commit of its row, so that nothing is ever done
// that the log has not; but a player who is kicked goes at once, with their place in the commit that has the row.
import Game
import Gateway
import Net
import Store

extension GameServer {
  /// Players who had three abnormal batches within a minute once, most abnormal batches first.
  package var suspects: [TapStanding] { context.tally.suspects }

  /// Does what an operator at an address asks for. `completion` is called once, on a shard's thread: when it is done and
  /// committed with its row of the audit log, or with why nothing of it is. Where a store that begins to fail only then holds
  /// up the commit, it waits, as players' answers do.
  package func perform(
    _ action: OperatorAction,
    from address: IPAddress,
    completion: @escaping @Sendable (OperatorActionOutcome) -> Void
  ) {
    let task = OperatorTask(action, from: address, completion)
    if let fault = action.fault { return services[0].post { _ in task.refuse(fault) } }
    switch action {
    case .kick(let player): kick(player, task)
    case .ban(let player, let duration, let reason): put(.ban, on: player, for: duration, reason, task)
    case .mute(let player, let duration, let reason): put(.mute, on: player, for: duration, reason, task)
    case .unban(let player): lift(.ban, from: player, task)
    case .unmute(let player): lift(.mute, from: player, task)
    case .closeRoom(let room): closeRoom(room, task)
    case .announce(let text, nil): announce(text, task)
    case .announce(let text, let room?): announce(text, in: room, task)
    case .drain: drain(task)
    case .closeSeason(let season): closeSeason(season, task)
    case .voidTaps(let player, let season): voidTaps(of: player, season: season, task)
    }
  }

  /// Goes on with an action on a shard.
  private func run(_ task: OperatorTask, onShard index: Int, _ body: @escaping @Sendable (PlayService) -> Void) {
    services[index].post { service in
      guard !service.gateway.core.isStopped else { return task.refuse("the server has ended") }
      body(service)
    }
  }

  /// Begins an action on a shard, if anything can be committed.
  private func begin(_ task: OperatorTask, onShard index: Int = 0, _ body: @escaping @Sendable (PlayService) -> Void) {
    run(task, onShard: index) { service in
      guard service.gateway.canPromise else {
        return task.refuse(
          "nothing can be committed: \(service.gateway.journal.failure.map { "\($0)" } ?? "the store stalls")"
        )
      }
      body(service)
    }
  }

  // Players.

  private func kick(_ player: PlayerID, _ task: OperatorTask) {
    begin(task, onShard: context.gateway.directory.shard(of: player) ?? 0) { service in
      service.operations.expel(player) { operations, expelled in
        guard let expelled else { return task.refuse("player \(player) is neither connected nor in a room") }
        let gateway = operations.gateway
        gateway.journal.add(task.entry(at: gateway.now, room: expelled.room)) { outcome in
          operations.context.notify(.operatorActed(.kicked(player)))
          task.end(outcome, done: "player \(player) is out")
        }
      }
    }
  }

  private func put(
    _ kind: SanctionKind,
    on player: PlayerID,
    for duration: Duration?,
    _ reason: String,
    _ task: OperatorTask
  ) {
    begin(task) { service in
      let now = service.gateway.now
      let since = service.gateway.context.expiry.beginOfTerm(now)
      let sanction = Sanction(
        player: player,
        kind: kind,
        since: since,
        until: duration.map { since + $0 },
        reason: reason
      )
      service.gateway.journal.add(SanctionChange.put(sanction, task.entry(at: now))) { outcome in
        guard outcome == .ok else { return task.end(outcome, notFound: "there is no player \(player)") }
        self.enforce(sanction, task)
      }
    }
  }

  /// A sanction is committed: whoever comes from now on comes with it, and this is for who is here. Whom that commit or an
  /// earlier one has let in, shards have been told of; when they all have heard, the directory knows of them too.
  private func enforce(_ sanction: Sanction, _ task: OperatorTask) {
    let player = sanction.player
    let duration = sanction.until.map { $0 - sanction.since }
    switch sanction.kind {
    case .ban:
      context.notify(.operatorActed(.banned(player, for: duration)))
      whenAllShardsKnow {
        // Also where the server has ended meanwhile: the ban lasts, and nobody is here.
        self.services[self.context.gateway.directory.shard(of: player) ?? 0].post { service in
          service.operations.expel(player) { _, _ in task.done("player \(player) is banned") }
        }
      }
    case .mute:
      context.notify(.operatorActed(.muted(player, for: duration)))
      order(MuteOrder(mute: Mute(until: sanction.until)), for: player) { task.done("player \(player) is muted") }
    }
  }

  private func lift(_ kind: SanctionKind, from player: PlayerID, _ task: OperatorTask) {
    begin(task) { service in
      let now = service.gateway.now
      let moment = service.gateway.context.expiry.now(now)
      service.gateway.journal.add(SanctionChange.lift(player, kind, at: moment, task.entry(at: now))) { outcome in
        guard outcome == .ok else {
          return task.end(outcome, notFound: "player \(player) is not \(kind == .ban ? "banned" : "muted")")
        }
        switch kind {
        case .ban:
          self.context.notify(.operatorActed(.unbanned(player)))
          task.done("player \(player) may come in again")
        case .mute:
          self.context.notify(.operatorActed(.unmuted(player)))
          self.order(MuteOrder(mute: nil), for: player) { task.done("player \(player) may chat again") }
        }
      }
    }
  }

  /// Calls `completion` when all shards know of every player whom commits so far have let in. Calls are answered in the order in
  /// which they came.
  private func whenAllShardsKnow(_ completion: @escaping @Sendable () -> Void) {
    context.gateway.commits.whenAllNotified { self.afterAllShards(completion) }
  }

  /// Has a player's connection told, once all shards know of whom the store has let in so far. It is called in the order of
  /// the commits, and each walk through the shards stays behind the one before.
  private func order(_ order: MuteOrder, for player: PlayerID, _ completion: @escaping @Sendable () -> Void) {
    whenAllShardsKnow {
      guard let place = self.context.gateway.directory.order(order, for: player) else { return completion() }
      self.services[place.shard].post { service in
        service.operations.carryOutMuteOrder(at: place)
        completion()
      }
    }
  }

  // Rooms.

  /// Goes on on the shard that has a room.
  private func find(
    _ room: RoomID,
    fromShard index: Int = 0,
    _ task: OperatorTask,
    _ body: @escaping @Sendable (PlayService, LiveRoom) -> Void
  ) {
    guard index < shards.count else { return task.refuse("there is no room \(room)") }
    begin(task, onShard: index) { service in
      if let live = service.rooms.room(room) { return body(service, live) }
      self.find(room, fromShard: index + 1, task, body)
    }
  }

  private func closeRoom(_ room: RoomID, _ task: OperatorTask) {
    find(room, task) { service, live in
      let detail = "\(live.room.memberCount) in it"
      guard live.apply(.close) == .ok else { return task.refuse("room \(room) has just ended by itself") }
      service.gateway.journal.add(task.entry(at: service.gateway.now, detail: detail)) { outcome in
        self.context.notify(.operatorActed(.closed(room)))
        task.end(outcome, done: "room \(room) is closed")
      }
    }
  }

  // Announcements.

  private func announce(_ text: String, in room: RoomID, _ task: OperatorTask) {
    find(room, task) { service, live in
      let now = service.gateway.now
      service.gateway.journal.add(task.entry(at: now)) { outcome in
        if outcome == .ok {
          guard !live.isClosed else { return task.refuse("room \(room) has ended before anybody was told") }
          live.announce(text, at: now)
          self.context.notify(.operatorActed(.announced(in: room)))
        }
        task.end(outcome, done: "announced in room \(room)")
      }
    }
  }

  /// All go by the first shard, which gives them their numbers, and so come to each shard in one order.
  private func announce(_ text: String, _ task: OperatorTask) {
    begin(task) { service in
      let now = service.gateway.now
      service.gateway.journal.add(task.entry(at: now)) { outcome in
        if outcome == .ok {
          service.operations.announceEverywhere(text, at: now)
          self.context.notify(.operatorActed(.announced(in: nil)))
        }
        task.end(outcome, done: "announced to everybody")
      }
    }
  }

  // The server.

  /// A server that can't commit can be ended all the same: that is when an operator may want to. Then the log alone has it.
  private func drain(_ task: OperatorTask) {
    run(task, onShard: 0) { service in
      guard !service.gateway.isDraining else { return task.refuse("the server is ending already") }
      guard let end = self.endOfProgram else { return task.refuse("this server can't be ended from here") }
      guard service.gateway.canPromise else {
        self.context.notify(.operatorActed(.askedToEnd))
        task.done("the server ends; nothing can be committed, so the audit log has nothing of it")
        return end()
      }
      service.gateway.journal.add(task.entry(at: service.gateway.now)) { outcome in
        task.end(outcome, done: "the server ends")
        guard outcome == .ok, !service.gateway.isDraining else { return }
        self.context.notify(.operatorActed(.askedToEnd))
        end()
      }
    }
  }

  // The contest.

  private func closeSeason(_ season: UInt32, _ task: OperatorTask) {
    begin(task) { service in
      service.taps.closeSeason(season) { closing, now in
        task.entry(at: now, detail: "season \(closing.season)")
      } completion: { closing in
        guard closing != nil else { return task.refuse("season \(season) does not run") }
        task.done("season \(season) is closed, and season \(season + 1) has begun")
      }
    }
  }

  private func voidTaps(of player: PlayerID, season: UInt32, _ task: OperatorTask) {
    begin(task) { service in
      service.taps.voidTaps(of: player, season: season) { count, now in
        task.entry(at: now, detail: "\(count) taps of season \(season)")
      } completion: { result in
        switch result {
        case .failure(let why): task.refuse("what players counted in season \(season) can't be read: \(why)")
        case .success(0): task.refuse("player \(player) has no taps in season \(season) that count")
        case .success(let count): task.done("\(count) taps of season \(season) are taken out of the schools' totals")
        }
      }
    }
  }
}

extension OperatorTask {
  /// Ends with what has come of the row of the audit log that the action brought.
  fileprivate func end(_ outcome: WriteOutcome, done text: String) {
    switch outcome {
    case .ok: done(text)
    case .unavailable: refuseForDamage()
    }
  }

  /// Ends with what has come of a sanction that could not be put or lifted.
  fileprivate func end(_ outcome: SanctionOutcome, notFound: String) {
    switch outcome {
    case .ok: preconditionFailure("a sanction that is put or lifted goes on")
    case .notFound: refuse(notFound)
    case .unavailable: refuseForDamage()
    }
  }

  private func refuseForDamage() {
    refuse("the store is damaged there: see madang check")
  }
}
