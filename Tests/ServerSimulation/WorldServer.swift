// The ends of the server: crashes and drains; and the rules for the next start.
import Game
import MadangProtocol
import Net
import Server
import Store

extension World {
  var isServing: Bool { condition == .serving }

  /// Dials for a player; nil when there is no server.
  func dial(_ player: Player) throws(BrokenRule) -> Link? {
    switch condition {
    case .serving, .draining: try network.open(by: player, to: server)
    case .down: nil
    }
  }

  /// The server crashes.
  func crash(at now: Timestamp) {
    if case .down = condition { return }
    trace("a crash")
    report.crashes += 1
    network.cutAll(at: now)
    server.abandon()
    store.crash()
    backend.crash()
    goDown(at: now)
  }

  /// The server is ordered to end.
  func drain(at now: Timestamp) {
    guard condition == .serving else { return }
    trace("the server is told to end")
    report.drains += 1
    condition = .draining
    server.drain()
  }

  private func goDown(at now: Timestamp) {
    operators.crash()
    report.arrivalsDeferred += server.arrivalsDeferred
    downSince = now
    condition = .down(until: now.advanced(milliseconds: drawDownMs()))
  }

  /// The time at which the server alone has something to do.
  var serverDue: Timestamp {
    switch condition {
    case .draining where server.hasEnded: now
    case .serving, .draining: server.nextDue ?? .distantFuture
    case .down(let until): until
    }
  }

  /// Continues an end, or starts anew.
  func tendServer(at now: Timestamp) throws(BrokenRule) {
    switch condition {
    case .serving:
      break
    case .draining:
      guard server.hasEnded else { return }
      trace("the server has ended")
      network.cutAll(at: now)
      server.abandon()
      store.crash()
      backend.crash()
      goDown(at: now)
    case .down(let until):
      if until <= now { try restart() }
    }
  }

  private func restart() throws(BrokenRule) {
    try takeWritten()
    try ledger.crash()
    homes = RoomHomes()
    let began = now
    do {
      server = try makeServer()
    } catch {
      throw BrokenRule(rule: .recoversAll, detail: "the server did not start: \(error)")
    }
    condition = .serving
    trace("the server is there again")
    for player in players { player.serverIsBack(at: began, downSince: downSince) }
    try takeTurns()
    try checkRecovery(began: began)
    try checkTaps()
    try checkCapsules()
    try checkStories()
  }

  /// Takes the store's newly written batches.
  func takeWritten() throws(BrokenRule) {
    for batch in store.takeWritten() {
      report.batches += 1
      try backend.take(batch)
      try writtenTaps.take(batch)
      for (code, room, events) in try written.take(batch) {
        try ledger.write(events.map { PlayService.wire($0, of: room) }, of: code, at: now)
      }
    }
  }

  // Rules.

  /// Checks that everything in the store is recovered, and nothing else, and that no time has passed.
  private func checkRecovery(began: Timestamp) throws(BrokenRule) {
    try BrokenRule.unless(server.complaints.isEmpty, .recoversAll, server.complaints.joined(separator: ", "))
    let aliveAt: Instant
    do throws(StoreFailure) {
      aliveAt = try store.lastAliveAt ?? Instant(milliseconds: 0)
    } catch {
      throw BrokenRule(rule: .recoversAll, detail: "\(error)")
    }
    let leavers = written.leavers
    report.separations += leavers.values.reduce(0) { $0 + $1.count }
    for (code, room) in written.open where !room.isClosed {
      guard let back = server.room(code) else {
        throw BrokenRule(rule: .roomsKept, detail: "\(code), with \(room.members.count) in it")
      }
      report.recoveries += 1
      try ledger.checkRecovered(code, server.events(of: code, after: 0).events)
      let lookedMs = now.microseconds(since: began) / 1_000 + 2
      // Actions due when the server was lost, or in the next moment, may have been done.
      let isDue = room.nextDeadline.map { $0 <= aliveAt + .milliseconds(lookedMs) } ?? false
      let difference = isDue ? nil : Self.difference(back, room, without: leavers[code] ?? [])
      try BrokenRule.unless(difference == nil, .recoversAll, "\(code): \(difference ?? "")")
      // Practice opponents move with what is due.
      let haveWalked = isDue && room.configuration.fill > 0
      let isSameGame = (0..<room.configuration.capacity).allSatisfy {
        (haveWalked || back.footprints(seat: $0) == room.footprints(seat: $0))
          && (isDue || back.path(of: $0) == room.path(of: $0))
      }
      try BrokenRule.unless(isSameGame, .recoversAll, "other footprints or paths in \(code)")
      var (cells, cellsBefore) = (Tick(), Tick())
      back.appendCells(to: &cells)
      room.appendCells(to: &cellsBefore)
      try BrokenRule.unless(haveWalked || cells == cellsBefore, .recoversAll, "other cells in \(code)")
      let moved =
        Int64(back.clockMs(at: Instant(milliseconds: began.milliseconds)))
        - Int64(room.clockMs(at: aliveAt))
      try BrokenRule.unless((-lookedMs...2).contains(moved), .clocksStandStill, "\(code) moved by \(moved) ms")
    }
    let expected = written.open.count { !$0.room.isClosed }
    try BrokenRule.unless(server.counts.rooms == expected, .recoversAll, "\(server.counts.rooms) rooms of \(expected)")
  }

  /// The difference between a recovered room and the store's; nil when there is none.
  private static func difference(_ back: Room, _ room: Room, without leavers: Set<PlayerID>) -> String? {
    let members = room.members.map(\.id).filter { !leavers.contains($0) }
    if back.members.map(\.id) != members { return "\(back.members), not \(room.members)" }
    // The rules decide the other effects of their leaving.
    guard leavers.isEmpty else { return nil }
    if back.phase != room.phase { return "\(back.phase), not \(room.phase)" }
    if back.board != room.board { return "\(back.board), not \(room.board)" }
    if back.gameNumber != room.gameNumber { return "game \(back.gameNumber), not \(room.gameNumber)" }
    if back.endsAtMs != room.endsAtMs { return "ends at \(back.endsAtMs as Any), not \(room.endsAtMs as Any)" }
    return nil
  }

  /// Checks that every finished game is stored once, with the result of its journal.
  func checkGames() throws(BrokenRule) {
    do {
      let stored = try store.games(newest: .max)
      try BrokenRule.unless(
        stored.count == written.results.count,
        .resultsKept,
        "\(stored.count) games of \(written.results.count)"
      )
      var effects = Effects()
      for row in stored {
        let result = written.results[row.id]
        let rows = try store.game(row.id)?.results
        let isSame = result?.rows(of: row) == rows && result?.fingerprint == row.fingerprint
        try BrokenRule.unless(isSame, .resultsKept, "rows of \(row.id)")
        guard let journal = try store.journal(of: row.id) else {
          throw BrokenRule(rule: .resultsKept, detail: "the journal of \(row.id) is missing")
        }
        var replay = try GameReplay(row.id.number, in: journal)
        while try replay.next(into: &effects) != nil {}
        try BrokenRule.unless(replay.result == result, .resultsKept, "\(row.id) has another replay")
        report.replays += 1
      }
    } catch let broken as BrokenRule {
      throw broken
    } catch {
      throw BrokenRule(rule: .resultsKept, detail: "\(error)")
    }
  }
}
