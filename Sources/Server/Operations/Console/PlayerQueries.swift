// The questions of consoles about players, absent ones too: who is found by a text, all of one player, and where a
// connected player comes from.
//
// On the operators' one shard; the store's answers and the shards' become messages there.
import ConsoleProtocol
import Game
import MadangProtocol
import Net
import Store

extension Console {
  func answerNetwork(of player: PlayerID, _ id: Int32, _ feed: ConsoleFeed) {
    let (token, back) = (feed.connection.token, back())
    BanningAddresses(server: server).findNetwork(of: player) { found in
      back { console in
        guard let feed = console.feeds[token] else { return }
        guard let found else { return feed.refuse(id, BannedAddress.unknown(player), code: "PLAYER_NOT_HERE") }
        feed.reply(id) { $0.network = found.message }
      }
    }
  }

  func answerPlayers(matching search: PlayerSearch, _ id: Int32, _ feed: ConsoleFeed) {
    let (token, back) = (feed.connection.token, back())
    findPlayers(matching: search) { found in
      back { console in
        guard let feed = console.feeds[token] else { return }
        switch found {
        case .success(let players): feed.reply(id) { $0.players = players }
        case .failure(let failure): feed.refuse(id, "\(failure)", code: "STORE_UNAVAILABLE")
        }
      }
    }
  }

  func answerFile(of player: PlayerID, _ id: Int32, _ feed: ConsoleFeed) {
    let (token, back) = (feed.connection.token, back())
    readFile(of: player) { file in
      back { console in
        guard let feed = console.feeds[token] else { return }
        switch file {
        case .success(let file?): feed.reply(id) { $0.file = file }
        case .success(nil): feed.refuse(id, "there is no player \(player)", code: "PLAYER_NOT_FOUND")
        case .failure(let failure): feed.refuse(id, "\(failure)", code: "STORE_UNAVAILABLE")
        }
      }
    }
  }

  /// Finds players, also for the API. `completion` is called on any queue.
  func findPlayers(
    matching search: PlayerSearch,
    _ completion: @escaping @Sendable (Result<[FeedFoundPlayer], StoreFailure>) -> Void
  ) {
    server.context.gateway.store.players(matching: search, limit: FoundPlayer.countMax) { found in
      completion(found.map { $0.map(\.message) })
    }
  }

  /// Reads all of one player, also for the API; nil for one who is unknown. `completion` is called on any queue.
  func readFile(
    of player: PlayerID,
    _ completion: @escaping @Sendable (Result<FeedPlayerFile?, StoreFailure>) -> Void
  ) {
    let moment = server.context.gateway.expiry.now(Instant(core.now))
    server.context.gateway.store.file(of: player, at: moment) { [server] file in
      BanningAddresses(server: server).findNetwork(of: player) { network in
        completion(file.map { $0?.message(network) })
      }
    }
  }
}

extension PlayerSearch {
  private static let charactersRange = 1...100

  /// Reads what an operator has typed.
  init(_ find: FeedFindPlayers) throws(ConsoleFieldFault) {
    self.init(find.text)
    // A text without anything visible would find everybody.
    guard Self.charactersRange.contains(find.text.count), !text.isEmpty else {
      throw ConsoleFieldFault(
        "text: \(Self.charactersRange.lowerBound) to \(Self.charactersRange.upperBound) characters"
      )
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

extension FoundPlayer {
  fileprivate var message: FeedFoundPlayer {
    .with {
      $0.player = id.description
      $0.nickname = nickname
      if let email { $0.email = email }
      if let madeAt { $0.madeAtMs = madeAt.milliseconds }
      if let registeredAt { $0.registeredAtMs = registeredAt.milliseconds }
      if let sessionExpiresAt { $0.seenAtMs = (sessionExpiresAt - Accounts.sessionTime).milliseconds }
    }
  }
}

extension PlayerFile {
  fileprivate func message(_ network: PlayerNetwork?) -> FeedPlayerFile {
    .with {
      $0.player = player.message
      $0.hasDevice_p = hasDevice
      $0.browsersSeenAtMs = browsers.map(\.milliseconds)
      $0.sanctions = sanctions.map(\.message)
      $0.rooms = rooms.map(\.message)
      $0.results = results.map(\.message)
      $0.actions = audit.map(\.actionMessage)
      $0.reportsMade = reportsMade
      $0.reportsReceived = reportsReceived
      $0.warningsPending = warningsPending
      if let network { $0.network = network.message }
    }
  }
}

extension Sanction {
  fileprivate var message: FeedPlayerFile.Sanction {
    .with {
      $0.kind = kind.rawValue
      $0.startedAtMs = since.milliseconds
      if let until { $0.endsAtMs = until.milliseconds }
      if !reason.isEmpty { $0.reason = reason }
      if let addressBan { $0.addressBanEndsAtMs = addressBan.until.milliseconds }
      if let room = addressBan?.room { $0.addressBanRoom = room.description }
    }
  }
}

extension PlayerFile.Room {
  fileprivate var message: FeedPlayerFile.Room {
    .with {
      $0.room = row.id.description
      $0.code = RoomCode(drawing: row.code).description
      $0.openedAtMs = row.openedAt.milliseconds
      $0.open = isOpen
    }
  }
}

extension ResultRow {
  fileprivate var message: FeedPlayerFile.Result {
    .with {
      $0.game = game.description
      $0.mode = mode.name
      $0.endedAtMs = endedAt.milliseconds
      $0.points = Int64(points)
      $0.distanceM = distanceMm / 1_000
      if let givenRank { $0.rank = Int64(givenRank) }
      $0.completed = completed
    }
  }
}

extension AuditRow {
  fileprivate var actionMessage: FeedPlayerFile.Action {
    .with {
      $0.atMs = at.milliseconds
      $0.action = action
      if !entry.operator.isEmpty { $0.operator = entry.operator }
      if !detail.isEmpty { $0.detail = detail }
      if !entry.reason.isEmpty { $0.reason = entry.reason }
    }
  }
}
