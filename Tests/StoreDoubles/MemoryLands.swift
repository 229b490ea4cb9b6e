// Lands, runs and imports of the double. Part of `MemoryTables`.
import Game
import Store

extension MemoryTables {
  mutating func add(_ land: Land) -> Bool {
    guard !lands.contains(where: { $0.land.id == land.id }) else { return false }
    lands.append(MemoryLand(land: land))
    return true
  }

  mutating func add(_ run: LandRunResult, at: Instant) {
    guard players[run.player] != nil, let index = lands.firstIndex(where: { $0.land.id == run.land }),
      !(lands[index].runs[run.player] ?? []).contains(where: { $0.capturedAt == at })
    else { return }
    lands[index].runs[run.player, default: []].append(LandTime(timeMs: run.time.wholeMilliseconds, capturedAt: at))
  }

  mutating func write(_ change: ImportChange) -> ImportOutcome {
    let (outcome, entry): (ImportOutcome, AuditEntry) =
      switch change {
      case .lands(let lands, let entry): (.lands(lands.map { add($0) }), entry)
      case .renameLand(let land, let name, let entry): lands.rename(land, to: name, entry)
      case .schools(let edition, _, let entry): (.schools(schools.apply(edition)), entry)
      case .school(let correction, _, let entry): schools.correct(correction, entry)
      case .fences(let new, let entry): (fences.add(new), entry)
      case .removeFences(let ids, let entry): (fences.remove(ids), entry)
      }
    switch (change, outcome) {
    case (_, .tooManyFences), (_, .unknownSchool), (_, .unknownLand): break
    case (.school, _), (.renameLand, _): audit.append(entry)
    default: audit.append(entry.with(outcome))
    }
    return outcome
  }

  func lands(near place: Coordinate, withinMm: Int64, limit: Int) -> [NearbyLand] {
    let near = lands.compactMap { entry -> NearbyLand? in
      let distancesMm = entry.land.vertices.compactMap { Geodesy.distanceMm(place, $0) }
      guard let distanceMm = distancesMm.min(), distanceMm <= withinMm else { return nil }
      return NearbyLand(found(entry), distanceMm: distanceMm)
    }
    return Array(near.sorted { ($0.distanceMm, $0.id) < ($1.distanceMm, $1.id) }.prefix(limit))
  }

  func lands(in map: MapBox, after last: LandID?, limit: Int) -> [FoundLand] {
    let order = lands.indices.sorted { one, other in
      (LandBox(of: lands[one].land).heightE7, one) > (LandBox(of: lands[other].land).heightE7, other)
    }.map { lands[$0] }
    let rest = last.map { last in order.drop { $0.land.id != last }.dropFirst() } ?? order[...]
    return rest.filter { LandBox(of: $0.land).meets(map) }.prefix(limit).map(found)
  }

  func landNames(_ ids: Set<LandID>) -> [LandID: String] { lands.names(of: ids) }

  func land(_ id: LandID) -> FoundLand? { lands.first { $0.land.id == id }.map(found) }

  private func found(_ entry: MemoryLand) -> FoundLand {
    FoundLand(
      land: entry.land,
      lengthMm: entry.land.lengthMm,
      bestTimeMs: MemoryRankings(tables: self).ranked(entry).first?.timeMs
    )
  }

  func lands(of player: PlayerID, sharedWith other: PlayerID?, before cursor: PlayerLandCursor?, limit: Int)
    -> [PlayerLand]?
  {
    guard players[player] != nil else { return nil }
    let all = lands.filter { entry in other.map { entry.runs[$0] != nil } ?? true }.compactMap { entry in
      MemoryRankings(tables: self).ranked(entry).first { $0.player == player }.map { row in
        PlayerLand(
          land: entry.land.id,
          name: entry.land.name,
          timeMs: row.timeMs,
          rank: row.rank,
          capturedAt: row.capturedAt
        )
      }
    }
    let newestFirst = all.sorted { ($0.capturedAt, $0.land) > ($1.capturedAt, $1.land) }
    guard let cursor else { return Array(newestFirst.prefix(limit)) }
    return Array(newestFirst.drop { $0.land != cursor.land }.dropFirst().prefix(limit))
  }

  func games(of room: RoomID, before number: UInt32?, limit: Int) -> [StoredGame] {
    let ended = (rooms[room]?.games ?? [:]).filter { $0.value.row != nil && $0.key < number ?? .max }.keys.sorted(by: >)
    return ended.prefix(limit).compactMap { game(GameID(room: room, number: $0)) }
  }
}
