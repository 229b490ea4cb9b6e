// The reads of the API: the console's views, rooms, games and results, each as one answer.
//
// On the operators' shard; blocking reads of the store are made beside it.
import ConsoleProtocol
import Game
import Gateway
import MadangProtocol
import Net
import Store
import WebSocket

extension OperatorAPI {
  private static let overviewRoomsDefault: Int32 = 20
  private static let overviewRooms: ClosedRange<Int32> = 0...1_000

  /// Answers a request that changes nothing; `json` is its message.
  func read(_ call: Call, _ json: [UInt8]) throws(APIFault) {
    do {
      switch call.route.target {
      case .act: preconditionFailure("an act is not read")
      case .document: answer(APIDescription.json, call)
      case .server: answer(console.hello(for: call.identity).consoleJSON, call)
      case .overview: try readOverview(FeedAskOverview(consoleJSON: json), call)
      case .history: readHistory(after: try FeedAskMinutes(consoleJSON: json).moment, call)
      case .view(let name): read(try ConsoleView(name, json), call)
      case .room: readRoom(try FeedWatchRoom(consoleJSON: json).room.roomID, call)
      case .games: readGames(of: try FeedGamesOfRoom(consoleJSON: json).room.roomID, call)
      case .game: try readGame(FeedAskGame(consoleJSON: json).gameID, call)
      case .track:
        let game = try FeedAskGame(consoleJSON: json).gameID
        answerReplay(call) { GameTrack.response(for: game, from: $0, acceptsGzip: $1) }
      case .gpx:
        let game = try FeedAskGame(consoleJSON: json).gameID
        answerReplay(call) { GameGPX.response(for: game, from: $0, acceptsGzip: $1) }
      case .players: readPlayers(try PlayerSearch(FeedFindPlayers(consoleJSON: json)), call)
      case .player: readPlayer(try FeedFileOfPlayer(consoleJSON: json).player.playerID, call)
      case .results: try readResults(FeedAskResults(consoleJSON: json), call)
      case .schools: try readSchools(SchoolsQuery(FeedFindSchools(consoleJSON: json)), call)
      case .land: readLand(try FeedAskLand(consoleJSON: json).land.landID, call)
      case .lands: try readLands(MapBox(FeedWatchPlaces(consoleJSON: json)), FeedAskLands(consoleJSON: json), call)
      }
    } catch let fault as APIFault {
      throw fault
    } catch {
      throw .invalid(ConsoleRequest.text(of: error, in: json))
    }
  }

  /// Answers a request with a value of the store as JSON, or with the store's failure; to be called on any queue.
  private func answering<Value: Sendable>(
    _ call: Call,
    _ json: @escaping @Sendable (Value) -> [UInt8]
  ) -> @Sendable (Result<Value, StoreFailure>) -> Void {
    let back = back()
    return { found in
      back { api in
        switch found {
        case .success(let value): api.answer(json(value), call)
        case .failure(let failure): api.answer(APIFault(failure).response, call)
        }
      }
    }
  }

  private func answer(_ json: [UInt8], _ call: Call) {
    answer(HTTPResponse.operator(200, "application/json", json), call)
  }

  private func readOverview(_ asked: FeedAskOverview, _ call: Call) throws {
    let rooms = asked.hasRooms ? asked.rooms : Self.overviewRoomsDefault
    guard Self.overviewRooms.contains(rooms) else {
      throw ConsoleFieldFault("rooms: a whole number, 0 to \(Self.overviewRooms.upperBound)")
    }
    let back = back()
    server.survey(busiestRooms: Int(rooms)) { survey in
      back { $0.answer(FeedOverview(survey).consoleJSON, call) }
    }
  }

  private func readHistory(after moment: Instant?, _ call: Call) {
    let back = back()
    console.readMinutes(after: moment) { _, minutes in
      back { $0.answer(FeedMinuteList.with { $0.rows = minutes }.consoleJSON, call) }
    }
  }

