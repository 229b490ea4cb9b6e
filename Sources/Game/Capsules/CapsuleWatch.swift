// One player's watch over capsules: it is fed with the accepted fixes, and tells which capsules can be opened from
// where the player is. A value of the player's presence, below 5 KB. Its owner asks the store for the capsules around.
//
// The first fix after a change is a look, and each that is 5 m from the newest look. A distance is that of the fix's
// centre; the steps keep a player at the edge of the 100 m from being told with every fix.

/// The capsules around one player.
package struct CapsuleWatch: Hashable, Sendable {
  /// The changes since the look before.
  package struct Changes: Hashable, Sendable {
    /// Capsules that can be opened now, the nearest to the area's centre first.
    package var openable: [NearCapsule] = []
    /// The numbers of those that can't any more, in their order.
    package var closed: [UInt64] = []

    package var isEmpty: Bool { openable.isEmpty && closed.isEmpty }
  }

  private var area: WatchArea?
  /// The nearest first, as seen from the centre; behind them those that came later.
  private var watched: ContiguousArray<NearCapsule> = []
  /// Numbers of those that can be opened, in order.
  private var openable: ContiguousArray<UInt64> = []
  private var newest: Coordinate?
  /// Whether something has changed since the newest look.
  private var isUnseen = false
  /// The way, as the area counts it, from which on a look can change something.
  private var dueMm: Int32 = 0

  package init() {}

  /// Whether a player at this place needs the capsules around it: `renew`. Until then the old ones count.
  package func needsCapsules(at place: Coordinate) -> Bool {
    area.map { !Geodesy.isWithin($0.renewalMm - 1, $0.center, place) } ?? true
  }

  /// Watches the capsules around a place: the nearest 256 of those within 1,000 m, of equally near ones those with the
  /// lowest numbers.
  ///
  /// - Returns: the numbers of those that could be opened and are not among them.
  package mutating func renew(around center: Coordinate, with capsules: some Sequence<NearCapsule>) -> [UInt64] {
    var near: [(mm: Int64, capsule: NearCapsule)] = []
    for capsule in capsules {
      guard let mm = Geodesy.distanceMm(center, capsule.place), mm <= WatchArea.reachMaxMm else { continue }
      near.append((mm, capsule))
    }
    near.sort { ($0.mm, $0.capsule.number) < ($1.mm, $1.capsule.number) }
    let isFull = near.count >= CapsuleRules.watchedMax
    let kept = near.prefix(CapsuleRules.watchedMax)
    let reachMm = isFull ? kept.last.map(\.mm) ?? 0 : WatchArea.reachMaxMm
    area = WatchArea(around: center, reachMm: reachMm, marginMm: CapsuleRules.openingMm + WatchArea.stepMm)
    watched = ContiguousArray(kept.lazy.map(\.capsule))
    isUnseen = true
    let known = Set(watched.lazy.map(\.number))
    let gone = openable.filter { !known.contains($0) }
    openable.removeAll { !known.contains($0) }
    return Array(gone)
  }

  /// Adds or moves a capsule near the player; further ones are ignored, and all beyond 256.
  package mutating func put(_ capsule: NearCapsule) {
    guard let area else { return }
    watched.removeAll { $0.number == capsule.number }
    isUnseen = true
    guard watched.count < CapsuleRules.watchedMax,
      Geodesy.isWithin(WatchArea.reachMaxMm, area.center, capsule.place)
    else { return }
    watched.append(capsule)
  }

  /// Removes a capsule. Returns whether it could be opened.
  package mutating func remove(_ number: UInt64) -> Bool {
    watched.removeAll { $0.number == number }
    guard let index = openable.firstIndex(of: number) else { return false }
    openable.remove(at: index)
    return true
  }

  /// Takes an accepted fix.
  package mutating func take(_ place: Coordinate) -> Changes {
    newest = place
    guard var area, isUnseen || area.isStep(to: place) else { return Changes() }
    let isInside = area.look(from: place)
    self.area = area
    // Outside of the area, where the store has not answered yet, the way is not counted.
    guard isUnseen || !isInside || area.travelledMm >= Int64(dueMm) else { return Changes() }
    isUnseen = !isInside
    return look(from: place, area)
  }

  private mutating func look(from place: Coordinate, _ area: WatchArea) -> Changes {
    var changes = Changes()
    var reached: ContiguousArray<UInt64> = []
    let openingMm2 = CapsuleRules.openingMm * CapsuleRules.openingMm
    var furthestOpenMm2: Int64?
    var nearestClosedMm2 = WatchArea.reachMaxMm * WatchArea.reachMaxMm
    let bounds = DistanceBounds(from: place)
    for capsule in watched {
      // Most are so far that a bound of the distance suffices, which needs no division.
      let atLeastMm2 = bounds.atLeastMm2(to: capsule.place)
      guard atLeastMm2 <= openingMm2 || atLeastMm2 < nearestClosedMm2 else { continue }
      guard let squaredMm2 = Geodesy.squaredDistanceMm2(place, capsule.place) else { continue }
      guard squaredMm2 <= openingMm2 else {
        nearestClosedMm2 = min(nearestClosedMm2, squaredMm2)
        continue
      }
      furthestOpenMm2 = max(furthestOpenMm2 ?? 0, squaredMm2)
      reached.append(capsule.number)
      if !openable.contains(capsule.number) { changes.openable.append(capsule) }
    }
    let closedMm = Geodesy.roundedSquareRoot(nearestClosedMm2)
    let untilClosedMm = furthestOpenMm2.map { CapsuleRules.openingMm - Geodesy.roundedSquareRoot($0) } ?? closedMm
    reached.sort()
    changes.closed = openable.filter { !reached.contains($0) }
    openable = reached
    dueMm = area.wayMm(toDistance: min(untilClosedMm, closedMm - CapsuleRules.openingMm))
    return changes
  }

  /// How far the player can go from the newest fix until the next look can matter, in mm; 0 before the first.
  package var quietMm: Int64 {
    guard !isUnseen, let area, let newest else { return 0 }
    return area.quietMm(from: newest, untilWayMm: dueMm)
  }

  /// The same in whole metres: at least 5, but 0 while nothing has been looked at.
  package var nextCheckM: Int64 {
    isUnseen || area == nil || newest == nil ? 0 : WatchArea.nextCheckM(quietMm: quietMm)
  }
}
