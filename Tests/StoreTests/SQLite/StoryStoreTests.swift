// SQLite's stories: over a restart and an upgrade, in the check, piece by piece, and by indexes.
import GRDB
import Game
import Store
import Synchronization
import TestSupport
import Testing

@Suite("The SQLite store keeps stories")
struct StoryStoreTests {
  @Test("Posts, comments and likes are there after a restart, and a repeat counts nothing")
  func reopening() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.greet(1...2)
    try await store.write(post(1, text: "#바다", in: "KR"))
    try await store.commit([], like(1, by: 2), view(1, by: 2))
    try await store.change(StoryChange.comment(comment(1, on: 1, by: 2)))
    let opened = try await store.post(1, for: 2)
    store.close()
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    #expect(try await again.post(1, for: 2) == opened && opened?.seen.isLiked == true)
    let counts = PostCounts(likes: 1, views: 1, comments: 1)
    for change in [like(1, by: 2), view(1, by: 2)] {
      #expect(try await again.change(change) == .counted(counts, isChanged: false))
    }
    #expect(try await again.search("바").posts.numbers == [1])
  }

  @Test("A file without stories is upgraded")
  func upgrade() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.greet(1...1)
    try await store.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = 0; \(OlderMedia.sql) \(OlderStories.sql)")
      try db.execute(sql: "UPDATE schema SET version = 12")
    }
    store.close()
    #expect(throws: StoreFailure.self) { try SQLiteStore(folder: folder.path, isReadOnly: true) }
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    try await again.write(post(1))
    #expect(try await again.allPosts(for: 1).numbers == [1])
    #expect(try folder.complaints == [])
  }

  @Test(
    "The check finds stories that don't fit together",
    arguments: [
      ("UPDATE story_totals SET likes_count = 5", "totals"),
      ("UPDATE posts SET comments_count = 0", "comments"),
      ("DELETE FROM post_likes", "likes"),
      ("UPDATE post_likes SET post = 9", "not there"),
      ("UPDATE story_totals SET newest_post = 0", "number"),
      ("DELETE FROM listed_latest", "list"),
      ("UPDATE listed_likes SET likes_count = 7", "place in a list"),
      ("UPDATE post_lists SET posts_count = 2 WHERE kind = 2", "counts other posts"),
      ("INSERT INTO deleted_posts VALUES (1)", "deleted"),
      ("UPDATE post_texts SET search_text = 'other'", "search"),
      ("UPDATE post_texts SET countries = '12'", "read"),
    ]
  )
  func complaints(sql: String, complaint: String) async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.greet(1...2)
    try await store.write(post(1, text: "#바다", in: "KR"))
    try await store.commit([], like(1, by: 2), StoryChange.comment(comment(1, on: 1, by: 2)))
    #expect(try folder.complaints == [])
    try await store.pool.writeWithoutTransaction { try $0.execute(sql: sql) }
    store.close()
    let complaints = try folder.complaints
    #expect(complaints.contains { $0.contains(complaint) }, "\(complaints)")
  }

  @Test("What belongs to deleted posts, old views and old days are deleted from the file by maintenance")
  func leftovers() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.greet(1...3)
    try await store.write(post(1, text: "#바다 #산", in: "KR"))
    try await store.write(post(2))
    for start: UInt128 in [0, 250] {
      let comments = (start + 1...start + 250).map { StoryChange.comment(comment($0, on: 1, by: 2)).change }
      try await store.commit(Batch(at: moment(1), changes: comments))
    }
    try await store.commit([], like(1, by: 2), like(1, by: 3), view(1, by: 2), view(2, by: 2), view(2, by: 3))
    #expect(try await store.change(StoryChange.delete(PostID(1), author: PlayerID(1))) != .notFound)
    #expect(try folder.complaints == [])
    func count(_ tables: String...) async throws -> [Int?] {
      try await store.pool.read { db in
        try tables.map { try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \($0)") }
      }
    }
    #expect(try await count("comments", "post_likes", "post_views", "deleted_posts") == [500, 2, 3, 1])
    try await store.maintain(at: 10)
    #expect(try await count("comments", "post_likes", "post_views", "deleted_posts") == [0, 0, 3, 0])
    // Everyone's, the author's and the day's.
    #expect(try await count("post_lists", "listed_likes", "listed_latest", "listed_views") == [3, 3, 2, 2])
    #expect(try await count("post_texts", "post_search_docsize") == [1, 1])
    try await store.maintain(at: 40 * 86_400_000)
    #expect(try await count("post_views", "post_lists", "listed_likes") == [0, 2, 2])
    #expect(try folder.complaints == [])
    // The old day's list is known to the post still, by a number that another list may have by now.
    for player: UInt8 in 4...5 { try await store.change(hello(UInt128(player), device: player, session: player)) }
    try await store.write(post(3, of: 4, text: "#강"))
    try await store.change(like(2, by: 4))
    let edit = PostEdit(id: PostID(2), author: PlayerID(1), text: "#강 #산", at: moment(11))
    #expect(try await store.change(StoryChange.edit(edit)) != .notFound)
    try await store.change(like(2, by: 5))
    #expect(try folder.complaints == [])
    #expect(try await store.change(StoryChange.delete(PostID(2), author: PlayerID(1))) != .notFound)
    #expect(try folder.complaints == [])
  }

  @Test("An erasure with many rows is complete, and so is the file")
  func erasure() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.greet(1...3)
    for start: UInt128 in [0, 100] {
      let posts = (start + 1...start + 100).map { StoryChange.write(post($0, of: 1 + $0 % 2)).change }
      let likes = (start + 1...start + 100).map { like($0, by: 3).change }
      try await store.commit(Batch(at: moment(1), changes: posts + likes))
    }
    for start: UInt128 in [0, 250] {
      let comments = (start + 1...start + 250).map { StoryChange.comment(comment($0, on: 1, by: 3)).change }
      try await store.commit(Batch(at: moment(1), changes: comments))
    }
    try await store.delete(PlayerID(3))
    #expect(try await store.storyCounts() == StoryCounts(posts: 200))
    #expect(try folder.complaints == [])
    try await store.delete(PlayerID(2))
    #expect(try await store.storyCounts() == StoryCounts(posts: 100))
    #expect(try folder.complaints == [])
  }

  @Test("No query about stories scans a table or sorts")
  func plans() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.greet(1...2)
    try await store.write(post(1, text: "#바다", in: "KR"))
    try await store.commit([], like(1, by: 2), StoryChange.comment(comment(1, on: 1, by: 2)))
    let asked = Mutex<Set<String>>([])
    // Sequential reads always use the same connection.
    try await store.pool.read { db in
      db.trace { event in
        if case .statement(let statement) = event { asked.withLock { _ = $0.insert(statement.expandedSQL) } }
      }
    }
    for sort in FeedSort.allCases {
      #expect(try await store.feed(AskedFeed(by: sort, after: PostCursor(key: 9, number: 9)), for: 2).posts.count == 1)
    }
    for order in CommentOrder.allCases {
      #expect(try await store.post(1, for: 2, comments: order)?.comments.comments.count == 1)
    }
    #expect(try await store.comments(of: 1, for: 2)?.comments.count == 1)
    #expect(try await store.topPosts(since: 0, for: 2).count == 1)
    #expect(try await store.countries(since: 0, among: ["KR"]).count == 1)
    #expect(try await store.search("바 다").posts.count == 1)
    #expect(try await store.hashtags().count == 1)
    #expect(try await store.storyCounts().posts == 1)
    try await store.pool.read { $0.trace() }
    let statements = asked.withLock { $0 }.filter { $0.hasPrefix("SELECT") && !$0.contains("'main'.") }
    #expect(statements.count >= 15)
    for statement in statements {
      let plan = try await store.pool.read { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)").map { $0["detail"] as String }
      }
      for step in plan {
        let isSearch =
          step.hasPrefix("SEARCH") || step.contains("VIRTUAL TABLE INDEX") || step.contains("SUBQUERY")
        #expect(isSearch, "\(statement): \(step)")
      }
    }
  }
}