  private func read(_ view: ConsoleView, _ call: Call) {
    let back = back()
    let answer: @Sendable (@escaping @Sendable () -> FeedUpdate) -> Void = { make in
      back { $0.answer(make(), call) }
    }
    if case .places(let map) = view {
      console.readPlaces(on: map, answer)
    } else {
      console.read(view, for: call.identity, answer)
    }
  }

  /// Answers with the content of a view, or with the reason why its rows can't be read.
  private func answer(_ update: FeedUpdate, _ call: Call) {
    if let why = update.failure { return answer(APIFault(503, "STORE_UNAVAILABLE", why).response, call) }
    answer(update.contentJSON, call)
  }

  private func readRoom(_ id: RoomID, _ call: Call) {
    let back = back()
    console.readRoom(id) { make in
      back { api in
        guard let make else {
          return api.answer(APIFault(404, "ROOM_NOT_FOUND", "there is no room \(id)").response, call)
        }
        api.answer(make(), call)
      }
    }
  }

  private func readGames(of room: RoomID, _ call: Call) {
    let answer = answering(call) { (games: [ListedGame]) in
      FeedGameList.with { $0.rows = games.map(\.message) }.consoleJSON
    }
    ListedGame.all(of: room, on: server, answer)
  }

  private func readGame(_ id: GameID, _ call: Call) throws(APIFault) {
    let (back, store) = (back(), server.context.gateway.store)
    let isTaken = beside.run {
      let found = Result { () throws(StoreFailure) in try store.game(id) }
      back { api in
        switch found {
        case .success(let game?): api.answer(FeedEndedGame(game).consoleJSON, call)
        case .success(nil):
          api.answer(APIFault(404, "GAME_NOT_FOUND", "there is no game \(id) that has ended").response, call)
        case .failure(let failure): api.answer(APIFault(failure).response, call)
        }
      }
    }
    if !isTaken { throw .busy("other games are being read: come back") }
  }

  private func readPlayers(_ search: PlayerSearch, _ call: Call) {
    console.findPlayers(
      matching: search,
      answering(call) { players in FeedPlayerList.with { $0.rows = players }.consoleJSON }
    )
  }

  private func readPlayer(_ id: PlayerID, _ call: Call) {
    let back = back()
    console.readFile(of: id) { file in
      back { api in
        switch file {
        case .success(let file?): api.answer(file.consoleJSON, call)
        case .success(nil): api.answer(APIFault(404, "PLAYER_NOT_FOUND", "there is no player \(id)").response, call)
        case .failure(let failure): api.answer(APIFault(failure).response, call)
        }
      }
    }
  }

  private func readResults(_ asked: FeedAskResults, _ call: Call) throws {
    let player = try asked.player.playerID
    let limit = try ListPage.limit(asked.hasLimit ? asked.limit : nil)
    let cursor = asked.after.isEmpty ? nil : ResultCursor(asked.after)
    guard asked.after.isEmpty || cursor != nil else { throw ConsoleFieldFault.notNext }
    let answer = answering(call) { FeedResultPage($0, limit: limit).consoleJSON }
    server.context.gateway.store.results(of: player, before: cursor, limit: limit + 1, answer)
  }
}

extension OperatorAPI {
  /// The sides of the map have the names of those of a map of places.
  private func readLands(_ map: MapBox, _ asked: FeedAskLands, _ call: Call) throws {
    let limit = try ListPage.limit(asked.hasLimit ? asked.limit : nil)
    let last = asked.after.isEmpty ? nil : LandID(asked.after)
    guard asked.after.isEmpty || last != nil else { throw ConsoleFieldFault.notNext }
    let answer = answering(call) { FeedLandPage($0, limit: limit).consoleJSON }
    server.context.gateway.store.lands(in: map, after: last, limit: limit + 1, answer)
  }

  private func readLand(_ id: LandID, _ call: Call) {
    let back = back()
    server.context.gateway.store.land(id) { found in
      let json = found.map { $0.map { FeedOfferedLand($0.land).consoleJSON } }
      back { api in
        switch json {
        case .success(let json?): api.answer(json, call)
        case .success(nil): api.answer(APIFault(404, "LAND_NOT_FOUND", "there is no land \(id)").response, call)
        case .failure(let failure): api.answer(APIFault(failure).response, call)
        }
      }
    }
  }

