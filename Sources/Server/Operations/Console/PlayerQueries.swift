// The questions of consoles about players: where a connected player comes from.
//
// On the operators' one shard; the shards' answers become messages there.
import ConsoleProtocol
import Game
import MadangProtocol
import Net

extension Console {
  func answerNetwork(of player: PlayerID, _ id: Int32, _ feed: ConsoleFeed) {
    let (token, back) = (feed.connection.token, back())
    BanningAddresses(server: server).findNetwork(of: player) { found in
      back { console in
        guard let feed = console.feeds[token] else { return }
        guard let found else { return feed.refuse(id, BannedAddress.unknown(player)) }
        feed.reply(id) { $0.network = found.message }
      }
    }
  }
}

extension PlayerNetwork {
  fileprivate var message: FeedNetwork {
    .with {
      $0.address = address.description
      $0.players = Int64(othersCount)
      if let room { $0.room = room.description }
      if let code { $0.code = code.description }
    }
  }
}
