// Operators' actions on the running server, each with its row of the audit log in the same commit.
//
// Any thread may call; players, rooms and the store are changed on a shard's queue. Effects outside a commit (closing
// a connection, an announcement, the end) follow the commit of the row, so that the log has every action. One
// exception: a kicked player goes at once, and their place goes in the commit with the row.
import Game
import Gateway
import Net
import Store

extension GameServer {
  /// Players with three abnormal batches within a minute once, most abnormal batches first.
  package var suspects: [TapStanding] { context.tally.suspects }

  /// Performs an action for an operator at an address, who may do it. `completion` is called once, on a shard's queue:
  /// when the action is committed with its row of the audit log, or with the reason why nothing was done. It waits, as
  /// players' answers do, where the store begins to fail only during the commit.
  package func perform(
    _ action: OperatorAction,
    by identity: OperatorIdentity = .serverToken,
    from address: IPAddress,
    because reason: String = "",
    completion: @escaping @Sendable (OperatorActionOutcome) -> Void
  ) {
    let task = OperatorTask(action, by: identity, from: address, because: reason, completion)
    if let fault = action.fault { return services[0].post { _ in task.refuse(fault, code: "INVALID") } }
    switch action {
    case .kick(let player): kick(player, task)
    case .ban(let player, let duration, let reason, nil): put(.ban, on: player, for: duration, reason, task)
    case .ban(let player, let duration, let reason, let scope?):
      BanningAddresses(server: self).ban(player, for: duration, reason, withAddressIn: scope, task)
    case .mute(let player, let duration, let reason): put(.mute, on: player, for: duration, reason, task)
    case .unban(let player): lift(.ban, from: player, task)
    case .unmute(let player): lift(.mute, from: player, task)
    case .resetPassword(let player): OfferingResets(server: self).offer(to: player, task)
    case .closeRoom(let room): closeRoom(room, task)
    case .announce(let text, nil): announce(text, task)
    case .announce(let text, let room?): announce(text, in: room, task)
    case .drain: drain(task)
    case .closeSeason(let season): closeSeason(season, task)
    case .voidTaps(let player, let season): voidTaps(of: player, season: season, task)
    case .importLands(let offered): importLands(offered, task)
    case .renameLand(let land, let name): RenamingLands(server: self).rename(land, to: name, task)
    case .importSchools(let edition): ImportingSchools(server: self).apply(edition, task)
    case .editSchool(let correction): ImportingSchools(server: self).correct(correction, task)
    case .importFences(let offered): importFences(offered, task)
    case .removeFences(let ids): removeFences(ids, task)
    case .addWebhook(let offered): addWebhook(offered, task)
    case .removeWebhook(let id): removeWebhook(id, task)
    case .enableWebhook(let id): enableWebhook(id, task)
    case .testWebhook(let id): testWebhook(id, task)
    case .acceptLand(let proposal, let name): acceptLand(proposal, name: name, task)
    case .declineLand(let proposal, let reason): declineLand(proposal, reason: reason, task)
    case .hide(let subject, _): Moderating(server: self).decide(subject, .hide, task)
    case .restore(let subject, _): Moderating(server: self).decide(subject, .restore, task)
    case .warn(let player, let subject, let text): Moderating(server: self).warn(player, about: subject, text, task)
    }
  }

  /// Continues an action on a shard.
  private func run(_ task: OperatorTask, onShard index: Int, _ body: @escaping @Sendable (PlayService) -> Void) {
    services[index].post { service in
      guard !service.gateway.core.isStopped else { return task.refuse("the server has ended", code: "SERVER_ENDING") }
      body(service)
    }
  }

  /// Begins an action on a shard, if anything can be committed.
  func begin(_ task: OperatorTask, onShard index: Int = 0, _ body: @escaping @Sendable (PlayService) -> Void) {
    run(task, onShard: index) { service in
      guard service.gateway.canPromise else {
        let why = service.gateway.journal.failure.map { "\($0)" } ?? "the store stalls"
        return task.refuse("nothing can be committed: \(why)", code: "STORE_UNAVAILABLE")
      }
      body(service)
    }
  }

  // Players.

