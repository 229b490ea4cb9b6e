// One player's watch over capsules: it is fed with the accepted fixes, and tells what can be opened from where the
// player is. A value of the player's presence: 2 KB where it is full. Its owner asks the store for the capsules around.
//
// The first fix after a change is a look, and each that is 5 m from the newest look. A distance is that of the fix's
// centre; the steps keep a player at the edge of the 100 m from being told with every fix.
// Decisions: 111 (docs/decisions).

/// The capsules around one player.
package struct CapsuleWatch: Hashable, Sendable {
  /// The changes since the look before, those nearest to the area's centre first.
  package struct Changes: Hashable, Sendable {
    /// Capsules that can be opened now.
    package var openable: [NearCapsule] = []
    /// Those that can't any more.
    package var closed: [NearCapsule] = []

    package var isEmpty: Bool { openable.isEmpty && closed.isEmpty }
  }

  private var area: WatchArea?
  /// The nearest first, as seen from the centre; behind them those that came later. Those that can be opened have a
  /// mark.
  private var watched: ContiguousArray<WatchedCapsule> = []
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
  /// - Returns: those that could be opened and are not among them.
  package mutating func renew(around center: Coordinate, with capsules: some Sequence<NearCapsule>) -> [NearCapsule] {
    var near: [(mm: Int64, capsule: WatchedCapsule)] = []
    near.reserveCapacity(capsules.underestimatedCount)
    for capsule in capsules {
      guard let mm = Geodesy.distanceMm(center, capsule.place), mm <= WatchArea.reachMaxMm,
        let capsule = WatchedCapsule(capsule, around: center)
      else { continue }
      near.append((mm, capsule))
    }
    near.sort { $0.mm == $1.mm ? WatchedCapsule.isBefore($0.capsule, $1.capsule) : $0.mm < $1.mm }
    let kept = near.prefix(CapsuleRules.watchedMax)
    let reachMm = near.count >= CapsuleRules.watchedMax ? kept.last?.mm ?? 0 : WatchArea.reachMaxMm
    let couldBeOpened = openable
    area = WatchArea(around: center, reachMm: reachMm, marginMm: CapsuleRules.openingMm + WatchArea.stepMm)
    // Of its exact size, in a new buffer.
    watched = []
    watched.reserveCapacity(kept.count)
    for (_, capsule) in kept where watched.last?.isSame(as: capsule) != true { watched.append(capsule) }
    isUnseen = true
    return couldBeOpened.filter { capsule in
      guard let index = index(of: capsule, around: center) else { return true }
      watched[index].isOpenable = true
      return false
    }
  }

  /// Those that can be opened.
  private var openable: [NearCapsule] {
    guard let center = area?.center else { return [] }
    return watched.lazy.filter(\.isOpenable).map { $0.capsule(around: center) }
  }

  private func index(of capsule: NearCapsule, around center: Coordinate) -> Int? {
    guard let capsule = WatchedCapsule(capsule, around: center) else { return nil }
    return watched.firstIndex { $0.isSame(as: capsule) }
  }

  /// Adds a capsule near the player; further ones are ignored, and all beyond 256. One that is known is told anew if it
  /// can be opened. One that has moved is still known where it was, and is not found there when it is looked up.
  package mutating func put(_ capsule: NearCapsule) {
    guard let area else { return }
    isUnseen = true
    if let index = index(of: capsule, around: area.center) {
      watched[index].isOpenable = false
    } else if watched.count < CapsuleRules.watchedMax,
      Geodesy.isWithin(WatchArea.reachMaxMm, area.center, capsule.place),
      let capsule = WatchedCapsule(capsule, around: area.center)
    {
      watched.append(capsule)
    }
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
    let openingMm2 = CapsuleRules.openingMm * CapsuleRules.openingMm
    var furthestOpenMm2: Int64?
    var nearestClosedMm2 = WatchArea.reachMaxMm * WatchArea.reachMaxMm
    let bounds = DistanceBounds(from: place, seenFrom: area.center)
    for index in watched.indices {
      let capsule = watched[index]
      var isOpenable = false
      // Most are so far that a bound of the distance suffices, which needs no division.
      let atLeastMm2 = bounds.atLeastMm2(northE7: capsule.northE7, eastE7: capsule.eastE7)
      if atLeastMm2 <= openingMm2 || atLeastMm2 < nearestClosedMm2,
        let squaredMm2 = Geodesy.squaredDistanceMm2(place, capsule.place(around: area.center))
      {
        isOpenable = squaredMm2 <= openingMm2
        if isOpenable {
          furthestOpenMm2 = max(furthestOpenMm2 ?? 0, squaredMm2)
        } else {
          nearestClosedMm2 = min(nearestClosedMm2, squaredMm2)
        }
      }
      guard isOpenable != capsule.isOpenable else { continue }
      watched[index].isOpenable = isOpenable
      let changed = capsule.capsule(around: area.center)
      if isOpenable { changes.openable.append(changed) } else { changes.closed.append(changed) }
    }
    let closedMm = Geodesy.roundedSquareRoot(nearestClosedMm2)
    let untilClosedMm = furthestOpenMm2.map { CapsuleRules.openingMm - Geodesy.roundedSquareRoot($0) } ?? closedMm
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
