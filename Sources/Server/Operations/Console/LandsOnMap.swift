// The lands that meet the box of a console's map, with their outlines.
//
// A value. Outlines are made on the store's thread. Lands change seldom and may be long, so a console reads them anew
// only after a change by an operator of this server, or after some seconds, for changes by commands.
import ConsoleProtocol
import Game
import MadangProtocol
import Net
import Store
import Synchronization

struct LandsOnMap: Sendable {
  private static let shownMax = 100
  private static let secondsMax: Int64 = 10

  let rows: [FeedPlaces.Land]
  let hasMore: Bool
  private let map: MapBox
  /// The number of changes of lands before the read.
  private let changes: UInt64
  private let readAt: Timestamp

  /// Reads the lands on a map. `completion` is called on any thread.
  static func read(
    _ map: MapBox,
    from context: ServerContext,
    at now: Timestamp,
    _ completion: @escaping Completion<LandsOnMap>
  ) {
    let changes = context.landChanges.load(ordering: .acquiring)
    context.gateway.store.lands(in: map, after: nil, limit: shownMax + 1) { found in
      completion(
        found.map { found in
          LandsOnMap(
            rows: found.prefix(shownMax).map(\.message),
            hasMore: found.count > shownMax,
            map: map,
            changes: changes,
            readAt: now
          )
        }
      )
    }
  }

  /// Whether a console may show it for this map.
  func isCurrent(on map: MapBox, in context: ServerContext, at now: Timestamp) -> Bool {
    self.map == map && changes == context.landChanges.load(ordering: .acquiring)
      && now < readAt.advanced(seconds: Self.secondsMax)
  }
}

extension FoundLand {
  /// An outline leaves out corners nearer to it than this part of the border.
  private static let outlineParts: Int64 = 2_048

  fileprivate var message: FeedPlaces.Land {
    .with {
      $0.land = id.description
      $0.name = land.name
      $0.lengthM = lengthMm / 1_000
      let outline = land.outline(
        toleranceMm: lengthMm / Self.outlineParts,
        verticesMax: Limits.outlineVerticesMax
      )
      $0.ringLatE7 = outline.map(\.latE7)
      $0.ringLngE7 = outline.map(\.lngE7)
    }
  }
}
