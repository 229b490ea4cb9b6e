// Deleted players' chats in the journals of rooms, over every back end. Chats are stored nowhere else.
import Game
import Store
import Testing

@Suite("Every store erases a deleted player's chats from journals")
struct ChatErasureContractTests {
  private static let one = PlayerID(1)

  @Test(
    "The player's chats and nickname are in no journal of a visited room, other players' are",
    arguments: BackEnd.allCases,
    [true, false]
  )
  func chatsAreGone(backEnd: BackEnd, maintains: Bool) async throws {
    try await backEnd.withStore { store in
      var played = try PlayedRoom(1)
      try await played.playTwoGames(in: store, maintains: maintains)
      // The chat comes in the very batch that deletes the player.
      played.chat(0, by: 1)
      try await store.commit(played.chunk(), DeletionChange.finish(Self.one, at: moment(9)))
      try await store.erase(Self.one)
      let journal = try #require(try store.liveRooms().first).journal
      #expect(!journal.contains(text: PlayedRoom.text(of: 1)))
      #expect(!journal.contains(text: PlayedRoom.nickname(of: 1)))
      #expect(journal.contains(text: PlayedRoom.text(of: 2)))
      #expect(journal.contains(text: PlayedRoom.nickname(of: 2)))
      let room = try #require(try RoomRecovery(from: journal)?.room)
      #expect(room.lastEventNumber == played.room.lastEventNumber)
      // The room goes on.
      played.chat(1, by: 2)
      try await store.commit(played.chunk())
      #expect(try RoomRecovery(from: try #require(try store.liveRooms().first).journal) != nil)
    }
  }

  @Test(
    "The chats of a player without a game are erased from the room, and its games stay",
    arguments: BackEnd.allCases
  )
  func onlyPresent(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2))
      var played = try PlayedRoom(1)
      let game = gameRow(1)
      played.join(1, 2)
      played.chat(0, by: 1)
      played.snapshot()
      try await store.commit(
        played.chunk(),
        RoomChange.open(played.row),
        RoomChange.addPresence(Self.one, played.id),
        RoomChange.beginGame(game.id)
      )
      try await store.commit([], GameChange.end(game, [result(2, of: game)]), RoomChange.close(played.id))
      try await store.maintain(at: 2_000)
      try await store.delete(Self.one)
      let journal = try #require(try store.journal(of: game.id))
      #expect(!journal.contains(text: PlayedRoom.text(of: 1)))
      #expect(journal.contains(text: PlayedRoom.nickname(of: 2)))
    }
  }

  @Test("Maintenance erases players for whom no one waits", arguments: BackEnd.allCases)
  func byMaintenance(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var played = try PlayedRoom(1)
      played.join(1, 2)
      played.chat(0, by: 1)
      try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2))
      try await store.commit(played.chunk(), RoomChange.open(played.row), RoomChange.addPresence(Self.one, played.id))
      try await store.change(DeletionChange.finish(Self.one, at: moment(9)))
      #expect(try store.liveRooms()[0].journal.contains(text: PlayedRoom.text(of: 1)))
      try await store.maintain()
      let journal = try store.liveRooms()[0].journal
      #expect(!journal.contains(text: PlayedRoom.text(of: 1)) && !journal.contains(text: PlayedRoom.nickname(of: 1)))
      #expect(journal.contains(text: PlayedRoom.nickname(of: 2)))
    }
  }
}
