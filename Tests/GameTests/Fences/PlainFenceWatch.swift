// A look at every fence with every look, for comparison with a player's watch, which skips what can't matter. It shares
// the rule of one stay and the depths, and nothing of areas, ways and the catalogue's tree.
import Game

struct PlainFenceWatch {
  let fences: [Fence]
  private var stays: [FenceStay]
  private var lookedAt: (place: Coordinate, accuracyM: UInt32)?
  private var newest: Instant?

  init(_ fences: [Fence]) {
    self.fences = fences
    stays = Array(repeating: FenceStay(), count: fences.count)
  }

  mutating func take(_ place: Coordinate, accuracyM: UInt32, at time: Instant) -> Set<FenceEvent> {
    var events: Set<FenceEvent> = []
    for (index, fence) in fences.enumerated() where stays[index].isInside {
      let heard = newest.map { $0 + .seconds(120) } ?? time
      if stays[index].state == .inside, let due = stays[index].dwellDue(afterS: fence.dwellS),
        due <= min(time, heard, fence.closesAt ?? time)
      {
        stays[index].isDwellTold = true
        events.insert(FenceEvent(.dwelled, fence.id, at: due))
      }
      guard let closesAt = fence.closesAt, closesAt <= time else { continue }
      events.insert(FenceEvent(.left, fence.id, at: max(closesAt, stays[index].enteredAt)))
      stays[index] = FenceStay()
    }
    let hasOpened = fences.contains { fence in
      guard let opensAt = fence.opensAt, let newest else { return false }
      return opensAt > newest && opensAt <= time
    }
    newest = time
    if hasOpened || isLook(place, accuracyM) {
      lookedAt = (place, accuracyM)
      look(place, accuracyM, at: time, &events)
    }
    for (index, fence) in fences.enumerated() where stays[index].state == .inside {
      guard let due = stays[index].dwellDue(afterS: fence.dwellS), due <= time else { continue }
      stays[index].isDwellTold = true
      events.insert(FenceEvent(.dwelled, fence.id, at: time))
    }
    return events
  }

  private func isLook(_ place: Coordinate, _ accuracyM: UInt32) -> Bool {
    guard let lookedAt, !stays.contains(where: \.isWaiting) else { return true }
    guard let stepMm = Geodesy.distanceMm(lookedAt.place, place) else { return true }
    return stepMm + 1_000 * abs(Int64(accuracyM) - Int64(lookedAt.accuracyM)) >= 5_000
  }

  private mutating func look(
    _ place: Coordinate,
    _ accuracyM: UInt32,
    at time: Instant,
    _ events: inout Set<FenceEvent>
  ) {
    for (index, fence) in fences.enumerated() {
      if let opensAt = fence.opensAt, opensAt > time { continue }
      if let closesAt = fence.closesAt, closesAt <= time { continue }
      let hasChanged = stays[index].take(
        depthMm: fence.shape.depthMm(of: place),
        halfDepthMm: fence.shape.halfDepthMm,
        accuracyM: accuracyM,
        at: time
      )
      guard hasChanged else { continue }
      events.insert(FenceEvent(stays[index].isInside ? .entered : .left, fence.id, at: time))
    }
  }
}
