// Capsules of the double, by looking at each of them. A value, part of the tables.
import Game
import Store

struct MemoryCapsules: Sendable {
  struct CapsuleEntry: Sendable {
    var capsule: Capsule
    /// The players whom the owner has named.
    var named: Set<PlayerID> = []
    /// The players who have opened it and are still known.
    var opened: Set<PlayerID> = []
  }

  private(set) var capsules: [CapsuleID: CapsuleEntry] = [:]
  /// The players of the change in hand who are known.
  private var known: MemoryStories.Players = [:]

  /// Writes a change where these players and media are known.
  mutating func write(
    _ change: CapsuleChange,
    knowing players: MemoryStories.Players,
    _ media: inout MemoryMedia,
    at now: Instant
  ) -> CapsuleOutcome {
    known = players
    defer { known = [:] }
    return write(change, &media, at: now)
  }

  /// Takes away what an owner has shared with a player.
  mutating func withdraw(from player: PlayerID, by owner: PlayerID) {
    for (id, entry) in capsules where entry.capsule.owner == owner { capsules[id]?.named.remove(player) }
  }

  private mutating func write(
    _ change: CapsuleChange,
    _ media: inout MemoryMedia,
    at now: Instant
  ) -> CapsuleOutcome {
    switch change {
    case .bury(let capsule, let players): return bury(capsule, sharedWith: players, &media, at: now)
    case .edit(let edit):
      guard let entry = entry(edit.id, of: edit.owner) else { return .notFound }
      let edited = edit.applied(to: entry.capsule) ?? entry.capsule
      if edited.pictures != entry.capsule.pictures {
        guard media.use(edited.pictures, by: edit.id.subject, of: edit.owner, at: now) else { return .mediaNotFound }
      }
      capsules[edit.id]?.capsule = edited
      return .edited(edited.summary(hasOpened: false))
    case .share(let id, let owner, let everyone, let with, let without):
      return share(id, of: owner, everyone: everyone, with: with, without: without)
    case .leave(let id, let player):
      capsules[id]?.named.remove(player)
      return .left
    case .delete(let id, let owner):
      guard entry(id, of: owner) != nil else { return .notFound }
      capsules[id] = nil
      _ = media.use([], by: id.subject, of: owner, at: now)
      return .deleted
    case .open(let id, let player, let place, _): return open(id, by: player, at: place)
    }
  }

  private func entry(_ id: CapsuleID, of owner: PlayerID) -> CapsuleEntry? {
    guard known[owner] != nil, let entry = capsules[id], entry.capsule.owner == owner else { return nil }
    return entry
  }

  private mutating func bury(
    _ capsule: Capsule,
    sharedWith players: [PlayerID],
    _ media: inout MemoryMedia,
    at now: Instant
  ) -> CapsuleOutcome {
    guard known[capsule.owner] != nil else { return .notFound }
    if let known = capsules[capsule.id] {
      return known.capsule.owner == capsule.owner ? .buried(known.capsule.summary(hasOpened: false)) : .notFound
    }
    let named = Set(players).subtracting([capsule.owner])
    guard capsules.values.count(where: { $0.capsule.owner == capsule.owner }) < Capsule.ownedMax,
      named.count <= Capsule.namedMax
    else { return .tooMany }
    let (nameable, full) = nameable(named, of: capsule.owner)
    guard full.isEmpty else { return .full(full) }
    guard media.use(capsule.pictures, by: capsule.id.subject, of: capsule.owner, at: now) else {
      return .mediaNotFound
    }
    var buried = capsule
    buried.openCount = 0
    buried.editedAt = nil
    buried.isHidden = false
    capsules[capsule.id] = CapsuleEntry(capsule: buried, named: nameable)
    return .buried(buried.summary(hasOpened: false))
  }

