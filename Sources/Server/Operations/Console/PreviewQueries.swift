// The console's previews of imports: the changes that they would make, and the faults of what is offered.
//
// On the operators' one shard. Offers are checked on the thread of imports, as the import itself checks them. Nothing
// is changed, so an import that follows is checked anew.
// Decisions: 163 (docs/decisions).
import ConsoleProtocol
import Game
import Net
import Store

extension Console {
  /// Answers with the changes that an import and a removal of fences would make.
  func answerPreview(of offered: [OfferedFence], without removed: [FenceID], _ id: Int32, _ feed: ConsoleFeed) {
    let (context, now) = (server.context, Instant(core.now))
    preview(id, feed) {
      let catalogue = context.fences.catalogue
      return offered.map { FeedPreviewRow($0, over: catalogue, context.presences, at: now) }
        + removed.map { FeedPreviewRow(removing: $0, from: catalogue, context.presences, at: now) }
    }
  }

  /// Answers with the changes that an import of lands would make.
  func answerPreview(of offered: [OfferedLand], _ id: Int32, _ feed: ConsoleFeed) {
    let (token, back, store) = (feed.connection.token, back(), server.context.gateway.store)
    let isTaken = server.context.imports.run {
      let surveyed = offered.map(\.land)
      let ids = surveyed.compactMap { try? $0.get().id }
      store.landNames(Set(ids)) { names in
        back { console in
          guard let feed = console.feeds[token] else { return }
          switch names {
          case .success(let known):
            feed.reply(id) { $0.preview = zip(offered, surveyed).map { FeedPreviewRow($0, $1, known) } }
          case .failure(let failure): feed.refuse(id, "\(failure)", code: "STORE_UNAVAILABLE")
          }
        }
      }
    }
    if !isTaken { feed.refuse(id, Self.busy, code: "BUSY") }
  }

  private static let busy = "other lists are being imported: come back"

  private func preview(_ id: Int32, _ feed: ConsoleFeed, _ rows: @escaping @Sendable () -> [FeedPreviewRow]) {
    let (token, back) = (feed.connection.token, back())
    let isTaken = server.context.imports.run {
      let rows = rows()
      back { $0.feeds[token]?.reply(id) { $0.preview = rows } }
    }
    if !isTaken { feed.refuse(id, Self.busy, code: "BUSY") }
  }
}

extension FeedPreviewRow {
  fileprivate init(_ offered: OfferedFence, over catalogue: FenceCatalogue, _ presences: Presences, at now: Instant) {
    let known = catalogue.index(of: offered.id).map { catalogue.fences[Int($0)] }
    self = .with {
      $0.id = offered.id.description
      $0.name = offered.name
      switch offered.fence {
      case .success(let fence):
        $0.change = known.map { $0.encoded == fence.encoded ? "unchanged" : "replaced" } ?? "added"
        $0.playersInside = Int64(presences.countInside(fence.shape, at: now))
      case .failure(let why):
        $0.change = "refused"
        $0.error = why.text
      }
    }
  }

  fileprivate init(removing id: FenceID, from catalogue: FenceCatalogue, _ presences: Presences, at now: Instant) {
    let known = catalogue.index(of: id).map { catalogue.fences[Int($0)] }
    self = .with {
      $0.id = id.description
      $0.change = known == nil ? "unknown" : "removed"
      guard let known else { return }
      $0.name = known.name
      $0.playersInside = Int64(presences.countInside(known.shape, at: now))
    }
  }

  fileprivate init(
    _ offered: OfferedLand,
    _ surveyed: Result<Land, OfferedLand.Refusal>,
    _ known: [LandID: String]
  ) {
    self = .with {
      $0.name = offered.name
      switch surveyed {
      case .success(let land):
        $0.id = land.id.description
        $0.change = known[land.id] == nil ? "added" : "unchanged"
        $0.lengthM = land.lengthMm / 1_000
      case .failure(let why):
        $0.change = "refused"
        $0.error = why.text
      }
    }
  }
}
