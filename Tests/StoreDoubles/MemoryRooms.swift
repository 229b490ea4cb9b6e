// Rooms, games and results of the double. Part of `MemoryTables`.
import Game
import Store

extension MemoryTables {
  mutating func open(_ room: RoomRow) {
    if rooms[room.id] == nil { rooms[room.id] = RoomEntry(row: room, snapshotSegment: segment) }
  }

  mutating func write(_ change: RoomChange) {
    switch change {
    // Written before all others.
    case .open: break
    case .markSnapshot(let room): if rooms[room]?.isOpen == true { rooms[room]?.snapshotSegment = segment }
    case .beginGame(let game): begin(game)
    case .close(let room): close(room)
    case .addLandRun(let run, let at): add(run, at: at)
    case .addPresence(let player, let room): if players[player] != nil { rooms[room]?.visitors.insert(player) }
    }
  }

  private mutating func begin(_ game: GameID) {
    guard rooms[game.room] != nil, rooms[game.room]?.games[game.number] == nil else { return }
    rooms[game.room]?.games[game.number] = GameEntry(firstSegment: segment)
  }

  mutating func end(_ game: GameRow, _ results: [ResultRow]) -> [Award] {
    guard let room = rooms[game.id.room] else { return [] }
    var entry = room.games[game.id.number] ?? GameEntry()
    guard entry.row == nil else { return [] }
    entry.row = game
    entry.lastSegment = segment
    rooms[game.id.room]?.games[game.id.number] = entry
    return results.compactMap { add($0, of: game) }
  }

  /// Stores a result; returns the badge that it has won, if any.
  private mutating func add(_ result: ResultRow, of game: GameRow) -> Award? {
    guard players[result.player] != nil else { return nil }
    rooms[game.id.room]?.games[game.id.number]?.results.append(result)
    let count = self.results(of: result.player).count(where: \.counts)
    guard result.counts, let badge = BadgeRules.badge(forRecords: count), badges[result.player]?[badge] == nil
    else { return nil }
    badges[result.player, default: [:]][badge] = game.endedAt
    return Award(player: result.player, badge: badge)
  }

  private mutating func close(_ room: RoomID) {
    guard var entry = rooms[room] else { return }
    entry.isOpen = false
    entry.games = entry.games.filter { $0.value.row != nil }
    rooms[room] = entry
  }

  func liveRooms() -> [StoredRoom] {
    rooms.values.filter(\.isOpen).sorted { $0.row.id < $1.row.id }.map { room in
      let chunks = room.chunks.filter { $0.segment >= room.snapshotSegment }
      return StoredRoom(row: room.row, journal: chunks.flatMap(\.bytes), lastGame: room.games.keys.max() ?? 0)
    }
  }

  func games(newest limit: Int) -> [GameRow] {
    let ended = rooms.values.flatMap { $0.games.values.compactMap(\.row) }
    return Array(
      ended.sorted { ($0.endedAt, $0.id.room, $0.id.number) > ($1.endedAt, $1.id.room, $1.id.number) }
        .prefix(max(0, limit))
    )
  }

  func game(_ id: GameID) -> StoredGame? {
    guard let entry = rooms[id.room]?.games[id.number], let row = entry.row else { return nil }
    return StoredGame(row: row, results: entry.results.sorted { $0.rank < $1.rank })
  }

  func journal(ofRunning id: GameID) -> [UInt8]? {
    guard let room = rooms[id.room], let game = room.games[id.number], game.row == nil, let first = game.firstSegment
    else { return nil }
    return room.chunks.filter { first <= $0.segment }.flatMap(\.bytes)
  }

  func journal(of id: GameID) -> [UInt8]? {
    guard let room = rooms[id.room], let game = room.games[id.number], let first = game.firstSegment,
      let last = game.lastSegment
    else { return nil }
    return room.chunks.filter { first <= $0.segment && $0.segment <= last }.flatMap(\.bytes)
  }

  private func results(of player: PlayerID) -> [ResultRow] {
    rooms.values.flatMap { $0.games.values.flatMap(\.results) }.filter { $0.player == player }
  }

  func results(of player: PlayerID, before cursor: ResultCursor?, limit: Int) -> [ResultRow] {
    func key(_ place: ResultCursor) -> (Instant, RoomID, UInt32) { (place.endedAt, place.game.room, place.game.number) }
    let newestFirst = results(of: player).sorted { key(ResultCursor(of: $0)) > key(ResultCursor(of: $1)) }
    let behind = newestFirst.drop { row in cursor.map { key(ResultCursor(of: row)) >= key($0) } ?? false }
    return Array(behind.prefix(max(0, limit)))
  }

