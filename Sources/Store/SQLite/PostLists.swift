// The lists that a post is in, and their orders. Part of `StoryWriting`.
// Decisions: 115 (docs/decisions).
import GRDB
import Game

/// The name of a list of posts.
struct PostListName: Hashable {
  static let everyone = PostListName(kind: 0, name: "")
  static let hashtagKind = 3
  static let dayKind = 4

  let kind: Int
  let name: String

  private init(kind: Int, name: String) {
    self.kind = kind
    self.name = name
  }

  static func author(_ author: PlayerID) -> PostListName { PostListName(kind: 1, name: author.description) }

  /// The posts that were written on a day, counted from 1970.
  static func day(_ day: Int64) -> PostListName { PostListName(kind: dayKind, name: "\(day)") }

  static func day(of moment: Instant) -> Int64 {
    let dayMs: Int64 = 86_400_000
    let (day, rest) = moment.milliseconds.quotientAndRemainder(dividingBy: dayMs)
    return rest < 0 ? day - 1 : day
  }

  init(_ scope: FeedScope) {
    switch scope {
    case .everyone: self = .everyone
    case .author(let author): self = .author(author)
    case .country(let code): self.init(kind: 2, name: code.description)
    case .hashtag(let hashtag): self.init(kind: Self.hashtagKind, name: hashtag.text)
    }
  }

  /// The lists that a post belongs to.
  static func all(of post: Post, isHidden: Bool) -> [PostListName] {
    guard !isHidden else { return [.author(post.author)] }
    let scopes = post.countries.map { FeedScope.country($0) } + post.hashtags.map { FeedScope.hashtag($0) }
    return [.everyone, .author(post.author), .day(day(of: post.writtenAt))] + scopes.map { PostListName($0) }
  }
}

struct PostLists {
  let db: Database

  /// The number of a list; nil for one without posts.
  func number(of list: PostListName) throws -> Int64? {
    try db.row(
      "SELECT post_lists.number FROM post_lists WHERE kind = ? AND name = ?",
      list.kind,
      list.name
    )?.number(0)
  }

  /// Adds a post to lists; returns their numbers.
  func add(_ post: Int64, _ counts: PostCounts, to names: [PostListName]) throws -> [Int64] {
    try names.map { name in
      let list = try number(of: name) ?? make(name)
      try db.run("UPDATE post_lists SET posts_count = posts_count + 1 WHERE number = ?", list)
      try db.run(
        "INSERT INTO listed_likes (list, likes_count, post) VALUES (?, ?, ?)",
        list,
        counts.likes,
        post
      )
      if name.kind != PostListName.dayKind {
        try db.run("INSERT INTO listed_latest (list, post) VALUES (?, ?)", list, post)
        try db.run(
          "INSERT INTO listed_views (list, views_count, post) VALUES (?, ?, ?)",
          list,
          counts.views,
          post
        )
      }
      return list
    }
  }

  private func make(_ name: PostListName) throws -> Int64 {
    let number = try db.rows("SELECT COALESCE(MAX(number), 0) + 1 FROM post_lists")[0].number(0)
    try db.run(
      "INSERT INTO post_lists (number, kind, name, posts_count) VALUES (?, ?, ?, 0)",
      number,
      name.kind,
      name.name
    )
    return number
  }

  /// Takes a post out of lists; returns their numbers. A list without posts goes.
  func remove(_ post: Int64, _ counts: PostCounts, from names: [PostListName]) throws -> [Int64] {
    try names.compactMap { name in
      // A day's is gone once it is old.
      guard let list = try number(of: name) else { return nil }
      let removed = try db.run(
        "DELETE FROM listed_likes WHERE list = ? AND likes_count = ? AND post = ?",
        list,
        counts.likes,
        post
      )
      try db.run("DELETE FROM listed_latest WHERE list = ? AND post = ?", list, post)
      try db.run(
        "DELETE FROM listed_views WHERE list = ? AND views_count = ? AND post = ?",
        list,
        counts.views,
        post
      )
      try db.run("UPDATE post_lists SET posts_count = posts_count - ? WHERE number = ?", removed, list)
      try db.run("DELETE FROM post_lists WHERE number = ? AND posts_count = 0", list)
      return list
    }
  }

  /// Moves a post in the orders of its lists after a change of its counts.
  func move(_ post: Int64, in lists: [Int64], from old: PostCounts, to new: PostCounts) throws {
    if old.likes != new.likes {
      for list in lists {
        try db.run(
          "UPDATE listed_likes SET likes_count = ? WHERE list = ? AND likes_count = ? AND post = ?",
          new.likes,
          list,
          old.likes,
          post
        )
      }
    }
    if old.views != new.views {
      for list in lists {
        try db.run(
          "UPDATE listed_views SET views_count = ? WHERE list = ? AND views_count = ? AND post = ?",
          new.views,
          list,
          old.views,
          post
        )
      }
    }
  }
}
