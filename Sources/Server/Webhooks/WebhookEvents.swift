// The events that an operator's backend is told of, as JSON. Values. Members have the names and forms that they have in
// players' messages. No event has a position.
import Game
import Gateway
import Store

extension WebhookEvent {
  /// Makes an event. `number` is drawn at random: receivers tell repeats by it.
  private init(
    _ type: WebhookEventType,
    _ number: UInt128,
    naming players: [PlayerID],
    at: Instant,
    _ write: (inout EventJSON) -> Void
  ) {
    var data = EventJSON()
    write(&data)
    var event = EventJSON()
    event.add("id", WebhookID(number).description)
    event.add("type", type.name)
    event.add("timestamp", at.utc)
    event.add("data", data)
    self.init(type: type, players: players, at: at, bytes: event.object, parts: event.parts)
  }

  /// A player's event at a fence.
  static func fence(_ number: UInt128, _ event: FenceEvent, at fence: Fence, of player: PlayerID, at now: Instant)
    -> Self
  {
    WebhookEvent(.fence, number, naming: [player], at: now) {
      $0.add("playerId", player.description)
      $0.add("fenceId", fence.id.description)
      $0.add("name", fence.name)
      $0.add("topic", fence.topic)
      $0.add("change", event.kind.name)
      $0.add("atMs", event.at.milliseconds)
    }
  }

  /// The end of a game with its board. A deleted player's row names nobody.
  static func gameEnded(_ number: UInt128, _ game: GameRow, _ board: [BoardRow], at now: Instant) -> Self {
    let named = board.filter { $0.nickname != ErasedText.text }.map(\.id)
    return WebhookEvent(.gameEnded, number, naming: named, at: now) {
      $0.add("roomId", game.id.room.description)
      $0.add("gameId", game.id.description)
      $0.add("mode", game.mode.name)
      if let land = game.land { $0.add("landId", land.description) }
      $0.add("startedAtMs", game.startedAt.milliseconds)
      $0.add("endedAtMs", game.endedAt.milliseconds)
      $0.add("board", board.map(EventJSON.init))
    }
  }

  static func playerDeleted(_ number: UInt128, _ player: PlayerID, at now: Instant) -> Self {
    WebhookEvent(.playerDeleted, number, naming: [], at: now) { $0.add("playerId", player.description) }
  }

  /// The beginning or the end of a player's suspicion, in a room or outside of rooms.
  static func suspect(
    _ number: UInt128,
    _ player: PlayerID,
    _ isSuspect: Bool,
    in room: RoomID?,
    at now: Instant
  ) -> Self {
    WebhookEvent(.suspect, number, naming: [player], at: now) {
      $0.add("playerId", player.description)
      $0.add("suspect", isSuspect)
      if let room { $0.add("roomId", room.description) }
      $0.add("atMs", now.milliseconds)
    }
  }

  /// An operator's try of a target.
  static func test(_ number: UInt128, at now: Instant) -> Self {
    WebhookEvent(.test, number, naming: [], at: now) { _ in }
  }
}

extension EventJSON {
  /// A row of a board.
  fileprivate init(_ row: BoardRow) {
    self.init()
    add("seat", row.seat)
    if row.nickname == ErasedText.text {
      add("nickname", row.nickname)
    } else {
      add(naming: row.id, nickname: row.nickname)
    }
    if let rank = row.givenRank { add("rank", rank) }
    add("points", Int(row.points))
    add("distanceM", Int(row.distanceMm / 1_000))
    add("timeS", Int(row.time.components.seconds))
    add("won", row.won)
    add("completed", row.completed)
    add("latePercent", Int(row.latePercent))
    add("withheldPercent", Int(row.withheldPercent))
  }
}
