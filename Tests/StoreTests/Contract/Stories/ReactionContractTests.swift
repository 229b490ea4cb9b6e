// Likes, views and comments, over every back end: what counts, and how often.
import Game
import Store
import Testing

@Suite("Every store counts likes, views and comments")
struct ReactionContractTests {
  @Test("A like counts once for each player but the author, until it is taken back", arguments: BackEnd.allCases)
  func likes(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      try await store.write(post(1))
      #expect(try await store.change(like(1, by: 1)) == .ownPost)
      #expect(try await store.change(like(1, by: 9)) == .notFound)
      #expect(try await store.change(like(9, by: 2)) == .notFound)
      let unlike = StoryChange.unlike(PostID(1), PlayerID(2))
      let outcomes = try await store.commit([], like(1, by: 2), like(1, by: 3), like(1, by: 2), unlike, unlike)
      let expected: [(Int64, Bool)] = [(1, true), (2, true), (2, false), (1, true), (1, false)]
      #expect(outcomes == expected.map { .story(.counted(PostCounts(likes: $0.0), isChanged: $0.1)) })
      #expect(try await store.post(1, for: 2)?.seen.isLiked == false)
      #expect(try await store.post(1, for: 3)?.seen.isLiked == true)
      #expect(try await store.allPosts(by: .likes, for: 3).map(\.isLiked) == [true])
      #expect(try await store.change(like(1, by: 2)) == .counted(PostCounts(likes: 2), isChanged: true))
      #expect(try await store.storyCounts().counts.likes == 2)
    }
  }

  @Test("A view counts once in a day for each player and post", arguments: BackEnd.allCases)
  func views(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      try await store.write(post(1))
      // A guest who had only looked would be forgotten.
      try await store.write(post(2, of: 2))
      let dayMs: Int64 = 86_400_000
      let looks: [(at: Int64, counts: Bool)] = [
        (1_000, true), (1_001, false), (1_000 + dayMs - 1, false), (1_000 + dayMs, true), (1_000 + dayMs + 1, false),
        (500, false), (1_000 + 2 * dayMs, true),
      ]
      var views: Int64 = 0
      for look in looks {
        views += look.counts ? 1 : 0
        let outcome = try await store.change(view(1, by: 2, at: look.at))
        #expect(outcome == .counted(PostCounts(views: views), isChanged: look.counts), "\(look)")
      }
      #expect(try await store.change(view(1, by: 1)) == .counted(PostCounts(views: 4), isChanged: true))
      #expect(try await store.change(view(2, by: 2)) == .counted(PostCounts(views: 1), isChanged: true))
      #expect(try await store.change(view(2, by: 9)) == .notFound)
      try await store.maintain(at: 1_000 + 3 * dayMs)
      #expect(
        try await store.change(view(1, by: 2, at: 999 + 3 * dayMs)) == .counted(PostCounts(views: 4), isChanged: false)
      )
      #expect(
        try await store.change(view(1, by: 2, at: 1_000 + 3 * dayMs)) == .counted(PostCounts(views: 5), isChanged: true)
      )
    }
  }

  @Test("Comments are numbered, read in both orders, edited and deleted by their authors", arguments: BackEnd.allCases)
  func comments(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...3)
      try await store.write(post(1))
      try await store.write(post(2))
      #expect(try await store.change(StoryChange.comment(comment(1, on: 9, by: 2))) == .notFound)
      #expect(try await store.change(StoryChange.comment(comment(1, on: 1, by: 9))) == .notFound)
      for number: UInt128 in 1...5 {
        var expected = comment(number, on: 1, by: 1 + number % 3)
        expected.number = Int64(number)
        let outcome = try await store.change(StoryChange.comment(comment(number, on: 1, by: 1 + number % 3)))
        #expect(outcome == .commented(expected, PostCounts(comments: Int64(number))))
      }
      var second = comment(2, on: 1, by: 3)
      second.number = 2
      let again = StoryChange.comment(comment(2, on: 1, by: 3, text: "x"))
      #expect(try await store.change(again) == .commented(second, PostCounts(comments: 5)))
      #expect(try await store.change(StoryChange.comment(comment(2, on: 1, by: 2))) == .notFound)
      #expect(try await store.change(StoryChange.comment(comment(2, on: 2, by: 3))) == .notFound)
      let edit = StoryChange.editComment(CommentID(2), author: PlayerID(3), text: "새 글", at: moment(9))
      (second.text, second.editedAt) = ("새 글", moment(9))
      for _ in 1...2 { #expect(try await store.change(edit) == .commented(second, PostCounts(comments: 5))) }
      for author: UInt128 in [1, 2, 9] {
        let edit = StoryChange.editComment(CommentID(2), author: PlayerID(author), text: "x", at: moment(9))
        #expect(try await store.change(edit) == .notFound)
        #expect(try await store.change(StoryChange.deleteComment(CommentID(2), author: PlayerID(author))) == .notFound)
      }
      #expect(try await store.change(StoryChange.deleteComment(CommentID(5), author: PlayerID(3))) != .notFound)
      let page = try #require(try await store.comments(of: 1, for: 1, limit: 2))
      #expect(page.comments.map(\.comment.number) == [1, 2] && page.next == 2 && page.comments[1].comment == second)
      let gone = StoryChange.deleteComment(CommentID(2), author: PlayerID(3))
      #expect(try await store.change(gone) == .deletedComment(second, PostCounts(comments: 3)))
      #expect(try await store.comments(of: 1, for: 1, after: 2, limit: 2)?.comments.map(\.comment.number) == [3, 4])
      #expect(try await store.comments(of: 1, for: 1, after: 2, limit: 2)?.next == nil)
      #expect(try await store.comments(of: 1, for: 1, .newest, limit: 2)?.comments.map(\.comment.number) == [4, 3])
      #expect(try await store.comments(of: 1, for: 1, .newest, after: 3)?.comments.map(\.comment.number) == [1])
      // A number is not given twice.
      try await store.change(StoryChange.comment(comment(6, on: 1, by: 1)))
      let opened = try #require(try await store.post(1, for: 1, comments: .newest, limit: 1))
      #expect(opened.comments.comments.map(\.comment.number) == [6] && opened.comments.next == 6)
      #expect(opened.seen.post.counts.comments == 4)
      #expect(try await store.comments(of: 2, for: 1) == CommentPage())
    }
  }
}
