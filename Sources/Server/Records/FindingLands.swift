// The lands near a place, those on a map, and one land with its ring.
//
// On the shard's queue; the store answers by `post`. Outlines are made on its thread.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Records {
  func findLands(_ wire: WireFindLands, _ request: PlayerRequest) {
    let hasBox = wire.hasSouthE7 || wire.hasWestE7 || wire.hasNorthE7 || wire.hasEastE7
    let hasPlace = wire.hasLatE7 || wire.hasLngE7 || wire.withinM > 0
    switch (hasPlace, hasBox) {
    case (true, true):
      request.refuse(.outOfRange, "either latE7, lngE7 and withinM, or southE7, westE7, northE7 and eastE7")
    case (_, false): findNearLands(wire, request)
    case (false, true): findLandsOnMap(wire, request)
    }
  }

  private func findNearLands(_ wire: WireFindLands, _ request: PlayerRequest) {
    let place = Coordinate(latE7: wire.latE7, lngE7: wire.lngE7)
    guard wire.hasLatE7, wire.hasLngE7, PositionRules.isOnMap(place) else {
      return request.refuse(.outOfRange, "latE7, lngE7: a place on Earth, up to 85° north and south")
    }
    let withinM = Int(wire.withinM)
    guard Limits.landsWithinM.contains(withinM) else {
      let range = Limits.landsWithinM
      return request.refuse(.outOfRange, "withinM: \(range.lowerBound) to \(range.upperBound)")
    }
    // Near a place all are in one answer.
    guard wire.cursor.isEmpty else { return request.refuseCursor() }
    let outlines = wire.outlines ? LandOutlines(heightMm: 2_000 * Int64(withinM)) : nil
    answerFromStore(request, orElse: .landNotFound) { store, _, finish in
      store.lands(near: place, withinM: withinM, limit: Limits.nearbyLandsMax) { lands in
        finish(
          lands.map { lands in
            var answer = WireLands()
            answer.lands = lands.map { WireLandSummary($0, outlines) }
            return .lands(answer)
          }
        )
      }
    }
  }

  private func findLandsOnMap(_ wire: WireFindLands, _ request: PlayerRequest) {
    let map = MapBox(southE7: wire.southE7, westE7: wire.westE7, northE7: wire.northE7, eastE7: wire.eastE7)
    guard wire.hasSouthE7, wire.hasWestE7, wire.hasNorthE7, wire.hasEastE7, let map else {
      return request.refuse(.outOfRange, "southE7, westE7, northE7, eastE7: the sides of a map, all four of them")
    }
    let cursor = MapCursor(wire.cursor)
    guard wire.cursor.isEmpty || wire.cursor.utf8.count <= Limits.cursorBytesMax && cursor != nil else {
      return request.refuseCursor()
    }
    let outlines = wire.outlines ? LandOutlines(of: map) : nil
    let limit = Limits.landsOnMapMax
    answerFromStore(request, orElse: .landNotFound) { store, _, finish in
      store.lands(in: map, after: cursor?.land, limit: limit + 1) { lands in
        finish(
          lands.map { lands in
            let page = Page(lands, limit: limit)
            var answer = WireLands()
            answer.lands = page.rows.map { WireLandSummary($0, outlines) }
            if let last = page.lastOfMore { answer.nextCursor = MapCursor(land: last.id).text }
            return .lands(answer)
          }
        )
      }
    }
  }

  func answerLand(_ wire: WireLandRequest, _ request: PlayerRequest) {
    guard let id = LandID(wire.landID) else { return request.refuse(.landNotFound) }
    answerFromStore(request, orElse: .landNotFound) { store, _, finish in
      store.land(id) { found in finish(found.map { $0.map { .land(WireLand($0)) } }) }
    }
  }
}

/// The detail of the outlines on a map: what a phone's screen of this height can show.
struct LandOutlines: Sendable {
  let toleranceMm: Int64

  init(heightMm: Int64) {
    toleranceMm = heightMm / Limits.outlineParts
  }

  init(of map: MapBox) {
    // A ten-millionth of a degree is 11.12 mm.
    self.init(heightMm: map.heightE7 * 1_112 / 100)
  }
}

/// The place behind a land in the pages of a map.
private struct MapCursor {
  let land: LandID

  init(land: LandID) {
    self.land = land
  }

  /// The cursor's text, which is opaque to clients.
  var text: String { "m-\(land)" }

  /// Reads the text that `text` writes; nil for any other text.
  init?(_ text: String) {
    guard text.hasPrefix("m-"), let land = LandID(String(text.dropFirst(2))) else { return nil }
    self.init(land: land)
  }
}
