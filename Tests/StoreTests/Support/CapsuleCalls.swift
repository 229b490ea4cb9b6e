// The contract's calls for capsules and fences as tests use them; they wait for the answer. And sample capsules.
import Game
import Store
import Testing

/// A page of capsules that a test asks for. A class, as `AskedPage` is.
final class AskedCapsules: Sendable {
  let scope: CapsuleScope
  let sort: CapsuleSort
  let cursor: CapsuleCursor?
  let limit: Int

  init(_ scope: CapsuleScope, by sort: CapsuleSort, after cursor: CapsuleCursor? = nil, limit: Int = 50) {
    self.scope = scope
    self.sort = sort
    self.cursor = cursor
    self.limit = limit
  }
}

extension Store {
  func capsule(_ id: UInt128, visibleTo player: UInt128) async throws -> CapsuleSummary? {
    try await withCheckedContinuation { waiting in
      capsule(CapsuleID(id), visibleTo: PlayerID(player)) { waiting.resume(returning: $0) }
    }.get()
  }

  func capsules(
    near place: Coordinate,
    withinM: Int = 1_000,
    visibleTo player: UInt128,
    limit: Int = 257
  ) async throws -> [NearCapsule] {
    try await withCheckedContinuation { waiting in
      capsules(near: place, withinM: withinM, visibleTo: PlayerID(player), limit: limit) {
        waiting.resume(returning: $0)
      }
    }.get()
  }

  /// The capsule that a player knows; nil for one that is not there, or not visible.
  func lookUp(_ capsule: NearCapsule, for player: UInt128) async throws -> CapsuleSummary? {
    try await lookUp([CapsuleLookup(capsule, for: PlayerID(player))]).first?.first
  }

  func lookUp(_ lookups: [CapsuleLookup]) async throws -> [[CapsuleSummary]] {
    try await withCheckedContinuation { waiting in
      capsules(lookups) { waiting.resume(returning: $0) }
    }.get()
  }

  func page(_ asked: AskedCapsules, of player: UInt128) async throws -> [CapsuleSummary] {
    try await withCheckedContinuation { waiting in
      capsules(asked.scope, of: PlayerID(player), by: asked.sort, after: asked.cursor, limit: asked.limit) {
        waiting.resume(returning: $0)
      }
    }.get()
  }

  /// All capsules of a scope in a sort, page by page.
  func pages(
    _ scope: CapsuleScope,
    by sort: CapsuleSort,
    of player: UInt128,
    limit: Int
  ) async throws -> [CapsuleSummary] {
    var all: [CapsuleSummary] = []
    var page = try await page(AskedCapsules(scope, by: sort, limit: limit), of: player)
    while let last = page.last {
      all += page
      let next = AskedCapsules(scope, by: sort, after: CapsuleCursor(of: last, in: sort), limit: limit)
      page = try await self.page(next, of: player)
    }
    return all
  }

  func map(
    _ map: MapBox,
    _ scope: CapsuleScope = .everyone,
    of player: UInt128 = 1,
    limit: Int = 256
  ) async throws -> CapsuleMap {
    try await withCheckedContinuation { waiting in
      capsules(in: map, scope, of: PlayerID(player), limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  func highlights(
    _ scope: CapsuleScope,
    of player: UInt128,
    at place: Coordinate
  ) async throws -> CapsuleHighlights {
    try await withCheckedContinuation { waiting in
      capsuleHighlights(scope, of: PlayerID(player), at: place) { waiting.resume(returning: $0) }
    }.get()
  }

  func capsules(ownedBy player: UInt128) async throws -> [Capsule] {
    try await withCheckedContinuation { waiting in
      capsules(ownedBy: PlayerID(player)) { waiting.resume(returning: $0) }
    }.get()
  }

  func named(by capsule: UInt128, of owner: UInt128) async throws -> [PlayerID]? {
    try await withCheckedContinuation { waiting in
      playersNamed(by: CapsuleID(capsule), of: PlayerID(owner)) { waiting.resume(returning: $0) }
    }.get()
  }

  func capsuleCounts() async throws -> CapsuleCounts {
    try await withCheckedContinuation { waiting in capsuleCounts { waiting.resume(returning: $0) } }.get()
  }

  func allFences() throws -> [StoredFence] {
    var all: [StoredFence] = []
    try fences { all.append($0) }
    return all
  }

  /// Makes guests with these numbers.
  func greet(_ players: ClosedRange<UInt8>) async throws {
    for player in players { try await change(hello(UInt128(player), device: player, session: player)) }
  }

  /// Buries a capsule, which must not be refused.
  func bury(_ capsule: Capsule, sharedWith players: UInt128...) async throws {
    let outcome = try await change(CapsuleChange.bury(capsule, sharedWith: players.map { PlayerID($0) }))
    #expect(outcome == .buried(capsule.summary(hasOpened: false)))
  }
}

let seoul = Coordinate(latE7: 375_665_000, lngE7: 1_269_780_000)
let busan = Coordinate(latE7: 351_796_000, lngE7: 1_290_756_000)

func capsule(
  _ number: UInt128,
  of owner: UInt128 = 1,
  at place: Coordinate = seoul,
  day: Int64 = 20_000,
  buriedAt: Int64 = 5,
  forEveryone: Bool = true
) -> Capsule {
  Capsule(
    id: CapsuleID(number),
    owner: PlayerID(owner),
    title: "기억 \(number)",
    text: "text of \(number)",
    pictures: [],
    memoryDay: day,
    place: place,
    buriedAt: moment(buriedAt),
    isForEveryone: forEveryone
  )
}

func open(_ number: UInt128, by player: UInt128, at place: Coordinate = seoul, _ at: Int64 = 50) -> CapsuleChange {
  .open(CapsuleID(number), PlayerID(player), place: place, at: moment(at))
}
