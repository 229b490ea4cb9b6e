// The rows of posts and comments as the contract's values. Inside a read, or inside a commit.
import GRDB
import Game

/// A post's short row.
struct PostRow {
  let number: Int64
  let author: PlayerID
  var counts: PostCounts
  var newestComment: Int64
  let isHidden: Bool
  /// The numbers of its lists, each once.
  let lists: [Int64]
}

extension PostRow {
  static let query = """
    SELECT posts.number, author, likes_count, views_count, comments_count, newest_comment, is_hidden, lists FROM posts
    """

  init(row: Row) throws {
    number = try row.number(0)
    author = try row.id(1)
    counts = PostCounts(likes: try row.number(2), views: try row.number(3), comments: try row.number(4))
    newestComment = try row.number(5)
    isHidden = try row.number(6) == 1
    lists = try [Int64](listBytes: row.value(7, Blob.self).bytes)
  }
}

/// A whole post with all that is kept beside it.
struct StoredPost {
  let number: Int64
  let post: Post
  let isHidden: Bool
  let lists: [Int64]
  let searchText: SearchText
}

extension StoredPost {
  static let query = """
    SELECT posts.number, id, author, title, text, countries, soundtrack, pictures, lat_e7, lng_e7, capsule, written_at,
      edited_at, version, likes_count, views_count, comments_count, is_hidden, lists, search_text,
      (SELECT plans.id FROM post_plans JOIN plans ON plans.number = post_plans.plan
        WHERE post_plans.post = posts.number)
    FROM posts JOIN post_texts ON post_texts.post = posts.number
    """

  init(row: Row) throws {
    number = try row.number(0)
    post = try Post(row: row, planAt: 20)
    isHidden = try row.number(17) == 1
    lists = try [Int64](listBytes: row.value(18, Blob.self).bytes)
    searchText = SearchText(joined: try row.value(19))
  }
}

// The first argument of the query is the player who sees the posts.
extension SeenPost {
  static let query = """
    SELECT posts.number, posts.id, author, title, text, countries, soundtrack, pictures, lat_e7, lng_e7, capsule,
      written_at, edited_at, version, likes_count, views_count, comments_count, is_hidden, nickname,
      EXISTS (SELECT 1 FROM post_likes WHERE post_likes.post = posts.number AND player = ?),
      (SELECT plans.id FROM post_plans JOIN plans ON plans.number = post_plans.plan
        WHERE post_plans.post = posts.number)
    FROM posts JOIN post_texts ON post_texts.post = posts.number JOIN players ON players.id = posts.author
    """

  init(row: Row) throws {
    self.init(
      post: try Post(row: row, planAt: 20),
      authorNickname: try row.value(18),
      isLiked: try row.number(19) == 1,
      isHidden: try row.number(17) == 1
    )
  }
}

extension Post {
  /// Takes the columns that the queries of posts begin with, and that of the plan.
  fileprivate init(row: Row, planAt planColumn: Int) throws {
    self.init(
      id: try row.id(1),
      author: try row.id(2),
      title: try row.value(3),
      text: try row.value(4),
      countries: try [CountryCode](stored: row.value(5)),
      soundtrack: try Soundtrack(bytes: row.value(6, Blob.self).bytes),
      pictures: try [MediaID](bytes: row.value(7, Blob.self).bytes),
      place: try Coordinate(latE7: row.value(8, Int32?.self), lngE7: row.value(9, Int32?.self)),
      capsule: try row.value(10, CapsuleID?.self),
      plan: try row.value(planColumn, PlanID?.self),
      writtenAt: Instant(milliseconds: try row.number(11)),
      editedAt: try row.value(12, Instant?.self),
      version: try row.number(13),
      counts: PostCounts(likes: try row.number(14), views: try row.number(15), comments: try row.number(16))
    )
  }
}

extension PostComment {
  static let query = """
    SELECT comments.id, posts.id, comments.author, text, comments.written_at, comments.edited_at, comments.number,
      comments.is_hidden, comments.post
    FROM comments JOIN posts ON posts.number = comments.post
    """

  init(row: Row) throws {
    self.init(
      id: try row.id(0),
      post: try row.id(1),
      author: try row.id(2),
      text: try row.value(3),
      writtenAt: Instant(milliseconds: try row.number(4)),
      editedAt: try row.value(5, Instant?.self),
      number: try row.number(6)
    )
  }
}

/// A comment with the number of its post.
struct StoredComment {
  let comment: PostComment
  let isHidden: Bool
  let post: Int64

  init(row: Row) throws {
    comment = try PostComment(row: row)
    isHidden = try row.number(7) == 1
    post = try row.number(8)
  }
}

extension Database {
  func postRow(_ id: PostID) throws -> PostRow? {
    try row("\(PostRow.query) WHERE id = ?", id).map(PostRow.init(row:))
  }

  /// Whether a player sees what an author has written.
  func sees(_ player: PlayerID, author: PlayerID, isHidden: Bool) throws -> Bool {
    if player == author { return true }
    return try !isHidden && !finds("SELECT 1 FROM blocks WHERE player = ? AND blocked = ?", player, author)
  }

  /// A post's short row; nil for a post that is unknown or that the player does not see.
  func postRow(_ id: PostID, seenBy player: PlayerID) throws -> PostRow? {
    guard let row = try postRow(id), try sees(player, author: row.author, isHidden: row.isHidden),
      try !hasReported(.post(id), player)
    else { return nil }
    return row
  }
}

extension [Int64] {
  /// Each number of a list as 4 bytes.
  var listBytes: [UInt8] {
    flatMap { number in
      // Each list has a row; there are never so many.
      Swift.withUnsafeBytes(of: UInt32(number).bigEndian) { [UInt8]($0) }
    }
  }

  init(listBytes bytes: [UInt8]) throws {
    guard bytes.count % 4 == 0 else { throw StoreFailure.corrupt("the lists of a post") }
    self = stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<start + 4].reduce(0) { $0 << 8 | Int64($1) }
    }
  }
}

extension [CountryCode] {
  var stored: String { map(\.description).joined() }

  init(stored text: String) throws {
    let letters = Array<Character>(text)
    self = try stride(from: 0, to: letters.count, by: 2).map { start in
      guard let code = CountryCode(String(letters[start..<Swift.min(start + 2, letters.count)])) else {
        throw StoreFailure.corrupt("the countries of a post")
      }
      return code
    }
  }
}

extension Soundtrack {
  private static let noMusic: UInt8 = 255

  var bytes: [UInt8] {
    guard !isSilent else { return [] }
    let first: [UInt8] = music.map { [UInt8($0.number), UInt8($0.volumePercent)] } ?? [Self.noMusic, 0]
    return first + effects.flatMap { [UInt8($0.number), UInt8($0.volumePercent)] }
  }

  init(bytes: [UInt8]) throws {
    let sounds = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Sound(Int(bytes[$0]), volumePercent: Int(bytes[$0 + 1]))
    }
    let music = sounds.first.flatMap { $0.number == Int(Self.noMusic) ? nil : $0 }
    guard bytes.count % 2 == 0, let read = Soundtrack(music: music, effects: Array(sounds.dropFirst())) else {
      throw StoreFailure.corrupt("the soundtrack of a post")
    }
    self = read
  }
}

extension Coordinate {
  fileprivate init?(latE7: Int32?, lngE7: Int32?) {
    guard let latE7, let lngE7 else { return nil }
    self.init(latE7: latE7, lngE7: lngE7)
  }
}
