// Pages of posts and comments as one player sees them. Inside one read.
//
// A page is read from an index in its order, row by row, so that it costs what it shows and what it passes over. What a
// player does not see is passed over, up to a bound.
import GRDB
import Game

struct FeedReading {
  /// The rows that one page looks at.
  static let lookedAtMax = 1_000

  let db: Database
  private let player: PlayerID
  private let blocked: Set<PlayerID>
  private let reported: Set<ReportSubject>

  init(for player: PlayerID, on db: Database) throws {
    self.db = db
    self.player = player
    blocked = Set(try db.rows("SELECT blocked FROM blocks WHERE player = ?", player).map { try $0.id(0) })
    reported = try db.reportedSubjects(by: player)
  }

  func post(_ id: PostID) throws -> SeenPost? {
    try db.row("\(SeenPost.query) WHERE posts.id = ?", player, id).flatMap { try seen($0) }
  }

  /// The post with this number; nil where the player does not see it.
  func post(_ number: Int64) throws -> SeenPost? {
    guard let row = try db.row("\(SeenPost.query) WHERE posts.number = ?", player, number) else {
      throw StoreFailure.corrupt("an index of posts names one that is not there")
    }
    return try seen(row)
  }

  private func seen(_ row: Row) throws -> SeenPost? {
    let seen = try SeenPost(row: row)
    return sees(.post(seen.post.id), of: seen.post.author, isHidden: seen.isHidden) ? seen : nil
  }

  private func sees(_ subject: ReportSubject, of author: PlayerID, isHidden: Bool) -> Bool {
    author == player || (!isHidden && !blocked.contains(author) && !reported.contains(subject))
  }

  func feed(_ scope: FeedScope, by sort: FeedSort, after cursor: PostCursor?, limit: Int) throws -> FeedPage {
    guard let list = try PostLists(db: db).number(of: PostListName(scope)) else { return FeedPage() }
    let places: RowCursor
    switch sort {
    case .latest:
      places = try Row.fetchCursor(
        db.cachedStatement(sql: "SELECT 0, post FROM listed_latest WHERE list = ? AND post < ? ORDER BY post DESC"),
        arguments: [list, cursor?.number ?? .max]
      )
    case .likes:
      places = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT likes_count, post FROM listed_likes WHERE list = ? AND (likes_count, post) < (?, ?)
            ORDER BY likes_count DESC, post DESC
            """
        ),
        arguments: [list, cursor?.key ?? .max, cursor?.number ?? .max]
      )
    case .views:
      places = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT views_count, post FROM listed_views WHERE list = ? AND (views_count, post) < (?, ?)
            ORDER BY views_count DESC, post DESC
            """
        ),
        arguments: [list, cursor?.key ?? .max, cursor?.number ?? .max]
      )
    }
    return try page(places, limit: limit)
  }

  func search(_ query: SearchText, after cursor: PostCursor?, limit: Int) throws -> FeedPage {
    let search = PostSearch(db: db)
    guard let places = try search.candidates(query, below: cursor?.number ?? .max) else { return FeedPage() }
    return try page(places, limit: limit) { try search.has(query, in: $0) }
  }

  /// The posts at places, rows of a key and a number, that `isMeant` takes.
  private func page(
    _ places: RowCursor,
    limit: Int,
    _ isMeant: (Int64) throws -> Bool = { _ in true }
  ) throws -> FeedPage {
    var page = FeedPage()
    var lookedAt = 0
    while let row = try places.next() {
      guard page.posts.count < limit, lookedAt < Self.lookedAtMax else { return page }
      lookedAt += 1
      page.next = PostCursor(key: try row.number(0), number: try row.number(1))
      let number: Int64 = try row.number(1)
      if try isMeant(number), let post = try post(number) { page.posts.append(post) }
    }
    page.next = nil
    return page
  }

  /// A page of the comments of a post that the player sees.
  func comments(of post: Int64, _ order: CommentOrder, after number: Int64?, limit: Int) throws -> CommentPage {
    let rows: RowCursor
    switch order {
    case .oldest:
      rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: "\(SeenComment.query) WHERE comments.post = ? AND comments.number > ? ORDER BY comments.number"
        ),
        arguments: [post, number ?? 0]
      )
    case .newest:
      rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: "\(SeenComment.query) WHERE comments.post = ? AND comments.number < ? ORDER BY comments.number DESC"
        ),
        arguments: [post, number ?? .max]
      )
    }
    var page = CommentPage()
    var lookedAt = 0
    while let row = try rows.next() {
      guard page.comments.count < limit, lookedAt < Self.lookedAtMax else { return page }
      lookedAt += 1
      let seen = try SeenComment(row: row)
      page.next = seen.comment.number
      let subject = ReportSubject.comment(seen.comment.id)
      if sees(subject, of: seen.comment.author, isHidden: seen.isHidden) { page.comments.append(seen) }
    }
    page.next = nil
    return page
  }
}

extension SeenComment {
  static let query = """
    SELECT comments.id, posts.id, comments.author, text, comments.written_at, comments.edited_at, comments.number,
      comments.is_hidden, nickname
    FROM comments JOIN posts ON posts.number = comments.post JOIN players ON players.id = comments.author
    """

  fileprivate init(row: Row) throws {
    self.init(
      comment: try PostComment(row: row),
      authorNickname: try row.value(8),
      isHidden: try row.number(7) == 1
    )
  }
}
