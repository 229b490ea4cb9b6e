// Parts of a list of fences, and their import into a store or by the running server; and their removal.
import ArgumentParser
import ConsoleProtocol
import Game
import Store

/// The offers of a file in parts. The sound ones of each fit one transaction, and one message to a server.
struct FenceParts: Sequence, IteratorProtocol {
  private static let offersMax = 1_000
  /// A message has 256 KiB. One fence takes up to 33 KiB.
  private static let bytesMax = 200 * 1_024
  private var rest: ArraySlice<FenceOffer>

  init(_ offers: [FenceOffer]) {
    rest = offers[...]
  }

  mutating func next() -> ArraySlice<FenceOffer>? {
    guard !rest.isEmpty else { return nil }
    var (count, bytes) = (0, 0)
    for offer in rest.prefix(Self.offersMax) {
      if let fence = try? offer.fence.get() { bytes += FeedOfferedFence(fence).consoleJSON.count + 1 }
      if count > 0, bytes > Self.bytesMax { break }
      count += 1
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

/// The outcome of an import for one fence.
enum FenceDifference {
  case added, replaced, unchanged
}

/// The known fences of a list, and the differences that an import makes.
struct KnownFences {
  private var bytes: [FenceID: [UInt8]] = [:]

  init(in store: SQLiteStore) throws {
    try store.fences { bytes[$0.id] = $0.bytes }
  }

  func difference(_ fence: Fence) -> FenceDifference {
    guard let known = bytes[fence.id] else { return .added }
    return known == fence.encoded ? .unchanged : .replaced
  }

  /// Checks that there is room for more.
  ///
  /// - Throws: `ValidationError`: nothing of such a file is imported.
  func check(_ fences: [Fence]) throws {
    let count = bytes.count + fences.count { bytes[$0.id] == nil }
    guard count <= StoredFence.countMax else {
      throw ValidationError(
        "nothing is imported: there would be \(count) fences, more than \(StoredFence.countMax)."
      )
    }
  }
}

extension OpenedList {
  /// Imports fences, each once: all of them, or none.
  func add(_ fences: [Fence]) async throws {
    guard !fences.isEmpty else { return }
    switch self {
    case .store(let store):
      let entry = AuditEntry.byCommand("importFences", "")
      let stored = fences.map { StoredFence(id: $0.id, bytes: $0.encoded, importedAt: entry.at) }
      let outcome = try await store.commit(ImportChange.fences(stored, entry))
      guard case .fences = outcome else { throw ValidationError("nothing more is imported: \(outcome.text).") }
    case .server(let feed, _):
      let request = FeedImportFences.with { $0.fences = fences.map(FeedOfferedFence.init) }
      _ = try feed.act("importFences", request.consoleJSON)
    }
  }

  /// Removes fences.
  func remove(_ ids: [FenceID]) async throws {
    switch self {
    case .store(let store):
      let outcome = try await store.commit(ImportChange.removeFences(ids, .byCommand("removeFences", "")))
      guard case .removedFences = outcome else { throw ValidationError("nothing is removed: \(outcome.text).") }
    case .server(let feed, _):
      let request = FeedRemoveFences.with { $0.fenceIds = ids.map(\.description) }
      _ = try feed.act("removeFences", request.consoleJSON)
    }
  }
}

extension FeedOfferedFence {
  fileprivate init(_ fence: Fence) {
    self.init()
    fenceID = fence.id.description
    name = fence.name
    if !fence.topic.isEmpty { topic = fence.topic }
    if let dwellS = fence.dwellS { self.dwellS = UInt32(dwellS) }
    if let opensAt = fence.opensAt { opensAtMs = opensAt.milliseconds }
    if let closesAt = fence.closesAt { closesAtMs = closesAt.milliseconds }
    switch fence.shape {
    case .circle(let circle):
      latE7 = circle.center.latE7
      lngE7 = circle.center.lngE7
      radiusMm = UInt32(circle.radiusMm)
    case .polygon(let polygon):
      let corners = polygon.corners
      ringLatE7 = (corners + corners.prefix(1)).map(\.latE7)
      ringLngE7 = (corners + corners.prefix(1)).map(\.lngE7)
    }
  }
}
