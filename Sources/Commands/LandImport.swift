// Parts of a list of lands, and their addition to a store or by the running server.
import ConsoleProtocol
import Game
import Store

/// The offers of a file in parts. The sound ones of each fit one transaction, and one message to a server.
struct LandParts: Sequence, IteratorProtocol {
  private static let landsMax = 1_000
  /// The most corners of a part, unless it is one land: each takes up to 23 bytes of JSON.
  private static let cornersMax = 8_000
  private var rest: ArraySlice<LandOffer>

  init(_ offers: [LandOffer]) {
    rest = offers[...]
  }

  mutating func next() -> ArraySlice<LandOffer>? {
    guard !rest.isEmpty else { return nil }
    var (count, corners, bytes) = (0, 0, 0)
    for offer in rest.prefix(Self.landsMax) {
      corners += offer.ring.count
      // A name has at most 1,600 bytes; a control character, which none has, would take more in JSON.
      bytes += 100 + (offer.name?.utf8.count ?? 0)
      if count > 0, corners > Self.cornersMax || bytes > 32 * 1_024 { break }
      count += 1
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

extension OpenedList {
  /// Adds the lands of sound offers; returns for each whether it is new.
  func add(_ offers: [LandOffer]) async throws -> [Bool] {
    let lands = offers.compactMap { try? $0.land.get() }
    guard !lands.isEmpty else { return [] }
    switch self {
    case .store(let store): return try store.addLands(lands)
    case .server(let feed, let store):
      let known = try await withCheckedContinuation { waiting in
        store.landNames(Set(lands.map(\.id))) { waiting.resume(returning: $0) }
      }.get()
      let request = FeedImportLands.with {
        $0.lands = zip(offers, lands).map { offer, land in
          .with {
            $0.name = land.name
            $0.latE7 = offer.ring.map(\.latE7)
            $0.lngE7 = offer.ring.map(\.lngE7)
          }
        }
      }
      _ = try feed.act("importLands", request.consoleJSON)
      // Of equal lands in one part the first is the new one.
      var seen = Set(known.keys)
      return lands.map { seen.insert($0.id).inserted }
    }
  }
}