  private func readSchools(_ query: SchoolsQuery, _ call: Call) throws(ConsoleFieldFault) {
    guard let page = console.findSchools(matching: query) else { throw ConsoleFieldFault.notNext }
    answer(page.consoleJSON, call)
  }
}

extension APIFault {
  fileprivate init(_ failure: StoreFailure) {
    self.init(503, "STORE_UNAVAILABLE", "\(failure)", headers: [HeaderField("Retry-After", "1")])
  }
}

extension FeedUpdate {
  /// The reason why the store could not be read for it.
  fileprivate var failure: String? {
    for (has, text) in [
      (sanctions.hasError, sanctions.error), (proposals.hasError, proposals.error), (places.hasError, places.error),
      (audit.hasError, audit.error), (reports.hasError, reports.error), (webhooks.hasError, webhooks.error),
    ] where has { return text }
    return nil
  }
}

extension FeedAskGame {
  fileprivate var gameID: GameID {
    get throws(ConsoleFieldFault) {
      guard let id = GameID(game) else { throw ConsoleFieldFault("game: {room}-{number}") }
      return id
    }
  }
}

extension FeedResultPage {
  /// A page, from one row more than its bound.
  fileprivate init(_ rows: [ResultRow], limit: Int) {
    let page = Page(rows, limit: limit)
    self = .with {
      $0.rows = page.rows.map(FeedGameResult.init)
      if let last = page.lastOfMore { $0.next = ResultCursor(of: last).text }
    }
  }
}

extension FeedOfferedLand {
  /// A land as it is offered: its last corner repeats the first.
  fileprivate init(_ land: Land) {
    let ring = land.vertices + land.vertices.prefix(1)
    self = .with {
      $0.name = land.name
      $0.latE7 = ring.map(\.latE7)
      $0.lngE7 = ring.map(\.lngE7)
    }
  }
}

extension FeedLandPage {
  /// A page, from one row more than its bound.
  fileprivate init(_ rows: [FoundLand], limit: Int) {
    let page = Page(rows, limit: limit)
    self = .with {
      $0.rows = page.rows.map(Row.init)
      if let last = page.lastOfMore { $0.next = last.id.description }
    }
  }
}

extension FeedLandPage.Row {
  fileprivate init(_ found: FoundLand) {
    self = .with {
      $0.land = found.id.description
      $0.name = found.land.name
      $0.lengthM = found.lengthMm / 1_000
      if let bestTimeMs = found.bestTimeMs { $0.bestTimeMs = bestTimeMs }
      $0.latE7 = found.middle.latE7
      $0.lngE7 = found.middle.lngE7
    }
  }
}

extension FeedEndedGame {
  fileprivate init(_ game: StoredGame) {
    self = .with {
      $0.game = game.row.id.description
      $0.mode = game.row.mode.name
      $0.startedAtMs = game.row.startedAt.milliseconds
      $0.endedAtMs = game.row.endedAt.milliseconds
      $0.results = game.results.map(FeedGameResult.init)
    }
  }
}

extension FeedGameResult {
  fileprivate init(_ row: ResultRow) {
    self = .with {
      $0.player = row.player.description
      $0.nickname = row.nickname
      $0.game = row.game.description
      $0.mode = row.mode.name
      if let land = row.land { $0.land = land.description }
      $0.endedAtMs = row.endedAt.milliseconds
      $0.points = row.points
      $0.distanceMm = row.distanceMm
      $0.timeMs = row.timeMs
      if let rank = row.givenRank { $0.rank = Int32(clamping: rank) }
      $0.won = row.won
      $0.completed = row.completed
      $0.calories = row.calories
      $0.latePercent = Int32(row.latePercent)
      $0.withheldPercent = Int32(row.withheldPercent)
    }
  }
}
