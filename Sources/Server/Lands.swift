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
    _ request: WireCreateRoom,
    _ id: UInt32?,
    _ session: PlaySession,
    _ then: @escaping @Sendable (PlayService, [Land], PlaySession) -> Void
  ) {
    let range = RoomConfiguration.landsRange
    guard range.contains(request.landIds.count) else {
      return session.refuse(id, .outOfRange, "landIds: \(range.lowerBound) to \(range.upperBound)")
    }
    var ids: [LandID] = []
    for text in request.landIds {
      guard let land = LandID(text) else {
        return session.refuse(id, .landNotFound, "landIds: no land \(text.prefix(64))")
      }
      ids.append(land)
    }
    guard Set(ids).count == ids.count else { return session.refuse(id, .outOfRange, "landIds: each once") }
    guard payForQuery(id, session) != nil else { return }
    awaitAnswer(for: session) { answer in
      commons.store.lands(ids, answer)
    } then: { [ids] service, session, answer in
      switch answer {
      case .failure: session.refuseForStore(id)
      case .success(let lands):
        if let missing = ids.first(where: { id in !lands.contains { $0.id == id } }) {
          return session.refuse(id, .landNotFound, "landIds: no land \(missing)")
        }
        then(service, lands, session)
      }
    }
  }

  func findLands(_ request: WireFindLands, _ id: UInt32?, _ session: PlaySession) {
    let place = Coordinate(latE7: request.latE7, lngE7: request.lngE7)
    guard request.hasLatE7, request.hasLngE7, PositionRules.isOnMap(place) else {
      return session.refuse(id, .outOfRange, "latE7, lngE7: a place on Earth, up to 85° north and south")
    }
    let withinM = Int(request.withinM)
    guard Limits.landsWithinM.contains(withinM) else {
      let range = Limits.landsWithinM
      return session.refuse(id, .outOfRange, "withinM: \(range.lowerBound) to \(range.upperBound)")
    }
    read(id, session) { store, _, finish in
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

  func landRanking(_ request: WireLandRankingRequest, _ id: UInt32?, _ session: PlaySession) {
    let asked = request.hasTop ? request.top : nil
    guard let top = rows(asked, "top", in: Limits.rankingTop, default: Limits.rankingTopDefault, id, session) else {
      return
    }
    guard let land = LandID(request.landID) else { return session.refuse(id, .landNotFound) }
    let days = commons.configuration.days
    read(id, session) { store, player, finish in
      store.ranking(of: land, top: top, for: player, ownTimesMax: Limits.ownTimesMax) { ranking in
        finish(ranking.map { $0.map { .landRanking(WireLandRanking($0, to: player, days)) } })
      }
    }
  }

  func playerLands(_ request: WirePlayerLandsRequest, _ id: UInt32?, _ session: PlaySession) {
    let (range, standard) = (Limits.playerLandsLimit, Limits.playerLandsLimitDefault)
    guard let (limit, cursor) = page(of: request, in: range, default: standard, PlayerLandCursor.init, id, session)
    else {
      return
    }
    let other = PlayerID(request.playerID)
    guard other != nil || request.playerID.isEmpty else {
      return session.refuse(id, .outOfRange, "playerId: 32 hexadecimal digits")
    }
    let (directory, days) = (directory, commons.configuration.days)
    read(id, session, orElse: .playerNotFound) { store, player, finish in
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

  func roomGames(_ request: WireRoomGamesRequest, _ id: UInt32?, _ session: PlaySession) {
    guard let room = session.room?.id else { return session.refuse(id, .notInRoom) }
    let (range, standard) = (Limits.roomGamesLimit, Limits.roomGamesLimitDefault)
    guard let (limit, number) = page(of: request, in: range, default: standard, { UInt32($0) }, id, session) else {
      return
    }
    read(id, session) { store, _, finish in
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
