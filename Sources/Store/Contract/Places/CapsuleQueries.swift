// The questions about capsules and their answers. Plain values, the same for every back end.
import Game

/// A question for what a player's watch knows as one capsule.
package struct CapsuleLookup: Hashable, Sendable {
  package let capsule: NearCapsule
  /// The player who asks.
  package let player: PlayerID

  package init(_ capsule: NearCapsule, for player: PlayerID) {
    self.capsule = capsule
    self.player = player
  }
}

/// A set of capsules, as one player sees them.
package enum CapsuleScope: Hashable, Sendable, CaseIterable {
  /// The player's own.
  case own
  /// Those that name the player.
  case sharedWithMe
  /// Those that are for everyone, the player's own among them.
  case everyone
}

/// An order of capsules. `latest` and `furthest` are exactly the reverse of `oldest` and `nearest`, in which the lower
/// identifier comes first where capsules are equal.
package enum CapsuleSort: Hashable, Sendable {
  /// By the memory's date.
  case latest, oldest
  /// By `SphereVector.measure` from a place, over the whole Earth.
  case nearest(Coordinate)
  case furthest(Coordinate)

  package var isDescending: Bool {
    switch self {
    case .latest, .furthest: true
    case .oldest, .nearest: false
    }
  }
}

/// A place in the list of capsules of one sort.
package struct CapsuleCursor: Hashable, Sendable {
  /// The memory's day, or the measure of the distance.
  package var key: Int64
  package var id: CapsuleID

  package init(key: Int64, id: CapsuleID) {
    self.key = key
    self.id = id
  }

  /// The place of a row in a list of this sort; the next page begins behind it.
  package init(of row: CapsuleSummary, in sort: CapsuleSort) {
    id = row.id
    switch sort {
    case .latest, .oldest: key = row.memoryDay
    case .nearest(let place), .furthest(let place):
      key = SphereVector(place).measure(to: SphereVector(row.place))
    }
  }

  package func isBefore(_ other: CapsuleCursor, descending: Bool) -> Bool {
    descending ? (other.key, other.id) < (key, id) : (key, id) < (other.key, other.id)
  }
}

/// The capsules of a map.
package enum CapsuleMap: Hashable, Sendable {
  /// All that lie in the box, by identifier.
  case capsules([CapsuleSummary])
  /// The clusters of the cells that meet the box, by cell. Each counts all capsules of its cell, so a cluster stays as
  /// it is while the map moves.
  case clusters([CapsuleCluster])
}

/// The capsules in one cell of the map.
package struct CapsuleCluster: Hashable, Sendable {
  package var count: Int64
  /// The mean of the places, in degrees.
  package var place: Coordinate

  package init(count: Int64, place: Coordinate) {
    self.count = count
    self.place = place
  }
}

/// The capsules of a scope that stand out; each is nil where the scope has none. The first of equal ones is that of
/// `CapsuleSort`: the lower identifier where the least is asked for, the higher one where the most is.
package struct CapsuleHighlights: Hashable, Sendable {
  package var nearest: CapsuleSummary?
  package var furthest: CapsuleSummary?
  /// Buried last.
  package var closedShortest: CapsuleSummary?
  /// Buried first.
  package var closedLongest: CapsuleSummary?
  /// By the memory's date, as are the oldest.
  package var newest: CapsuleSummary?
  package var oldest: CapsuleSummary?
  package var leastOpened: CapsuleSummary?
  package var mostOpened: CapsuleSummary?

  package init() {}
}
