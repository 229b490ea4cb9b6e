// SQLite's profiles: over a restart and an upgrade, in the check, and in an erasure. And what plans will earn.
import GRDB
import Game
import Store
import Synchronization
import TestSupport
import Testing

@Suite("The SQLite store keeps profiles and what was earned")
struct ProfileStoreTests {
  @Test("Profiles, experience and collectibles are there after a restart, and a repeat earns nothing")
  func reopening() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.greet(1...2)
    try await store.introduce(1, "걷는 사람")
    try await store.write(post(1, in: "KR"))
    try await store.change(like(1, by: 2))
    let profile = try await store.profile(of: 1)
    store.close()
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    #expect(try await again.profile(of: 1) == profile)
    #expect(profile?.experience == 5 && profile?.collectibles.count == 1 && profile?.introduction == "걷는 사람")
    for change in [StoryChange.write(post(1, in: "KR")), like(1, by: 2)] {
      #expect(try await again.news(of: change) == [])
    }
    #expect(try await again.profile(of: 1) == profile)
    #expect(try await again.experience(of: 2) == 1)
  }

  @Test("A file from before has what its posts, likes and opened capsules have earned")
  func upgrade() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    let hellos = (1...102).map { number in
      hello(UInt128(number), device: UInt8(number), session: UInt8(number)).change
    }
    try await store.commit(Batch(at: moment(0), changes: hellos))
    let effects = (0..<3).map { Sound($0, volumePercent: 50) }
    let countries = ["KR", "FR", "EG", "AU", "US", "BR", "KR", "KR", "KR", "KR"]
    for (number, country) in zip(UInt128(1)..., countries) {
      var new = post(number, in: country, writtenAt: Int64(number))
      if number == 3 { new.soundtrack = try #require(Soundtrack(music: Sound(1, volumePercent: 9), effects: effects)) }
      try await store.write(new)
    }
    try await store.write(post(20, of: 2, in: "JP", writtenAt: 30))
    let likes = (2...102).map { like(4, by: UInt128($0), at: 1_000 + Int64($0)).change }
    try await store.commit(Batch(at: moment(1), changes: likes))
    for number: UInt128 in 1...10 {
      try await store.bury(capsule(number))
      try await store.change(open(number, by: 2, 2_000 + Int64(number)))
    }
    try await store.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = 0; \(OlderProfiles.sql) UPDATE schema SET version = 15")
    }
    store.close()
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    let author = try #require(try await again.profile(of: 1))
    #expect(author.experience == 50 && author.posts == 10)
    let expected: [(Collectible, Int64)] = [
      (.asia, 1), (.europe, 2), (.africa, 3), (.fullSoundtrack, 3), (.oceania, 4), (.northAmerica, 5),
      (.southAmerica, 6), (.allContinents, 6), (.tenPosts, 10), (.likedPost, 1_101),
    ]
    #expect(author.collectibles == expected.map { AwardedCollectible($0.0, awardedAt: moment($0.1)) })
    let opener = try #require(try await again.profile(of: 2))
    #expect(opener.experience == 6)
    #expect(
      opener.collectibles == [
        AwardedCollectible(.asia, awardedAt: moment(30)), AwardedCollectible(.tenCapsules, awardedAt: moment(2_010)),
      ]
    )
    #expect(try await again.experience(of: 3) == 1)
    #expect(try folder.complaints == [])
  }

  @Test("A deletion leaves nothing, and a sound file, before and after each of its pieces")
  func erasure() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.greet(1...2)
    try await store.addPicture(7, of: 1)
    let edit = ProfileEdit(player: PlayerID(1), introduction: "하나", picture: .replaced(MediaID(7)))
    try await store.change(ProfileChange.edit(edit))
    for number: UInt128 in 1...12 { try await store.write(post(number, in: "KR")) }
    try await store.change(like(1, by: 2))
    #expect(try await store.change(DeletionChange.begin(PlayerID(1), at: moment(5))) == .ok)
    #expect(try folder.complaints == [])
    try await store.delete(PlayerID(1))
    #expect(try folder.complaints == [])
    let counts = try await store.pool.read { db in
      try ["profiles", "progress", "collectibles", "media_uses"].map {
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \($0)")
      }
    }
    #expect(counts == [0, 1, 0, 0])
  }

  @Test(
    "The check finds profiles and collectibles that don't fit together",
    arguments: [
      ("UPDATE progress SET experience = 54 WHERE openings_count = 0", "less experience"),
      ("UPDATE progress SET openings_count = 0", "fewer opened capsules"),
      ("DELETE FROM collectibles WHERE kind = 8", "lacks"),
      ("UPDATE progress SET openings_count = 10", "lacks"),
      ("UPDATE posts SET likes_count = 100", "lacks"),
      ("DELETE FROM collectibles WHERE kind = 3", "all continents"),
      ("DELETE FROM collectibles WHERE kind = 7", "all continents"),
      ("DELETE FROM profiles", "another picture"),
      ("UPDATE profiles SET picture = NULL", "another picture"),
      ("DELETE FROM media_uses", "another picture"),
    ]
  )
  func complaints(sql: String, complaint: String) async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.greet(1...2)
    try await store.addPicture(7, of: 1)
    let edit = ProfileEdit(player: PlayerID(1), introduction: "하나", picture: .replaced(MediaID(7)))
    try await store.change(ProfileChange.edit(edit))
    let countries = ["KR", "FR", "EG", "AU", "US", "BR", "KR", "KR", "KR", "KR", "KR"]
    for (number, country) in zip(UInt128(1)..., countries) { try await store.write(post(number, in: country)) }
    try await store.bury(capsule(1))
    try await store.commit([], like(1, by: 2), open(1, by: 2))
    #expect(try folder.complaints == [])
    try await store.pool.writeWithoutTransaction { try $0.execute(sql: sql) }
    store.close()
    let complaints = try folder.complaints
    #expect(complaints.contains { $0.contains(complaint) }, "\(complaints)")
  }

  @Test("A profile is read by indexes")
  func indexes() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.greet(1...2)
    try await store.write(post(1))
    let asked = Mutex<Set<String>>([])
    // Sequential reads always use the same connection.
    try await store.pool.read { db in
      db.trace { event in
        if case .statement(let statement) = event { asked.withLock { _ = $0.insert(statement.expandedSQL) } }
      }
    }
    #expect(try await store.profile(of: 1, for: 2)?.posts == 1)
    try await store.pool.read { $0.trace() }
    let statements = asked.withLock { $0 }.filter { $0.hasPrefix("SELECT") && !$0.contains("'main'.") }
    #expect(statements.count >= 4)
    for statement in statements {
      let plan = try await store.pool.read { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)").map { $0["detail"] as String }
      }
      for step in plan { #expect(!step.hasPrefix("SCAN"), "\(statement): \(step)") }
    }
  }
}
