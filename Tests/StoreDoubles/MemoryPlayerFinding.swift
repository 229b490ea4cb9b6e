// Players of the double as operators find them. Part of `MemoryStore`.
import Game
import Store

extension MemoryStore {
  package func players(matching search: PlayerSearch, limit: Int, _ completion: @escaping Completion<[FoundPlayer]>) {
    respond(completion) { .success(MemoryPlayerFiles(tables: $0).players(matching: search, limit: limit)) }
  }

  package func file(of player: PlayerID, at now: Instant, _ completion: @escaping Completion<PlayerFile?>) {
    respond(completion) { .success(MemoryPlayerFiles(tables: $0).file(of: player, at: now)) }
  }
}

private struct MemoryPlayerFiles {
  let tables: MemoryTables

  func players(matching search: PlayerSearch, limit: Int) -> [FoundPlayer] {
    let all = tables.players.keys.sorted().compactMap(found)
    func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
    let byID = all.filter { search.identifiers?.contains($0.id) ?? false }
    let byEmail = all.filter { $0.email?.utf8.starts(with: search.email.utf8) ?? false }.sorted {
      precedes($0.email ?? "", $1.email ?? "")
    }
    let byNickname = all.filter { $0.nickname.utf8.starts(with: search.text.utf8) }.sorted { left, right in
      left.nickname.utf8.elementsEqual(right.nickname.utf8)
        ? left.id < right.id : precedes(left.nickname, right.nickname)
    }
    var known: Set<PlayerID> = []
    return Array((byID + byEmail + byNickname).filter { known.insert($0.id).inserted }.prefix(max(0, limit)))
  }

  private func found(_ id: PlayerID) -> FoundPlayer? {
    tables.players[id].map { player in
      FoundPlayer(
        id: id,
        nickname: player.nickname,
        email: player.email,
        madeAt: player.madeAt,
        registeredAt: player.registeredAt,
        sessionExpiresAt: tables.sessions.values.filter { $0.player == id }.map(\.expiresAt).max()
      )
    }
  }

  func file(of id: PlayerID, at now: Instant) -> PlayerFile? {
    guard let player = tables.players[id], let found = found(id) else { return nil }
    let visited = tables.rooms.values.filter { $0.visitors.contains(id) }
      .sorted { ($1.row.openedAt, $0.row.id) < ($0.row.openedAt, $1.row.id) }
    let rows = tables.audit(before: nil, limit: .max).filter { $0.player == id }
    let sanctions = SanctionKind.allCases.compactMap { player.sanction($0, at: now) }
    return PlayerFile(
      player: found,
      hasDevice: player.device != nil,
      browsers: player.browsers.values.sorted(by: >),
      sanctions: sanctions.sorted { $0.kind.rawValue < $1.kind.rawValue }.map { sanction in
        var shown = sanction
        if let ban = sanction.addressBan, ban.until <= now { shown.addressBan = nil }
        return shown
      },
      rooms: visited.prefix(PlayerFile.rowsMax).map { PlayerFile.Room(row: $0.row, isOpen: $0.isOpen) },
      results: tables.results(of: id, before: nil, limit: PlayerFile.rowsMax),
      audit: Array(rows.prefix(PlayerFile.rowsMax)),
      reportsMade: Int64(tables.moderation.reported(by: id).count),
      reportsReceived: tables.moderation.reportsReceived(
        by: id,
        tables.readers,
        tables.stories,
        tables.plans,
        tables.capsules
      ),
      warningsPending: Int64(tables.moderation.warnings(of: id).count)
    )
  }
}
