// A room that is really played, with its journal, for tests in which the store reads journals.
import Game
import Store
import Testing

/// A room with two players, 1 in seat 0 and 2 in seat 1.
struct PlayedRoom {
  let id: RoomID
  private(set) var room: Room
  private(set) var now = moment(1_790_000_000_000)
  private var writer = JournalWriter()
  private var effects = Effects()

  init(_ number: UInt128) throws {
    id = RoomID(number)
    let configuration = try RoomConfiguration(duration: .seconds(10))
    room = Room(configuration, seed: 1, at: now)
    writer.create(configuration, seed: 1, at: now)
  }

  var row: RoomRow { RoomRow(id: id, code: UInt64(id.value), openedAt: moment(0)) }

  mutating func apply(_ input: Input, from author: UInt128? = nil, after milliseconds: Int64 = 10) {
    now = now + .milliseconds(milliseconds)
    writer.append(input, from: author.map { PlayerID($0) }, at: now)
    room.apply(input, at: now, into: &effects)
  }

  mutating func join(_ players: UInt128...) {
    for player in players { apply(.join(PlayerID(player), nickname: Self.nickname(of: player)), from: player) }
  }

  mutating func chat(_ seat: Int, by player: UInt128) {
    apply(.chat(.seat(seat), text: Self.text(of: player)), from: player)
  }

  mutating func snapshot() {
    writer.append(snapshotOf: room, at: now)
  }

  /// The journal bytes since the last call, as a commit takes them.
  mutating func chunk() -> [(RoomID, [UInt8])] {
    var bytes: [UInt8] = []
    writer.take(into: &bytes)
    return [(id, bytes)]
  }

  static func nickname(of player: UInt128) -> String { "nick-of-\(player)" }
  static func text(of player: UInt128) -> String { "word-of-\(player)" }
}

extension PlayedRoom {
  /// Two players say hello and enter the room, which is open; player 1 has an account, and player 2 has blocked player
  /// 1. Both play game 1, with a chat each, only player 2 plays game 2.
  mutating func playTwoGames(in store: any Store, maintains: Bool) async throws {
    let (one, two) = (PlayerID(1), PlayerID(2))
    func maintainIfAsked() async throws { if maintains { try await store.maintain() } }
    try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2))
    try await store.commit([], register(1, "one@example.org", as: "one"), AccountChange.block(two, one))
    join(1, 2)
    try await store.commit(
      chunk(),
      RoomChange.open(row),
      RoomChange.addPresence(one, id),
      RoomChange.addPresence(two, id)
    )
    for (number, players) in [(UInt32(1), [UInt128(1), 2]), (2, [2])] {
      let game = gameRow(id.value, number, endedAt: Int64(number) * 1_000)
      snapshot()
      try await store.commit(chunk(), RoomChange.beginGame(game.id), RoomChange.markSnapshot(id))
      try await maintainIfAsked()
      for player in players { chat(Int(player) - 1, by: player) }
      try await store.commit(chunk())
      apply(.tick(through: .max))
      let results = players.enumerated().map { result($1, of: game, rank: $0 + 1) }
      try await store.commit(chunk(), GameChange.end(game, results))
      try await maintainIfAsked()
    }
  }
}

extension [UInt8] {
  func contains(text: String) -> Bool {
    let text = [UInt8](text.utf8)
    return count >= text.count
      && indices.dropLast(text.count - 1).contains { self[$0..<$0 + text.count].elementsEqual(text) }
  }
}
