// Capsules: memories that are buried at a place. Part of the contract. They are written by `CapsuleChange`.
//
// A capsule is visible to its owner, to everyone if it is for everyone, and to the players whom the owner has named;
// but only to its owner once it is hidden, and never to a player who has reported it or blocked its owner. No read
// hands out anything of another one; clusters of a map count those too that the player has reported or blocked.
// Distances are ordered by `SphereVector.measure`.
import Game

/// Capsules. Calls with a completion return at once, on any thread; the others block.
package protocol CapsuleStore: Sendable {
  /// A capsule; nil for one that is unknown or not visible to the player.
  func capsule(_ id: CapsuleID, visibleTo player: PlayerID, _ completion: @escaping Completion<CapsuleSummary?>)

  /// The places of up to `limit` of the capsules that are visible to a player within `withinM` metres of a place (at
  /// most 25 km), the nearest first, at equal distance the lower identifier first.
  func capsules(
    near place: Coordinate,
    withinM: Int,
    visibleTo player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<[NearCapsule]>
  )

  /// The capsules of lookups, in the order of these: for each all that lie there, have the number and are visible to
  /// the player of the lookup, by identifier. Mostly one; none where it lies there no more.
  func capsules(_ lookups: [CapsuleLookup], _ completion: @escaping Completion<[[CapsuleSummary]]>)

  /// Up to `limit` of a scope's capsules behind the cursor. The cursor is a place and no capsule: a page goes on there,
  /// whatever has become of the capsule.
  func capsules(
    _ scope: CapsuleScope,
    of player: PlayerID,
    by sort: CapsuleSort,
    after cursor: CapsuleCursor?,
    limit: Int,
    _ completion: @escaping Completion<[CapsuleSummary]>
  )

  /// A scope's capsules in the box of a map: each if there are at most `limit` (at most 256), else their clusters in
  /// the cells of `PlaceGrid`.
  func capsules(
    in map: MapBox,
    _ scope: CapsuleScope,
    of player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<CapsuleMap>
  )

  /// A scope's highlights, for a player at a place.
  func capsuleHighlights(
    _ scope: CapsuleScope,
    of player: PlayerID,
    at place: Coordinate,
    _ completion: @escaping Completion<CapsuleHighlights>
  )

  /// All capsules that a player has buried, as a whole, by the moment and then by the identifier.
  func capsules(ownedBy player: PlayerID, _ completion: @escaping Completion<[Capsule]>)

  /// The players to whom the owner shows a capsule by name, in order; nil where the owner has no such capsule.
  func playersNamed(
    by capsule: CapsuleID,
    of owner: PlayerID,
    _ completion: @escaping Completion<[PlayerID]?>
  )

  func capsuleCounts(_ completion: @escaping Completion<CapsuleCounts>)
}
