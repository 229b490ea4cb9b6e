// Posts and their changes, over every back end: who sees one, how it is edited, hidden and deleted.
import Game
import Store
import TestSupport
import Testing

@Suite("Every store keeps posts")
struct PostContractTests {
  @Test("A post is written once, whole, by a known player", arguments: BackEnd.allCases)
  func writing(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      var whole = post(1, text: "#바다 에서", in: "KR", "JP")
      whole.soundtrack = try #require(
        Soundtrack(
          music: Sound(2, volumePercent: 70),
          effects: [Sound(0, volumePercent: 0), Sound(8, volumePercent: 100)]
        )
      )
      for id in [7, UInt128.max] { try await store.addPicture(id, of: 1) }
      (whole.pictures, whole.place, whole.capsule) = ([MediaID(7), MediaID(.max)], seoul, CapsuleID(3))
      try await store.write(whole)
      let seen = SeenPost(post: whole, authorNickname: "가람", isLiked: false)
      #expect(try await store.post(1, for: 2) == OpenedPost(seen: seen, comments: CommentPage()))
      #expect(try await store.change(StoryChange.write(post(1))) == .written(whole))
      #expect(try await store.change(StoryChange.write(post(1, of: 2))) == .notFound)
      #expect(try await store.change(StoryChange.write(post(2, of: 9))) == .notFound)
      var counted = post(3)
      (counted.counts.likes, counted.version, counted.editedAt) = (9, 7, moment(9))
      #expect(try await store.change(StoryChange.write(counted)) == .written(post(3)))
      var effects = post(4)
      effects.soundtrack = try #require(Soundtrack(music: nil, effects: [Sound(1, volumePercent: 1)]))
      try await store.write(effects)
      #expect(try await store.post(4, for: 2)?.seen.post == effects)
      #expect(try await store.post(9, for: 1) == nil)
      #expect(try await store.storyCounts() == StoryCounts(posts: 3))
    }
  }

  @Test("Words that begin with marks are edited and deleted, and leave the search whole", arguments: BackEnd.allCases)
  func marks(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...1)
      try await store.write(post(1, text: "바다 에서"))
      let text = String(repeating: "!\u{301}b", count: 600)
      try await store.write(post(2, text: text))
      for number in 1...12 {
        let edit = PostEdit(id: PostID(2), author: PlayerID(1), text: "\(text) \(number)", at: moment(9))
        guard case .edited = try await store.change(StoryChange.edit(edit)) else { throw TestFailure("edit \(number)") }
      }
      #expect(try await store.search("바다").posts.numbers == [1])
      for id: UInt128 in [2, 1] {
        guard case .deleted = try await store.change(StoryChange.delete(PostID(id), author: PlayerID(1))) else {
          throw TestFailure("deletion of \(id)")
        }
      }
      #expect(try await store.search("바").posts.isEmpty)
    }
  }

  @Test("A post has its author's own pictures, all of them or none, until it is deleted", arguments: BackEnd.allCases)
  func pictures(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for id: UInt128 in 1...3 { try await store.addPicture(id, of: 1) }
      try await store.addPicture(4, of: 2)
      func write(_ id: UInt128, _ pictures: UInt128...) async throws -> StoryOutcome {
        var new = post(id)
        new.pictures = pictures.map { MediaID($0) }
        return try await store.change(StoryChange.write(new))
      }
      func edit(_ pictures: UInt128...) async throws -> StoryOutcome {
        let pictures = pictures.map { MediaID($0) }
        return try await store.change(
          StoryChange.edit(PostEdit(id: PostID(1), author: PlayerID(1), pictures: pictures, at: moment(9)))
        )
      }
      func kept() async throws -> [UInt128] { try await store.media((1...4).map { MediaID($0) }).map(\.id.value) }
      #expect(try await write(1, 1, 4) == .mediaNotFound)
      #expect(try await write(1, 1, 5) == .mediaNotFound)
      #expect(try await store.storyCounts() == StoryCounts())
      var written = post(1)
      written.pictures = [MediaID(2), MediaID(1)]
      #expect(try await write(1, 2, 1) == .written(written))
      #expect(try await edit(1, 4) == .mediaNotFound)
      #expect(try await store.post(1, for: 2)?.seen.post == written)
      guard case .edited(let edited, before: written, isHidden: false) = try await edit(1, 3) else {
        throw TestFailure("no edit")
      }
      #expect(edited.pictures == [MediaID(1), MediaID(3)])
      // The second picture is in no post any more, and the fourth was in none.
      let later = StoredMedia.unusedRetention.wholeMilliseconds + 1_000_000
      _ = try await store.maintain(at: later)
      #expect(try await kept() == [1, 3])
      #expect(try await store.change(StoryChange.delete(PostID(1), author: PlayerID(1))) == .deleted(edited))
      _ = try await store.maintain(at: 3 * later)
      #expect(try await kept() == [])
    }
  }

  @Test(
    "An edit replaces the given fields, names the version that it changes, and keeps the rest",
    arguments: BackEnd.allCases
  )
  func edits(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.write(post(1, text: "#바다 와 #산", in: "KR"))
      try await store.commit([], like(1, by: 2), view(1, by: 2), StoryChange.comment(comment(1, on: 1, by: 2)))
      var current = post(1, text: "#바다 와 #산", in: "KR")
      current.counts = PostCounts(likes: 1, views: 1, comments: 1)
      func edit(_ edit: PostEdit) async throws -> StoryOutcome { try await store.change(StoryChange.edit(edit)) }
      #expect(try await edit(PostEdit(id: PostID(1), author: PlayerID(2), title: "x", at: moment(9))) == .notFound)
      #expect(try await edit(PostEdit(id: PostID(9), author: PlayerID(1), title: "x", at: moment(9))) == .notFound)
      let nothing = PostEdit(id: PostID(1), author: PlayerID(1), version: 1, title: "여행", at: moment(9))
      #expect(try await edit(nothing) == .edited(current, before: current))
      let stale = PostEdit(id: PostID(1), author: PlayerID(1), version: 2, title: "x", at: moment(9))
      #expect(try await edit(stale) == .staleVersion(current))
      var edited = current
      (edited.text, edited.countries, edited.place) = ("#산 과 #강", [CountryCode("JP")].compactMap { $0 }, seoul)
      (edited.version, edited.editedAt) = (2, moment(9))
      let first = PostEdit(
        id: PostID(1),
        author: PlayerID(1),
        version: 1,
        text: edited.text,
        countries: edited.countries,
        place: .replaced(seoul),
        at: moment(9)
      )
      #expect(try await edit(first) == .edited(edited, before: current))
      #expect(try await edit(first) == .staleVersion(edited))
      #expect(try await store.post(1, for: 2)?.seen.post == edited)
      for (scope, isIn) in [("바다", false), ("산", true), ("강", true)] {
        let hashtag = try #require(Hashtag(scope))
        #expect(try await store.allPosts(.hashtag(hashtag), by: .likes, for: 2).count == (isIn ? 1 : 0), "\(scope)")
      }
      for (code, isIn) in [("KR", false), ("JP", true)] {
        #expect(try await store.allPosts(.country(try #require(CountryCode(code))), for: 2).count == (isIn ? 1 : 0))
      }
      #expect(try await store.search("바다").posts.isEmpty)
      #expect(try await store.search("강").posts.numbers == [1])
      let second = PostEdit(id: PostID(1), author: PlayerID(1), title: "바다", place: .removed, at: moment(10))
      (edited.title, edited.place, edited.version, edited.editedAt) = ("바다", nil, 3, moment(10))
      #expect(try await edit(second) != .notFound)
      #expect(try await store.post(1, for: 2)?.seen.post == edited)
      #expect(try await store.search("바다").posts.numbers == [1])
    }
  }

  @Test("A blocked author is not read by the player who blocked them, and may not answer", arguments: BackEnd.allCases)
  func blocks(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      try await store.write(post(1, of: 1))
      try await store.write(post(2, of: 2))
      try await store.write(post(3, of: 3))
      for number: UInt128 in 1...3 {
        try await store.change(StoryChange.comment(comment(number, on: 3, by: number)))
      }
      try await store.change(like(2, by: 1))
      try await store.change(AccountChange.block(PlayerID(1), PlayerID(2)))
      #expect(try await store.allPosts(for: 1, limit: 1).numbers == [3, 1])
      #expect(try await store.allPosts(.author(PlayerID(2)), for: 1) == [])
      #expect(try await store.search("text", for: 1).posts.numbers == [3, 1])
      #expect(try await store.topPosts(since: 0, for: 1).numbers == [3, 1])
      #expect(try await store.post(2, for: 1) == nil)
      #expect(try await store.comments(of: 2, for: 1) == nil)
      #expect(try await store.post(3, for: 1)?.comments.comments.map(\.comment.author.value) == [1, 3])
      #expect(try await store.comments(of: 3, for: 1, .newest)?.comments.map(\.comment.author.value) == [3, 1])
      #expect(try await store.allPosts(for: 2).numbers == [3, 2, 1])
      for change in [
        like(2, by: 1), view(2, by: 1), .unlike(PostID(2), PlayerID(1)), .comment(comment(9, on: 2, by: 1)),
      ] {
        #expect(try await store.change(change) == .notFound)
      }
      #expect(try await store.change(like(1, by: 2)) == .blocked)
      #expect(try await store.change(StoryChange.comment(comment(9, on: 1, by: 2))) == .blocked)
      #expect(try await store.change(view(1, by: 2)) == .counted(PostCounts(views: 1), isChanged: true))
      try await store.change(AccountChange.unblock(PlayerID(1), PlayerID(2)))
      #expect(try await store.post(2, for: 1)?.seen.isLiked == true)
    }
  }

  @Test("A hidden post or comment is its author's alone", arguments: BackEnd.allCases)
  func hiding(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.write(post(1, text: "#바다", in: "KR"))
      try await store.change(StoryChange.comment(comment(1, on: 1, by: 2)))
      try await store.change(StoryChange.comment(comment(2, on: 1, by: 1)))
      func hide(_ subject: StorySubject, _ isHidden: Bool = true) async throws -> StoryOutcome {
        try await store.change(StoryChange.hide(subject, isHidden: isHidden))
      }
      for _ in 1...2 { #expect(try await hide(.comment(CommentID(1))) == .hidden) }
      #expect(try await hide(.comment(CommentID(9))) == .notFound)
      #expect(try await hide(.post(PostID(9))) == .notFound)
      #expect(try await store.post(1, for: 1)?.seen.post.counts.comments == 1)
      #expect(try await store.comments(of: 1, for: 1)?.comments.map(\.comment.id.value) == [2])
      #expect(try await store.comments(of: 1, for: 2)?.comments.map(\.isHidden) == [true, false])
      for _ in 1...2 { #expect(try await hide(.post(PostID(1))) == .hidden) }
      #expect(try await store.post(1, for: 2) == nil)
      #expect(try await store.post(1, for: 1)?.seen.isHidden == true)
      let (korea, sea) = (try #require(CountryCode("KR")), try #require(Hashtag("바다")))
      for scope in [FeedScope.everyone, .country(korea), .hashtag(sea)] {
        for player: UInt128 in 1...2 { #expect(try await store.allPosts(scope, for: player) == []) }
      }
      #expect(try await store.allPosts(.author(PlayerID(1)), for: 2) == [])
      #expect(try await store.allPosts(.author(PlayerID(1)), by: .likes, for: 1).map(\.isHidden) == [true])
      #expect(try await store.search("바다").posts == [])
      #expect(try await store.topPosts(since: 0) == [])
      #expect(try await store.hashtags() == [])
      #expect(try await store.change(like(1, by: 2)) == .notFound)
      let edit = PostEdit(id: PostID(1), author: PlayerID(1), text: "#산", at: moment(9))
      #expect(try await store.change(StoryChange.edit(edit)) != .notFound)
      #expect(try await hide(.post(PostID(1)), false) == .hidden)
      #expect(try await hide(.comment(CommentID(1)), false) == .hidden)
      #expect(try await store.allPosts(for: 2).map(\.post.counts.comments) == [2])
      #expect(try await store.hashtags().map(\.hashtag.text) == ["산"])
      #expect(try await store.search("산", for: 2).posts.numbers == [1])
      #expect(try await store.topPosts(since: 0).numbers == [1])
    }
  }

  @Test("A deleted post is nowhere any more, nor is what was said about it", arguments: BackEnd.allCases)
  func deletion(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for number: UInt128 in 1...2 {
        try await store.write(post(number, text: "#바다 \(number)", in: "KR"))
        try await store.commit([], like(number, by: 2), view(number, by: 2))
        try await store.change(StoryChange.comment(comment(number, on: number, by: 2)))
      }
      var last = post(2, text: "#바다 2", in: "KR")
      last.counts = PostCounts(likes: 1, views: 1, comments: 1)
      #expect(try await store.change(StoryChange.delete(PostID(2), author: PlayerID(2))) == .notFound)
      #expect(try await store.change(StoryChange.delete(PostID(2), author: PlayerID(1))) == .deleted(last))
      #expect(try await store.change(StoryChange.delete(PostID(2), author: PlayerID(1))) == .notFound)
      let edit = StoryChange.editComment(CommentID(2), author: PlayerID(2), text: "x", at: moment(9))
      for change in [like(2, by: 2), edit, .deleteComment(CommentID(2), author: PlayerID(2))] {
        #expect(try await store.change(change) == .notFound)
      }
      #expect(try await store.search("바다").posts.numbers == [1])
      #expect(try await store.hashtags().map(\.posts) == [1])
      let one = PostCounts(likes: 1, views: 1, comments: 1)
      #expect(try await store.storyCounts() == StoryCounts(posts: 1, counts: one))
      // The newest one's number is not given again.
      try await store.write(post(3))
      #expect(try await store.post(3, for: 2)?.seen.isLiked == false)
      #expect(try await store.post(3, for: 2)?.comments == CommentPage())
      try await store.maintain()
      #expect(try await store.allPosts(for: 2).numbers == [3, 1])
      #expect(try await store.change(StoryChange.delete(PostID(1), author: PlayerID(1))) != .notFound)
      #expect(try await store.hashtags() == [])
    }
  }

  @Test("The erasure of a player takes posts, comments and likes; views stay counted", arguments: BackEnd.allCases)
  func erasure(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      for number: UInt128 in 1...30 { try await store.write(post(number)) }
      try await store.write(post(100, of: 2))
      try await store.commit([], like(1, by: 2), like(100, by: 1), like(100, by: 3), view(100, by: 1))
      for number: UInt128 in 1...5 { try await store.change(StoryChange.comment(comment(number, on: 100, by: 1))) }
      try await store.change(StoryChange.comment(comment(9, on: 100, by: 3)))
      try await store.change(StoryChange.hide(.comment(CommentID(3)), isHidden: true))
      #expect(try await store.change(DeletionChange.begin(PlayerID(1), at: moment(9))) == .ok)
      #expect(try await store.post(1, for: 3)?.seen.authorNickname == ErasedText.text)
      #expect(try await store.change(StoryChange.delete(PostID(1), author: PlayerID(1))) == .notFound)
      #expect(try await store.change(StoryChange.write(post(31))) == .notFound)
      try await store.delete(PlayerID(1))
      #expect(try await store.allPosts(for: 3).numbers == [100])
      let left = PostCounts(likes: 1, views: 1, comments: 1)
      let opened = try #require(try await store.post(100, for: 3))
      #expect(opened.seen.post.counts == left && opened.comments.comments.map(\.comment.id.value) == [9])
      #expect(try await store.storyCounts() == StoryCounts(posts: 1, counts: left))
      try await store.maintain()
    }
  }

  @Test("A guest who has written or liked something is kept, until it is gone", arguments: BackEnd.allCases)
  func guests(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...4)
      try await store.write(post(1))
      try await store.commit([], like(1, by: 2), view(1, by: 4))
      try await store.change(StoryChange.comment(comment(1, on: 1, by: 3)))
      let later = 40 * 86_400_000 as Int64
      try await store.maintain(at: later)
      let all = (1...4).map { PlayerID($0) }
      #expect(try store.unknownPlayers(among: all) == [PlayerID(4)])
      #expect(try await store.post(1, for: 1)?.seen.post.counts == PostCounts(likes: 1, views: 1, comments: 1))
      #expect(try await store.change(StoryChange.deleteComment(CommentID(1), author: PlayerID(3))) != .notFound)
      #expect(try await store.change(StoryChange.delete(PostID(1), author: PlayerID(1))) != .notFound)
      for _ in 1...2 { try await store.maintain(at: later + 86_400_000) }
      #expect(try store.unknownPlayers(among: all) == [1, 2, 3, 4].map { PlayerID($0) })
    }
  }
}
