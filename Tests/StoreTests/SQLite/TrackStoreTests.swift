// Links to games in files: the step from an older file, and the check of a store.
import Game
import GRDB
import Store
import TestSupport
import Testing

@Suite("The SQLite store keeps links to games in files")
struct TrackStoreTests {
  private static let game = GameID(room: RoomID(7), number: 1)
  private static let link = TrackLink(digest: digest(5), game: game, player: PlayerID(1), madeAt: moment(5))

  private func played(_ folder: TestFolder) async throws -> SQLiteStore {
    let store = try SQLiteStore(folder: folder.path)
    var played = try PlayedRoom(7)
    try await played.playTwoGames(in: store, maintains: false)
    return store
  }

  @Test("A file of schema 19 gets the tables, and its games can be shared")
  func olderSchema() async throws {
    let folder = try TestFolder()
    let store = try await played(folder)
    try await store.pool.write { try $0.execute(sql: "\(OlderTracks.sql) UPDATE schema SET version = 19") }
    store.close()
    #expect(throws: StoreFailure.self) { try SQLiteStore(folder: folder.path, isReadOnly: true) }
    let again = try SQLiteStore(folder: folder.path)
    let sharing = TrackSharing(linksCount: 1, showsWay: false)
    #expect(try await again.change(TrackChange.share(Self.link)) == .sharing(sharing))
    again.close()
    #expect(try SQLiteStore.check(folder: folder.path) == [])
  }

  @Test("The check finds a link whose game is no longer kept")
  func check() async throws {
    let folder = try TestFolder()
    let store = try await played(folder)
    try await store.change(TrackChange.share(Self.link))
    try await store.change(TrackChange.show(PlayerID(2), Self.game, true))
    #expect(try SQLiteStore.check(folder: folder.path) == [])
    try await store.pool.write { db in
      try db.execute(sql: "UPDATE games SET first_segment = NULL WHERE number = 1")
    }
    store.close()
    let complaint = "game \(Self.game) is shared, and its journal is no longer kept"
    #expect(try SQLiteStore.check(folder: folder.path) == [complaint])
  }
}
