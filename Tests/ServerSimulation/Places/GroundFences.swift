// The way of a ground's fences into a world's store: with them before the first server, and with more of them while a
// server is down, as an operator's command does.
import Game
import Store

extension GroundFence {
  /// The row of the store.
  fileprivate func stored(at now: Instant) throws -> StoredFence {
    let shape: FenceShape =
      switch self.shape {
      case .circle(let northM, let eastM, let radiusM):
        .circle(
          try FenceCircle(
            center: Coordinate(latE7: Ground.latE7(northM), lngE7: Ground.lngE7(eastM)),
            radiusMm: Int64(radiusM * 1_000)
          )
        )
      case .polygon(let corners):
        .polygon(
          try FencePolygon(
            ring: (corners + corners.prefix(1)).map {
              Coordinate(latE7: Ground.latE7($0.0), lngE7: Ground.lngE7($0.1))
            }
          )
        )
      }
    let fence = try Fence(
      id: FenceID(UInt128(number)),
      name: "fence \(number)",
      topic: "ground",
      shape: shape,
      dwellS: dwellS,
      opensAt: openMs.map { Instant(milliseconds: $0.lowerBound) },
      closesAt: openMs.map { Instant(milliseconds: $0.upperBound) }
    )
    return StoredFence(id: fence.id, bytes: fence.encoded, importedAt: now)
  }
}

extension FaultyStore {
  /// Adds fences at once, with a row of the audit log.
  func importFences(_ fences: [GroundFence], at now: Instant) throws {
    let rows = try fences.map { try $0.stored(at: now) }
    let entry = AuditEntry(at: now, address: "127.0.0.1", action: "importFences", detail: "")
    inner.commit(Batch(at: now, changes: [ImportChange.fences(rows, entry).change])) { _ in }
  }
}
