// The check of who refers to which pictures, and backups beside deletions.
import Dispatch
import GRDB
import Game
import Glibc
import Store
import Synchronization
import TestSupport
import Testing

@Suite("The SQLite store's pictures fit together")
struct MediaCheckTests {
  /// A capsule, a post and a profile with pictures 1, 2 and 3, and each of the first two without; picture 9 is unused.
  private func fill(_ store: SQLiteStore) async throws {
    try await store.greet(1...1)
    for id: UInt128 in [1, 2, 3, 9] { try await store.addPicture(id, of: 1) }
    var buried = capsule(1)
    buried.pictures = [MediaID(1)]
    try await store.bury(buried)
    try await store.bury(capsule(2))
    var written = post(1)
    written.pictures = [MediaID(2)]
    try await store.write(written)
    try await store.write(post(2))
    let edit = ProfileEdit(player: PlayerID(1), introduction: "하나", picture: .replaced(MediaID(3)))
    try await store.change(ProfileChange.edit(edit))
  }

  private static let nine = "x'00000000000000000000000000000009'"

  /// A picture that is referred to is used, so the damage is of nothing else.
  private static func refer(_ kind: Int, _ subject: Int) -> String {
    """
    INSERT INTO media_uses VALUES (\(kind), x'0000000000000000000000000000000\(subject)', \(nine));
    UPDATE media SET unused_since = NULL WHERE id = \(nine)
    """
  }

  private static func forget(_ kind: Int) -> String {
    "DELETE FROM media_uses WHERE kind = \(kind); UPDATE media SET unused_since = 5 WHERE id NOT IN (SELECT media FROM media_uses)"
  }

  @Test(
    "The check finds pictures that nobody refers to, and references that nobody has",
    arguments: [
      (forget(1), "capsule 00000000000000000000000000000001 has other pictures"),
      (forget(2), "post 00000000000000000000000000000001 has other pictures"),
      (forget(3), "another picture"),
      (refer(1, 1), "capsule 00000000000000000000000000000001 has other pictures"),
      (refer(1, 2), "capsule 00000000000000000000000000000002 has other pictures"),
      (refer(2, 1), "post 00000000000000000000000000000001 has other pictures"),
      (refer(2, 2), "post 00000000000000000000000000000002 has other pictures"),
      (refer(3, 1), "another picture"),
      (refer(1, 7), "media of capsule 00000000000000000000000000000007, which is not there"),
      (refer(2, 7), "media of post 00000000000000000000000000000007, which is not there"),
      (refer(3, 7), "media of profile 00000000000000000000000000000007, which is not there"),
      (refer(4, 1), "media of something 00000000000000000000000000000001, which is not there"),
      ("UPDATE post_texts SET pictures = x'' WHERE length(pictures) > 0", "has other pictures"),
      ("UPDATE post_texts SET pictures = \(nine) WHERE length(pictures) > 0", "has other pictures"),
      ("UPDATE media SET unused_since = 5", "used and unused"),
    ]
  )
  func complaints(sql: String, complaint: String) async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await fill(store)
    #expect(try folder.complaints == [])
    try await store.pool.writeWithoutTransaction { try $0.execute(sql: sql) }
    store.close()
    let complaints = try folder.complaints
    #expect(complaints.contains { $0.contains(complaint) }, "\(complaints)")
    #expect(complaints.allSatisfy { $0.contains("picture") || $0.contains("media of") || $0.contains("medium") })
  }

  @Test("A player who is deleted while a backup is made is not in it, and it is whole")
  func deletionBesideBackup() async throws {
    let (folder, copies) = (try TestFolder(), try TestFolder())
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await fill(store)
    try await store.greet(2...2)
    try await store.addPicture(8, of: 2)
    var others = post(3, of: 2)
    others.pictures = [MediaID(8)]
    try await store.write(others)
    let deletion = Deletion(of: PlayerID(1), in: store)
    // Both block.
    try await withCheckedThrowingContinuation { waiting in
      DispatchQueue(label: "backup").async {
        let (folder, copy) = (folder.path, copies.file("madang.sqlite"))
        waiting.resume(with: Result { try SQLiteStore.backup(folder: folder, to: copy) { deletion.runOnce() } })
      }
    }
    rename(copies.file("madang.sqlite.media"), copies.file("media"))
    #expect(try copies.complaints == [])
    let copy = try SQLiteStore(folder: copies.path, isReadOnly: true)
    defer { copy.close() }
    #expect(try await copy.media([1, 2, 3, 8, 9].map { MediaID($0) }).map(\.id) == [MediaID(8)])
  }

  @Test("A backup of a store that has lost a picture's file is made, and the check of both tells of it")
  func lostFile() async throws {
    let (folder, copies) = (try TestFolder(), try TestFolder())
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await fill(store)
    let digest = String(repeating: "02", count: 32)
    unlink(folder.file("media/02/\(digest).phone"))
    try SQLiteStore.backup(folder: folder.path, to: copies.path + "/madang.sqlite")
    rename(copies.file("madang.sqlite.media"), copies.file("media"))
    #expect(try folder.complaints == ["the files of a picture are missing: media/02/\(digest)"])
    #expect(try copies.complaints == folder.complaints)
  }
}

/// The deletion of a player in the middle of something that blocks.
private final class Deletion: Sendable {
  private let player: PlayerID
  private let store: SQLiteStore
  private let hasRun = Mutex(false)

  init(of player: PlayerID, in store: SQLiteStore) {
    (self.player, self.store) = (player, store)
  }

  func runOnce() {
    guard
      hasRun.withLock({ hasRun in
        defer { hasRun = true }
        return !hasRun
      })
    else { return }
    let ended = DispatchSemaphore(value: 0)
    Task {
      try await store.delete(player)
      ended.signal()
    }
    ended.wait()
  }
}