  private func kick(_ player: PlayerID, _ task: OperatorTask) {
    begin(task, onShard: context.gateway.directory.shard(of: player) ?? 0) { service in
      service.operations.remove(player, bars: true) { operations, removed in
        guard let removed else {
          return task.refuse("player \(player) is neither connected nor in a room", code: "PLAYER_NOT_HERE")
        }
        let gateway = operations.gateway
        gateway.journal.add(task.entry(at: gateway.now, room: removed.room, code: removed.code)) { outcome in
          operations.context.notify(.operatorActed(.kicked(player)))
          task.end(outcome, done: "player \(player) is out")
        }
      }
    }
  }

  func put(
    _ kind: SanctionKind,
    on player: PlayerID,
    for duration: Duration?,
    _ reason: String,
    address: BannedAddress? = nil,
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
        reason: reason,
        addressBan: address?.ban(since: since, for: duration)
      )
      let entry = task.entry(at: now, room: address?.room, code: address?.code, detail: address?.detail(for: duration))
      service.gateway.journal.add(SanctionChange.put(sanction, entry)) { outcome in
        guard outcome == .ok else {
          return task.end(outcome, notFound: "there is no player \(player)", code: "PLAYER_NOT_FOUND")
        }
        self.enforce(sanction, task)
      }
    }
  }

  /// Enforces a committed sanction on connected players; later connections get it from the store. Shards are notified
  /// of players whom that commit or an earlier one let in. After all shards are, the directory knows these players too.
  private func enforce(_ sanction: Sanction, _ task: OperatorTask) {
    let player = sanction.player
    let duration = sanction.until.map { $0 - sanction.since }
    switch sanction.kind {
    case .ban:
      context.notify(.operatorActed(.banned(player, for: duration)))
      whenAllShardsKnow {
        // Also where the server has ended meanwhile: the ban is stored, and no player is here.
        self.services[self.context.gateway.directory.shard(of: player) ?? 0].post { service in
          service.operations.remove(player, bars: false) { _, _ in task.done("player \(player) is banned") }
        }
      }
    case .mute:
      context.notify(.operatorActed(.muted(player, for: duration)))
      mute(player, Mute(until: sanction.until)) { task.done("player \(player) is muted") }
    }
  }

  private func lift(_ kind: SanctionKind, from player: PlayerID, _ task: OperatorTask) {
    begin(task) { service in
      let now = service.gateway.now
      let moment = service.gateway.context.expiry.now(now)
      service.gateway.journal.add(SanctionChange.lift(player, kind, at: moment, task.entry(at: now))) { outcome in
        guard outcome == .ok else {
          let why = "player \(player) is not \(kind == .ban ? "banned" : "muted")"
          return task.end(outcome, notFound: why, code: "SANCTION_NOT_FOUND")
        }
        switch kind {
        case .ban:
          self.context.notify(.operatorActed(.unbanned(player)))
          task.done("player \(player) may come in again")
        case .mute:
          self.context.notify(.operatorActed(.unmuted(player)))
          self.mute(player, nil) { task.done("player \(player) may chat again") }
        }
      }
    }
  }

  /// Calls `completion` when all shards know every player whom commits so far have let in. Calls are answered in their
  /// order.
  func whenAllShardsKnow(_ completion: @escaping @Sendable () -> Void) {
    context.gateway.commits.whenAllNotified { self.afterAllShards(completion) }
  }

  /// Changes the mute of a player's connection, once all shards know the players whom the store has let in so far.
  /// Called in the order of the commits; each walk through the shards stays behind the one before.
  private func mute(_ player: PlayerID, _ mute: Mute?, _ completion: @escaping @Sendable () -> Void) {
    whenAllShardsKnow {
      let directory = self.context.gateway.directory
      guard let place = directory.keep({ $0.mute = mute }, for: player) else { return completion() }
      self.services[place.shard].post { service in
        service.gateway.carryOutOrders(at: place)
        completion()
      }
    }
  }

  // Rooms.

  /// Continues on the shard that has a room. It is looked for again when rooms have moved since the search began.
  private func find(
    _ room: RoomID,
    _ task: OperatorTask,
    _ body: @escaping @Sendable (PlayService, LiveRoom) -> Void
  ) {
    find(room, fromShard: 0, behind: context.gateway.directory.moves, task, body)
  }

  private func find(
    _ room: RoomID,
    fromShard index: Int,
    behind moves: UInt64,
    _ task: OperatorTask,
    _ body: @escaping @Sendable (PlayService, LiveRoom) -> Void
  ) {
    guard index < shards.count else {
      guard context.gateway.directory.moves == moves else { return find(room, task, body) }
      return task.refuse("there is no room \(room)", code: "ROOM_NOT_FOUND")
    }
    begin(task, onShard: index) { service in
      if let live = service.rooms.room(room) { return body(service, live) }
      self.find(room, fromShard: index + 1, behind: moves, task, body)
    }
  }

  private func closeRoom(_ room: RoomID, _ task: OperatorTask) {
    find(room, task) { service, live in
      let detail = "\(live.room.memberCount) in it"
      guard live.apply(.close) == .ok else {
        return task.refuse("room \(room) has just ended by itself", code: "ROOM_NOT_FOUND")
      }
      service.gateway.journal.add(task.entry(at: service.gateway.now, code: live.place.code, detail: detail)) {
        outcome in
        self.context.notify(.operatorActed(.closed(room)))
        task.end(outcome, done: "room \(room) is closed")
      }
    }
  }

  // Announcements.

  private func announce(_ text: String, in room: RoomID, _ task: OperatorTask) {
    find(room, task) { service, live in
      let now = service.gateway.now
      service.gateway.journal.add(task.entry(at: now, code: live.place.code)) { outcome in
        guard outcome == .ok else { return task.refuseForDamage() }
        guard live.hasMoved else { return self.announce(text, at: now, in: live, task) }
        self.find(room, task) { self.announce(text, at: now, in: $1, task) }
      }
    }
  }

  /// Announces in a room, with the audit log's row committed.
  private func announce(_ text: String, at now: Instant, in live: LiveRoom, _ task: OperatorTask) {
    guard !live.isClosed else {
      return task.refuse("room \(live.id) has ended before anybody was notified", code: "ROOM_NOT_FOUND")
    }
    live.announce(text, at: now)
    context.notify(.operatorActed(.announced(in: live.id)))
    task.done("announced in room \(live.id)")
  }

  /// Announces through the first shard, which numbers announcements, so they reach each shard in one order.
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

  /// Ends the server. A server that can't commit can be ended all the same: operators may want that then. Only the log
  /// has it in that case.
  private func drain(_ task: OperatorTask) {
    run(task, onShard: 0) { service in
      guard !service.gateway.isDraining else {
        return task.refuse("the server is ending already", code: "SERVER_ENDING")
      }
      guard let end = self.endOfProgram else {
        return task.refuse("this server can't be ended from here", code: "CONFLICT")
      }
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
        guard closing != nil else { return task.refuse("season \(season) does not run", code: "SEASON_NOT_RUNNING") }
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
        case .failure(let why):
          let text = "what players counted in season \(season) can't be read: \(why)"
          task.refuse(text, code: "STORE_UNAVAILABLE")
        case .success(0):
          task.refuse("player \(player) has no taps in season \(season) that count", code: "TAPS_NOT_FOUND")
        case .success(let count): task.done("\(count) taps of season \(season) are taken out of the schools' totals")
        }
      }
    }
  }
}

extension OperatorTask {
  /// Ends with the outcome of the action's row in the audit log.
  fileprivate func end(_ outcome: WriteOutcome, done text: String) {
    switch outcome {
    case .ok: done(text)
    case .unavailable: refuseForDamage()
    }
  }

  /// Ends with the outcome of a sanction that could not be put or lifted.
  fileprivate func end(_ outcome: SanctionOutcome, notFound: String, code: String) {
    switch outcome {
    case .ok: preconditionFailure("the sanction has failed")
    case .notFound: refuse(notFound, code: code)
    case .unavailable: refuseForDamage()
    }
  }

  func refuseForDamage() {
    refuse("the store is damaged there: see madang check", code: "STORE_UNAVAILABLE")
  }
}
