// The past games of a room, in pages.
//
// Part of `Rooms`, on the shard's queue; the store answers on a thread of its own.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension WireRoomGamesRequest: PageRequest {}

extension Rooms {
  func answerRoomGames(_ wire: WireRoomGamesRequest, _ request: PlayerRequest) {
    guard let room = request.session.room?.id else { return request.refuse(.notInRoom) }
    let (range, standard) = (Limits.roomGamesLimit, Limits.roomGamesLimitDefault)
    guard let (limit, number) = request.page(of: wire, in: range, default: standard, { UInt32($0) }) else {
      return
    }
    answerFromStore(request, orElse: .landNotFound) { store, _, finish in
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
