// Lists of capsules: pages by sort, those on a map, and the ones that stand out.
//
// On the shard's queue; the store answers by `post`.
import Game
import Gateway
import MadangProtocol
import Store

extension WireListCapsules: PageRequest {}

extension Places {
  func listCapsules(_ wire: WireListCapsules, _ request: PlayerRequest) {
    let (range, standard) = (Limits.capsulesLimit, Limits.capsulesLimitDefault)
    guard let (limit, cursor) = request.page(of: wire, in: range, default: standard, CapsuleCursor.init) else { return }
    guard let scope = scope(wire.scope, request) else { return }
    let sort: CapsuleSort
    switch wire.sort {
    case .unspecified, .latest: sort = .latest
    case .oldest: sort = .oldest
    case .nearest, .furthest:
      guard let place = place(wire.hasLatE7 ? wire.latE7 : nil, wire.hasLngE7 ? wire.lngE7 : nil, request) else {
        return
      }
      sort = wire.sort == .nearest ? .nearest(place) : .furthest(place)
    case .UNRECOGNIZED: return request.refuse(.outOfRange, "sort: NEAREST, FURTHEST, LATEST or OLDEST")
    }
    answerFromStore(request, orElse: .capsuleNotFound) { store, player, finish in
      store.capsules(scope, of: player, by: sort, after: cursor, limit: limit + 1) { found in
        finish(
          found.map { capsules in
            let page = Page(capsules, limit: limit)
            var answer = WireCapsules()
            answer.capsules = page.rows.map { WireCapsule($0, for: player, isOpened: false) }
            if let last = page.lastOfMore { answer.nextCursor = CapsuleCursor(of: last, in: sort).text }
            return .capsules(answer)
          }
        )
      }
    }
  }

  func answerCapsuleMap(_ wire: WireCapsuleMapRequest, _ request: PlayerRequest) {
    let map = MapBox(southE7: wire.southE7, westE7: wire.westE7, northE7: wire.northE7, eastE7: wire.eastE7)
    guard wire.hasSouthE7, wire.hasWestE7, wire.hasNorthE7, wire.hasEastE7, let map else {
      return request.refuse(.outOfRange, "southE7, westE7, northE7, eastE7: the sides of a map, all four of them")
    }
    guard let scope = scope(wire.scope, request) else { return }
    answerFromStore(request, orElse: .capsuleNotFound) { store, player, finish in
      store.capsules(in: map, scope, of: player, limit: Limits.capsulesOnMapMax) { found in
        finish(
          found.map { found in
            var answer = WireCapsuleMap()
            switch found {
            case .capsules(let capsules):
              answer.capsules = capsules.map { WireCapsule($0, for: player, isOpened: false) }
            case .clusters(let clusters): answer.clusters = clusters.map { WireCapsuleCluster($0) }
            }
            return .capsuleMap(answer)
          }
        )
      }
    }
  }

  func answerCapsuleHighlights(_ wire: WireCapsuleHighlightsRequest, _ request: PlayerRequest) {
    guard let scope = scope(wire.scope, request),
      let place = place(wire.hasLatE7 ? wire.latE7 : nil, wire.hasLngE7 ? wire.lngE7 : nil, request)
    else { return }
    answerFromStore(request, orElse: .capsuleNotFound) { store, player, finish in
      store.capsuleHighlights(scope, of: player, at: place) { found in
        finish(found.map { .capsuleHighlights(WireCapsuleHighlights($0, for: player)) })
      }
    }
  }

  /// The asked scope, one's own by default; nil, and the request is refused, for an unknown one.
  private func scope(_ wire: WireCapsuleScope, _ request: PlayerRequest) -> CapsuleScope? {
    switch wire {
    case .unspecified, .own: return .own
    case .shared: return .sharedWithMe
    case .everyone: return .everyone
    case .UNRECOGNIZED:
      request.refuse(.outOfRange, "scope: OWN, SHARED or EVERYONE")
      return nil
    }
  }

  private func place(_ latE7: Int32?, _ lngE7: Int32?, _ request: PlayerRequest) -> Coordinate? {
    do throws(CapsuleRefusal) {
      return try CapsuleField.place(latE7, lngE7)
    } catch {
      request.refuse(error.code, error.text)
      return nil
    }
  }
}

extension CapsuleCursor {
  /// The cursor's text, which is opaque to clients.
  fileprivate var text: String { "\(key).\(id)" }

  /// Reads the text that `text` writes; nil for any other text.
  fileprivate init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let key = Int64(parts[0]), let id = CapsuleID(String(parts[1])) else { return nil }
    self.init(key: key, id: id)
  }
}
