// The reads of capsules of the double.
import Game
import Store

extension MemoryStore {
  package func capsule(
    _ id: CapsuleID,
    visibleTo player: PlayerID,
    _ completion: @escaping Completion<CapsuleSummary?>
  ) {
    respond(completion) { .success($0.capsules.capsule(id, visibleTo: player, $0.reader(player))) }
  }

  package func capsules(
    near place: Coordinate,
    withinM: Int,
    visibleTo player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<[NearCapsule]>
  ) {
    respond(completion) {
      let reader = $0.reader(player)
      return .success(
        $0.capsules.capsules(near: place, withinM: withinM, visibleTo: player, reader, limit: limit)
      )
    }
  }

  package func capsules(_ lookups: [CapsuleLookup], _ completion: @escaping Completion<[[CapsuleSummary]]>) {
    respond(completion) { tables in .success(lookups.map { tables.capsules.capsules(of: $0, tables.reader($0.player)) })
    }
  }

  package func capsules(
    _ scope: CapsuleScope,
    of player: PlayerID,
    by sort: CapsuleSort,
    after cursor: CapsuleCursor?,
    limit: Int,
    _ completion: @escaping Completion<[CapsuleSummary]>
  ) {
    respond(completion) { tables in
      let reader = tables.reader(player)
      return .success(tables.capsules.capsules(scope, of: player, reader, by: sort, after: cursor, limit: limit))
    }
  }

  package func capsules(
    in map: MapBox,
    _ scope: CapsuleScope,
    of player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<CapsuleMap>
  ) {
    respond(completion) { .success($0.capsules.capsules(in: map, scope, of: player, $0.reader(player), limit: limit)) }
  }

  package func capsuleHighlights(
    _ scope: CapsuleScope,
    of player: PlayerID,
    at place: Coordinate,
    _ completion: @escaping Completion<CapsuleHighlights>
  ) {
    respond(completion) { .success($0.capsules.capsuleHighlights(scope, of: player, $0.reader(player), at: place)) }
  }

  package func capsules(ownedBy player: PlayerID, _ completion: @escaping Completion<[Capsule]>) {
    respond(completion) { .success($0.capsules.capsules(ownedBy: player)) }
  }

  package func playersNamed(
    by capsule: CapsuleID,
    of owner: PlayerID,
    _ completion: @escaping Completion<[PlayerID]?>
  ) {
    respond(completion) { tables in
      let entry = tables.capsules.capsules[capsule]
      return .success(entry?.capsule.owner == owner ? entry?.named.sorted() : nil)
    }
  }

  package func capsuleCounts(_ completion: @escaping Completion<CapsuleCounts>) {
    respond(completion) { .success($0.capsules.capsuleCounts) }
  }
}
