// The console's view of places: the fences and lands that meet the box of a map, the capsules for everyone in it, and
// totals.
//
// Values. Of a capsule the view has what every player sees before opening it, and how often it was opened; never its
// text, and nothing of capsules that are not for everyone.
import ConsoleProtocol
import Game
import MadangProtocol
import Net
import Store

/// The fences that meet the box of a map, as messages.
struct FencesOnMap: Sendable {
  static let shownMax = 200

  let map: MapBox
  /// The catalogue that they are of.
  let generation: UInt64
  let rows: [FeedPlaces.Fence]
  /// The number of all of them.
  let count: Int

  init(_ map: MapBox, in catalogue: FenceCatalogue) {
    let found = catalogue.indices(on: map)
    let tallest = found.map { (heightE7: catalogue.heightE7(of: $0), index: $0) }
      .sorted { ($1.heightE7, $0.index) < ($0.heightE7, $1.index) }
    self.map = map
    generation = catalogue.generation
    rows = tallest.prefix(Self.shownMax).map { catalogue.fences[Int($0.index)].message }
    count = found.count
  }
}

extension FenceCatalogue {
  fileprivate func indices(on map: MapBox) -> [Int32] {
    let parts = map.lngs.flatMap { lngs in
      indices(
        southE7: map.lats.lowerBound,
        northE7: map.lats.upperBound,
        westE7: lngs.lowerBound,
        widthE7: lngs.upperBound - lngs.lowerBound
      )
    }
    return map.lngs.count > 1 ? Set(parts).sorted() : parts
  }
}

struct PlacesView: Sendable {
  /// More come as clusters.
  private static let capsulesShownMax = 200

  /// The part that is read from the store.
  struct Stored: Sendable {
    let capsules: CapsuleMap
    let lands: LandsOnMap
  }

  let fences: FencesOnMap
  let stored: Result<Stored, StoreFailure>
  let totals: PlaceTotals

  /// Reads what the store has on a map; `known` lands are not read again. `completion` is called on any thread.
  static func read(
    _ map: MapBox,
    _ known: LandsOnMap?,
    from context: ServerContext,
    at now: Timestamp,
    _ completion: @escaping Completion<Stored>
  ) {
    // Nobody's: what everyone sees is the same for all but for what they have opened.
    context.gateway.store.capsules(in: map, .everyone, of: PlayerID(0), limit: capsulesShownMax) { capsules in
      switch capsules {
      case .failure(let failure): completion(.failure(failure))
      case .success(let capsules):
        if let known { return completion(.success(Stored(capsules: capsules, lands: known))) }
        LandsOnMap.read(map, from: context, at: now) { lands in
          completion(lands.map { Stored(capsules: capsules, lands: $0) })
        }
      }
    }
  }

  /// The view, or the store's failure.
  var message: FeedPlaces {
    .with {
      switch stored {
      case .failure(let failure):
        $0.error = "\(failure)"
        return
      case .success(let stored):
        switch stored.capsules {
        case .capsules(let capsules): $0.capsules = capsules.map(\.message)
        case .clusters(let clusters): $0.clusters = clusters.map(\.message)
        }
        $0.lands = stored.lands.rows
        if stored.lands.hasMore { $0.moreLands = true }
      }
      $0.fences = fences.rows
      $0.fenceCount = Int64(fences.count)
      $0.totals = totals.message
    }
  }
}

extension Fence {
  fileprivate var message: FeedPlaces.Fence {
    .with {
      $0.fenceID = id.description
      $0.name = name
      $0.topic = topic
      if let dwellS { $0.dwellS = UInt32(dwellS) }
      if let opensAt { $0.opensAtMs = opensAt.milliseconds }
      if let closesAt { $0.closesAtMs = closesAt.milliseconds }
      switch shape {
      case .circle(let circle):
        $0.latE7 = circle.center.latE7
        $0.lngE7 = circle.center.lngE7
        $0.radiusMm = UInt32(circle.radiusMm)
      case .polygon(let polygon):
        let outline = polygon.outline(verticesMax: Limits.outlineVerticesMax)
        $0.ringLatE7 = outline.map(\.latE7)
        $0.ringLngE7 = outline.map(\.lngE7)
        $0.corners = Int64(polygon.corners.count)
      }
    }
  }
}

extension CapsuleSummary {
  fileprivate var message: FeedPlaces.Capsule {
    .with {
      $0.capsuleID = id.description
      $0.title = title
      $0.memoryDate = CivilDate(day: memoryDay).text
      $0.latE7 = place.latE7
      $0.lngE7 = place.lngE7
      $0.buriedAtMs = buriedAt.milliseconds
      $0.opens = openCount
    }
  }
}

extension CapsuleCluster {
  fileprivate var message: FeedPlaces.Cluster {
    .with {
      $0.latE7 = place.latE7
      $0.lngE7 = place.lngE7
      $0.count = count
    }
  }
}

extension PlaceTotals {
  fileprivate var message: FeedPlaces.Totals {
    .with {
      $0.fences = Int64(fences)
      $0.capsules = capsules.capsules
      $0.openings = capsules.openings
      $0.capsuleBytes = capsules.bytes
      $0.watching = Int64(watched)
      $0.resting = Int64(resting)
    }
  }
}