  private mutating func share(
    _ id: CapsuleID,
    of owner: PlayerID,
    everyone: Bool?,
    with: [PlayerID],
    without: [PlayerID]
  ) -> CapsuleOutcome {
    guard var entry = entry(id, of: owner) else { return .notFound }
    let after = entry.named.subtracting(without).union(with).subtracting([owner])
    guard after.count <= Capsule.namedMax || after.isSubset(of: entry.named) else { return .tooMany }
    let (new, full) = nameable(after.subtracting(entry.named), of: owner)
    guard full.isEmpty else { return .full(full) }
    entry.named.formIntersection(after)
    entry.named.formUnion(new)
    entry.capsule.isForEveryone = everyone ?? entry.capsule.isForEveryone
    capsules[id] = entry
    return .shared(entry.capsule.summary(hasOpened: false))
  }

  private func nameable(_ named: Set<PlayerID>, of owner: PlayerID) -> (players: Set<PlayerID>, full: [PlayerID]) {
    let players = named.filter { player in
      player != owner && known[player]?.blocked.contains(owner) == false
        && known[owner]?.blocked.contains(player) != true
    }
    let full = players.filter { player in
      let shared = capsules.values.filter { $0.named.contains(player) }
      let own = shared.filter { $0.capsule.owner == owner }
      return shared.count >= Capsule.sharedMax
        || own.count >= Capsule.sharedByOneMax && !own.contains { $0.opened.contains(player) }
    }
    return (players, full.sorted())
  }

  private mutating func open(_ id: CapsuleID, by player: PlayerID, at place: Coordinate) -> CapsuleOutcome {
    guard let reader = known[player], var entry = capsules[id], entry.isVisible(to: player, reader) else {
      return .notFound
    }
    guard entry.capsule.place == place else { return .placeChanged }
    guard player != entry.capsule.owner, entry.opened.insert(player).inserted else {
      return .opened(entry.capsule, isFirst: false)
    }
    entry.capsule.openCount += 1
    capsules[id] = entry
    return .opened(entry.capsule, isFirst: true)
  }

  mutating func hide(_ id: CapsuleID, isHidden: Bool) {
    capsules[id]?.capsule.isHidden = isHidden
  }

  /// Deletes a player's capsules, and the player's names in others.
  mutating func forget(_ player: PlayerID) {
    capsules = capsules.filter { $0.value.capsule.owner != player }
    for id in capsules.keys {
      capsules[id]?.named.remove(player)
      capsules[id]?.opened.remove(player)
    }
  }

  func capsule(_ id: CapsuleID, visibleTo player: PlayerID, _ reader: MemoryStories.Reader) -> CapsuleSummary? {
    capsules[id].flatMap { $0.isVisible(to: player, reader) ? $0.summary(for: player) : nil }
  }

  func capsules(
    near place: Coordinate,
    withinM: Int,
    visibleTo player: PlayerID,
    _ reader: MemoryStories.Reader,
    limit: Int
  ) -> [NearCapsule] {
    let visible = capsules.values.filter { $0.isVisible(to: player, reader) }.map { $0.summary(for: player) }
    let measureMax = SphereVector.measure(ofM: Int64(withinM))
    let near = visible.map { ($0, CapsuleCursor(of: $0, in: .nearest(place))) }.filter { $0.1.key <= measureMax }
    return near.sorted { $0.1.isBefore($1.1, descending: false) }.prefix(max(0, limit)).map {
      NearCapsule(number: $0.0.id.number, place: $0.0.place)
    }
  }

  func capsules(of lookup: CapsuleLookup, _ reader: MemoryStories.Reader) -> [CapsuleSummary] {
    let found = capsules.values.filter {
      $0.capsule.id.number == lookup.capsule.number && $0.capsule.place == lookup.capsule.place
        && $0.isVisible(to: lookup.player, reader)
    }
    return found.map { $0.summary(for: lookup.player) }.sorted { $0.id < $1.id }
  }

  /// The capsules of a scope; all for everyone without a reader, who may not see some of them.
  func capsules(_ scope: CapsuleScope, of player: PlayerID, _ reader: MemoryStories.Reader?) -> [CapsuleSummary] {
    capsules.values.filter { entry in
      switch scope {
      case .own: entry.capsule.owner == player
      case .sharedWithMe: entry.named.contains(player) && reader.map { entry.isVisible(to: player, $0) } ?? true
      case .everyone: entry.capsule.isListed && reader.map { entry.isVisible(to: player, $0) } ?? true
      }
    }.map { $0.summary(for: player) }
  }

