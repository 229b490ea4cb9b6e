// Lands: near a place, for a room, their rankings; and the past games of a room.
//
// On the shard's thread; the store answers by `post`.
import Game
import MadangProtocol
import Net
import Store

extension PlayService {
  /// Finds the lands that a room is to be over; `then` goes on with them, or the request was refused.
  func landsOfRoom(
    _ wire: WireCreateRoom,
    _ request: PlayerRequest,
    _ then: @escaping @Sendable (PlayService, [Land], PlayerRequest) -> Void
  ) {
    let range = RoomConfiguration.landsRange
    guard range.contains(wire.landIds.count) else {
      return request.refuse(.outOfRange, "landIds: \(range.lowerBound) to \(range.upperBound)")
    }
    var ids: [LandID] = []
    for text in wire.landIds {
      guard let land = LandID(text) else {
        return request.refuse(.landNotFound, "landIds: no land \(text.prefix(64))")
      }
      ids.append(land)
    }
    guard Set(ids).count == ids.count else { return request.refuse(.outOfRange, "landIds: each once") }
    guard payForQuery(request) else { return }
    awaitAnswer(for: request) { answer in
      commons.store.lands(ids, answer)
    } then: { [ids] service, request, answer in
      switch answer {
      case .failure: request.refuseForStore()
      case .success(let lands):
        if let missing = ids.first(where: { id in !lands.contains { $0.id == id } }) {
          return request.refuse(.landNotFound, "landIds: no land \(missing)")
        }
        then(service, lands, request)
      }
    }
  }

  func findLands(_ wire: WireFindLands, _ request: PlayerRequest) {
    let place = Coordinate(latE7: wire.latE7, lngE7: wire.lngE7)
    guard wire.hasLatE7, wire.hasLngE7, PositionRules.isOnMap(place) else {
      return request.refuse(.outOfRange, "latE7, lngE7: a place on Earth, up to 85° north and south")
    }
    let withinM = Int(wire.withinM)
    guard Limits.landsWithinM.contains(withinM) else {
      let range = Limits.landsWithinM
      return request.refuse(.outOfRange, "withinM: \(range.lowerBound) to \(range.upperBound)")
    }
    read(request) { store, _, finish in
      store.lands(near: place, withinM: withinM, limit: Limits.nearbyLandsMax) { lands in
        finish(
          lands.map { lands in
            var answer = WireLands()
            answer.lands = lands.map(WireLandSummary.init)
            return .lands(answer)
          }
        )
      }
    }
  }

  func landRanking(_ wire: WireLandRankingRequest, _ request: PlayerRequest) {
    let asked = wire.hasTop ? wire.top : nil
    guard let top = rows(asked, "top", in: Limits.rankingTop, default: Limits.rankingTopDefault, request) else {
      return
    }
    guard let land = LandID(wire.landID) else { return request.refuse(.landNotFound) }
    let days = commons.configuration.days
    read(request) { store, player, finish in
      store.ranking(of: land, top: top, for: player, ownTimesMax: Limits.ownTimesMax) { ranking in
        finish(ranking.map { $0.map { .landRanking(WireLandRanking($0, to: player, days)) } })
      }
    }
  }

  func playerLands(_ wire: WirePlayerLandsRequest, _ request: PlayerRequest) {
    let (range, standard) = (Limits.playerLandsLimit, Limits.playerLandsLimitDefault)
    guard let (limit, cursor) = page(of: wire, in: range, default: standard, PlayerLandCursor.init, request)
    else {
      return
    }
    let other = PlayerID(wire.playerID)
    guard other != nil || wire.playerID.isEmpty else {
      return request.refuse(.outOfRange, "playerId: 32 hexadecimal digits")
    }
    let (directory, days) = (directory, commons.configuration.days)
    read(request, orElse: .playerNotFound) { store, player, finish in
      let isOwn = other == nil || other == player
      // Where somebody runs is for those who run there too, or are in their room.
      let isTold = isOwn || directory.isRoomShared(by: player, and: other ?? player)
      store.lands(of: other ?? player, sharedWith: isTold ? nil : player, before: cursor, limit: limit + 1) { lands in
        finish(
          lands.map { lands in
            guard let lands, isTold || !lands.isEmpty || cursor != nil else { return nil }
            let page = Page(lands, limit: limit)
            var answer = WirePlayerLands()
            answer.lands = page.rows.map {
              WirePlayerLand($0, isOwn ? $0.capturedAt : days.beginning(ofDayOf: $0.capturedAt))
            }
            if let last = page.lastOfMore { answer.nextCursor = PlayerLandCursor(of: last).text }
            return .playerLands(answer)
          }
        )
      }
    }
  }

  func roomGames(_ wire: WireRoomGamesRequest, _ request: PlayerRequest) {
    guard let room = request.session.room?.id else { return request.refuse(.notInRoom) }
    let (range, standard) = (Limits.roomGamesLimit, Limits.roomGamesLimitDefault)
    guard let (limit, number) = page(of: wire, in: range, default: standard, { UInt32($0) }, request) else {
      return
    }
    read(request) { store, _, finish in
      store.games(of: room, before: number, limit: limit + 1) { games in
        finish(
          games.map { games in
            let page = Page(games, limit: limit)
            var answer = WireRoomGames()
            answer.games = page.rows.map(WireRoomGame.init)
            if let last = page.lastOfMore { answer.nextCursor = String(last.row.id.number) }
            return .roomGames(answer)
          }
        )
      }
    }
  }
}

extension PlayerLandCursor {
  /// As clients keep it; what is in it is nothing to them.
  var text: String { "l-\(land)" }

  /// Reads what `text` writes; nil for anything else.
  init?(_ text: String) {
    guard text.hasPrefix("l-"), let land = LandID(String(text.dropFirst(2))) else { return nil }
    self.init(land: land)
  }
}
