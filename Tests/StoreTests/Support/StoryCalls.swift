// The contract's calls for stories as tests use them; they wait for the answer. And sample posts and comments.
import Game
import Glibc
import Store
import TestSupport
import Testing

/// A page of posts that a test asks for. A class, as `AskedPage` is.
final class AskedFeed: Sendable {
  let scope: FeedScope
  let sort: FeedSort
  let cursor: PostCursor?
  let limit: Int

  init(_ scope: FeedScope = .everyone, by sort: FeedSort = .latest, after cursor: PostCursor? = nil, limit: Int = 50) {
    self.scope = scope
    self.sort = sort
    self.cursor = cursor
    self.limit = limit
  }
}

extension Store {
  func post(
    _ number: UInt128,
    for player: UInt128,
    comments order: CommentOrder = .oldest,
    limit: Int = 50
  ) async throws -> OpenedPost? {
    try await withCheckedContinuation { waiting in
      post(PostID(number), for: PlayerID(player), comments: order, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  func comments(
    of post: UInt128,
    for player: UInt128,
    _ order: CommentOrder = .oldest,
    after number: Int64? = nil,
    limit: Int = 50
  ) async throws -> CommentPage? {
    try await withCheckedContinuation { waiting in
      comments(of: PostID(post), for: PlayerID(player), order, after: number, limit: limit) {
        waiting.resume(returning: $0)
      }
    }.get()
  }

  func feed(_ asked: AskedFeed, for player: UInt128) async throws -> FeedPage {
    try await withCheckedContinuation { waiting in
      feed(asked.scope, by: asked.sort, after: asked.cursor, for: PlayerID(player), limit: asked.limit) {
        waiting.resume(returning: $0)
      }
    }.get()
  }

  /// All posts of a scope in a sort, page by page.
  func allPosts(
    _ scope: FeedScope = .everyone,
    by sort: FeedSort = .latest,
    for player: UInt128,
    limit: Int = 10
  ) async throws -> [SeenPost] {
    var page = try await feed(AskedFeed(scope, by: sort, limit: limit), for: player)
    var all = page.posts
    while let next = page.next {
      page = try await feed(AskedFeed(scope, by: sort, after: next, limit: limit), for: player)
      all += page.posts
    }
    return all
  }

  func search(
    _ query: String,
    for player: UInt128 = 1,
    after cursor: PostCursor? = nil,
    limit: Int = 50
  ) async throws -> FeedPage {
    try await withCheckedContinuation { waiting in
      searchPosts(SearchText(query), after: cursor, for: PlayerID(player), limit: limit) {
        waiting.resume(returning: $0)
      }
    }.get()
  }

  func topPosts(
    about country: String? = nil,
    since milliseconds: Int64,
    for player: UInt128 = 1,
    limit: Int = 5
  ) async throws -> [SeenPost] {
    let (country, since) = (country.flatMap { CountryCode($0) }, moment(milliseconds))
    return try await withCheckedContinuation { waiting in
      topPosts(about: country, writtenSince: since, for: PlayerID(player), limit: limit) {
        waiting.resume(returning: $0)
      }
    }.get()
  }

  func countries(since milliseconds: Int64, among codes: [String], limit: Int = 5) async throws -> [CountryCode] {
    let codes = Set(codes.compactMap { CountryCode($0) })
    return try await withCheckedContinuation { waiting in
      countries(mostLikedSince: moment(milliseconds), among: codes, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  func hashtags(limit: Int = 10) async throws -> [HashtagCount] {
    try await withCheckedContinuation { waiting in hashtags(limit: limit) { waiting.resume(returning: $0) } }.get()
  }

  func storyCounts() async throws -> StoryCounts {
    try await withCheckedContinuation { waiting in storyCounts { waiting.resume(returning: $0) } }.get()
  }

  /// Writes a post, which must not be refused.
  func write(_ post: Post) async throws {
    #expect(try await change(StoryChange.write(post)) == .written(post))
  }
}

func post(
  _ number: UInt128,
  of author: UInt128 = 1,
  title: String = "여행",
  text: String? = nil,
  in countries: String...,
  plan: UInt128? = nil,
  writtenAt: Int64 = 5
) -> Post {
  Post(
    id: PostID(number),
    author: PlayerID(author),
    title: title,
    text: text ?? "text of \(number)",
    countries: countries.compactMap { CountryCode($0) },
    plan: plan.map { PlanID($0) },
    writtenAt: moment(writtenAt)
  )
}

func comment(_ number: UInt128, on post: UInt128, by author: UInt128, text: String = "좋아요") -> PostComment {
  PostComment(id: CommentID(number), post: PostID(post), author: PlayerID(author), text: text, writtenAt: moment(6))
}

func like(_ post: UInt128, by player: UInt128, at milliseconds: Int64 = 7) -> StoryChange {
  .like(PostID(post), PlayerID(player), at: moment(milliseconds))
}

func view(_ post: UInt128, by player: UInt128, at milliseconds: Int64 = 8) -> StoryChange {
  .view(PostID(post), PlayerID(player), at: moment(milliseconds))
}

extension [SeenPost] {
  var numbers: [UInt128] { map(\.post.id.value) }
}

extension Store {
  /// Adds a picture of a player's, whose bytes no test asks for.
  func addPicture(_ id: UInt128, of owner: UInt128) async throws {
    let folder = try TestFolder()
    var files: [MediaSize: String] = [:]
    for size in MediaSize.allCases {
      let path = folder.file(size.rawValue)
      let descriptor = Glibc.creat(path, 0o600)
      try #require(descriptor >= 0 && Glibc.write(descriptor, path, path.utf8.count) == path.utf8.count)
      Glibc.close(descriptor)
      files[size] = path
    }
    let media = StoredMedia(
      id: MediaID(id),
      owner: PlayerID(owner),
      digest: MediaDigest(Array(repeating: UInt8(truncatingIfNeeded: id), count: 32)),
      type: .jpeg,
      width: 40,
      height: 30,
      sizeBytes: 100,
      uploadedAt: Instant(milliseconds: 0)
    )
    try await withCheckedContinuation { waiting in
      putBlobs(media.digest, files: files) { waiting.resume(returning: $0) }
    }.get()
    #expect(try await change(MediaChange.add(media)) == .added)
    releaseBlobs(media.digest)
  }

  /// Those of some media that are there.
  func media(_ ids: [MediaID]) async throws -> [StoredMedia] {
    try await withCheckedContinuation { waiting in media(ids) { waiting.resume(returning: $0) } }.get()
  }
}