  func capsules(
    _ scope: CapsuleScope,
    of player: PlayerID,
    _ reader: MemoryStories.Reader,
    by sort: CapsuleSort,
    after cursor: CapsuleCursor?,
    limit: Int
  ) -> [CapsuleSummary] {
    let all = capsules(scope, of: player, reader).map { ($0, CapsuleCursor(of: $0, in: sort)) }
    let behind = all.filter { row in cursor.map { $0.isBefore(row.1, descending: sort.isDescending) } ?? true }
    return behind.sorted { $0.1.isBefore($1.1, descending: sort.isDescending) }.prefix(max(0, limit)).map(\.0)
  }

  func capsules(
    in map: MapBox,
    _ scope: CapsuleScope,
    of player: PlayerID,
    _ reader: MemoryStories.Reader,
    limit: Int
  ) -> CapsuleMap {
    let grid = PlaceGrid(map)
    // Clusters count what the player has blocked or reported too.
    let all = capsules(scope, of: player, scope == .everyone ? nil : reader)
    let inside = all.filter { grid.contains($0.place) }
    guard inside.count > limit else {
      let seen = capsules(scope, of: player, reader).filter { grid.contains($0.place) }
      return .capsules(seen.sorted { $0.id < $1.id })
    }
    let sums = all.reduce(into: [PlaceCell: PlaceSum]()) { sums, row in
      let code = PlaceCode(row.place)
      sums[PlaceCell(code, level: grid.level), default: PlaceSum()] += code
    }
    return .clusters(sums.clusters(in: grid))
  }

  func capsuleHighlights(
    _ scope: CapsuleScope,
    of player: PlayerID,
    _ reader: MemoryStories.Reader,
    at place: Coordinate
  ) -> CapsuleHighlights {
    let all = capsules(scope, of: player, reader)
    func first(_ key: (CapsuleSummary) -> Int64) -> CapsuleSummary? {
      all.min { (key($0), $0.id) < (key($1), $1.id) }
    }
    func last(_ key: (CapsuleSummary) -> Int64) -> CapsuleSummary? {
      all.max { (key($0), $0.id) < (key($1), $1.id) }
    }
    func distance(_ row: CapsuleSummary) -> Int64 { CapsuleCursor(of: row, in: .nearest(place)).key }
    var highlights = CapsuleHighlights()
    (highlights.nearest, highlights.furthest) = (first(distance), last(distance))
    (highlights.oldest, highlights.newest) = (first(\.memoryDay), last(\.memoryDay))
    (highlights.closedLongest, highlights.closedShortest) = (
      first(\.buriedAt.milliseconds), last(\.buriedAt.milliseconds)
    )
    (highlights.leastOpened, highlights.mostOpened) = (first(\.openCount), last(\.openCount))
    return highlights
  }

  func capsules(ownedBy player: PlayerID) -> [Capsule] {
    capsules.values.map(\.capsule).filter { $0.owner == player }.sorted { ($0.buriedAt, $0.id) < ($1.buriedAt, $1.id) }
  }

  var capsuleCounts: CapsuleCounts {
    capsules.values.reduce(into: CapsuleCounts()) { counts, entry in
      counts.capsules += 1
      counts.openings += entry.capsule.openCount
      counts.bytes += entry.capsule.byteCount
    }
  }
}

extension CapsuleID {
  fileprivate var subject: MemoryMedia.Subject { MemoryMedia.Subject(kind: .capsule, id: value) }
}

extension MemoryCapsules.CapsuleEntry {
  func isShared(with player: PlayerID) -> Bool { capsule.isForEveryone || named.contains(player) }

  fileprivate func isVisible(to player: PlayerID, _ reader: MemoryStories.Reader) -> Bool {
    capsule.owner == player
      || (!capsule.isHidden && isShared(with: player) && !reader.blocked.contains(capsule.owner)
        && !reader.reported.contains(.capsule(capsule.id)))
  }

  fileprivate func summary(for player: PlayerID) -> CapsuleSummary {
    capsule.summary(hasOpened: opened.contains(player))
  }
}
