// Lands of a player.
//
// On the shard's queue; the store answers by `post`.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension WirePlayerLandsRequest: PageRequest {}

extension Records {
  func answerPlayerLands(_ wire: WirePlayerLandsRequest, _ request: PlayerRequest) {
    let (range, standard) = (Limits.playerLandsLimit, Limits.playerLandsLimitDefault)
    guard let (limit, cursor) = request.page(of: wire, in: range, default: standard, PlayerLandCursor.init)
    else {
      return
    }
    let other = PlayerID(wire.playerID)
    guard other != nil || wire.playerID.isEmpty else {
      return request.refuse(.outOfRange, "playerId: 32 hexadecimal digits")
    }
    let (directory, days) = (gateway.directory, days)
    answerFromStore(request, orElse: .playerNotFound) { store, player, finish in
      let isOwn = other == nil || other == player
      // A player's lands are shown to players who run there too, or share their room.
      let isVisible = isOwn || directory.isGroupShared(by: player, and: other ?? player)
      store.lands(of: other ?? player, sharedWith: isVisible ? nil : player, before: cursor, limit: limit + 1) {
        lands in
        finish(
          lands.map { lands in
            guard let lands, isVisible || !lands.isEmpty || cursor != nil else { return nil }
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
}

extension PlayerLandCursor {
  /// The cursor's text, which is opaque to clients.
  var text: String { "l-\(land)" }

  /// Reads the text that `text` writes; nil for any other text.
  init?(_ text: String) {
    guard text.hasPrefix("l-"), let land = LandID(String(text.dropFirst(2))) else { return nil }
    self.init(land: land)
  }
}