  func totals(of player: PlayerID, in range: Range<Instant>) -> Totals {
    results(of: player).filter { $0.counts && range.contains($0.endedAt) }.reduce(into: Totals()) { totals, row in
      totals.count += 1
      totals.distanceMm += row.distanceMm
      totals.timeMs += row.timeMs
      totals.calories += row.calories
    }
  }

  mutating func forget(at now: Instant, keepJournals: Duration) {
    profiles.lose(likesOf: stories.takeVanishedLikes())
    for (id, room) in rooms {
      for (number, game) in room.games where game.row.map({ $0.endedAt < now - keepJournals }) == true {
        rooms[id]?.games[number]?.firstSegment = nil
      }
      trim(id)
      guard let room = rooms[id], !room.isOpen, room.chunks.isEmpty else { continue }
      rooms[id]?.visitors = []
      if room.games.isEmpty { rooms[id] = nil }
    }
    let oldest = now - sessionRetention
    let over = sessions.filter { min($0.value.expiresAt, $0.value.endedAt ?? $0.value.expiresAt) < oldest }
    for digest in over.keys { sessions[digest] = nil }
    for player in Set(over.values.map(\.player)) { forgetGuest(player) }
    forgetSanctions(overAt: now)
    players.forgetBrowsers(unseenSince: now - browserRetention)
    forgetGuests(at: now)
    rankingPeriods = rankingPeriods.filter { $0.range.upperBound > now }
    forgetProposals(decidedBefore: now - LandProposal.decidedRetention)
    history.forget(before: now - HistoryMinute.retention)
    for player in Array(erasures.keys) { erase(player) }
    media.sweep(at: now)
    tracks.forget(rooms, erasures.keys)
  }

  /// Deletes guests, with their sessions, who have been absent for two days and have nothing left.
  private mutating func forgetGuests(at now: Instant) {
    let recent = Set(sessions.values.filter { $0.expiresAt - guestSessionsRest > now }.map(\.player))
    for (player, entry) in players where entry.email == nil && !recent.contains(player) {
      if isUnused(player) { forget(player) }
    }
  }

  /// Whether only sessions are kept of a player.
  private func isUnused(_ player: PlayerID) -> Bool {
    results(of: player).isEmpty && !rooms.values.contains { $0.visitors.contains(player) } && !tally.hasPlayer(player)
      && players[player]?.sanctions.isEmpty ?? true && capsules.capsules(ownedBy: player).isEmpty
      && !stories.keeps(player) && !plans.keeps(player) && !profiles.keeps(player)
      && !media.media.values.contains { $0.media.owner == player }
  }

  /// Deletes a guest without a session and with nothing left.
  mutating func forgetGuest(_ player: PlayerID) {
    guard players[player]?.email == nil, !sessions.values.contains(where: { $0.player == player }), isUnused(player)
    else { return }
    forget(player)
  }

  private mutating func trim(_ id: RoomID) {
    guard let room = rooms[id] else { return }
    let isDropped = { (segment: Int) in
      !(room.isOpen && segment >= room.snapshotSegment)
        && !room.games.values.contains {
          $0.firstSegment.map { $0 <= segment } ?? false && segment <= $0.lastSegment ?? segment
        }
    }
    guard room.chunks.contains(where: { isDropped($0.segment) }) else { return }
    rooms[id]?.chunks.removeAll { isDropped($0.segment) }
  }

  /// Erases the remaining data of a marked player.
  mutating func erase(_ player: PlayerID) {
    guard let mark = erasures[player], let ended = mark.ended else { return }
    let deletion = mark.began...ended
    erasures[player] = nil
    for (id, room) in rooms {
      let own = room.games.values.filter { $0.results.contains { $0.player == player } }
      guard room.visitors.contains(player) || !own.isEmpty else { continue }
      for (number, game) in room.games where game.ran(in: deletion) || own.contains(where: game.sharesSegment) {
        rooms[id]?.games[number]?.firstSegment = nil
        rooms[id]?.games[number]?.results.removeAll { $0.player == player }
      }
      trim(id)
      let kept = rooms[id]?.chunks ?? []
      // An unreadable chunk can't be replayed either, so it is deleted as a whole.
      rooms[id]?.chunks = kept.compactMap { chunk in
        (try? Journal.erasing(player, from: chunk.bytes)).map { (chunk.segment, $0) }
      }
      rooms[id]?.visitors.remove(player)
    }
    webhooks.forget(player)
    tracks.forget(rooms, erasures.keys)
    forget(player)
  }
}
