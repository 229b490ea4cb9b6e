// The most liked posts of some days, and of a country in that time. Inside one read.
//
// Each day has a list in the order of likes. The most liked of several days are the first ones of their merged lists. A
// country has no lists of days: its newest posts are looked at back to the first of the days.
// Decisions: 115, 135 (docs/decisions).
import GRDB
import Game

struct TopPosts {
  private static let rowsAtOnce = 16

  /// One day's list, from some place on.
  private struct Day {
    let list: Int64
    /// Read and not taken yet, the last first.
    var places: [PostCursor] = []
    var last = PostCursor(key: .max, number: .max)
    var isRead = false
  }

  private let db: Database
  private var days: [Day]

  /// The posts of the days from that of a moment on; with a country the posts about it from that moment on.
  init(writtenSince since: Instant, about country: CountryCode? = nil, on db: Database) throws {
    self.db = db
    if let country {
      let places = try db.places(ofPostsAbout: country, writtenSince: since).sorted()
      days = [Day(list: 0, places: places, isRead: true)]
      return
    }
    let first = PostListName.day(of: since)
    days = try db.rows("SELECT post_lists.number, name FROM post_lists WHERE kind = ?", PostListName.dayKind)
      .filter { try Int64($0.value(1, String.self)) ?? .min >= first }
      .map { Day(list: try $0.number(0)) }
  }

  /// The place of the next post in the order of likes; nil behind the last one.
  mutating func next() throws -> PostCursor? {
    for index in days.indices where days[index].places.isEmpty && !days[index].isRead { try read(index) }
    guard let best = days.indices.filter({ !days[$0].places.isEmpty }).max(by: { isBefore($0, $1) }) else { return nil }
    return days[best].places.removeLast()
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    days[left].places[days[left].places.count - 1] < days[right].places[days[right].places.count - 1]
  }

  private mutating func read(_ index: Int) throws {
    let day = days[index]
    let rows = try db.rows(
      """
      SELECT likes_count, post FROM listed_likes WHERE list = ? AND (likes_count, post) < (?, ?)
      ORDER BY likes_count DESC, post DESC LIMIT ?
      """,
      day.list,
      day.last.key,
      day.last.number,
      Self.rowsAtOnce
    )
    let places = try rows.map { PostCursor(key: try $0.number(0), number: try $0.number(1)) }
    days[index].isRead = places.count < Self.rowsAtOnce
    days[index].last = places.last ?? day.last
    days[index].places = places.reversed()
  }
}

/// The countries of the most liked posts of some days.
struct TopCountries {
  private let db: Database
  private let since: Instant
  private let among: Set<CountryCode>

  init(writtenSince since: Instant, among countries: Set<CountryCode>, on db: Database) {
    (self.db, self.since, among) = (db, since, countries)
  }

  /// Posts without a like say nothing.
  func codes(limit: Int) throws -> [CountryCode] {
    var top = try TopPosts(writtenSince: since, on: db)
    var found: [CountryCode] = []
    for _ in 0..<FeedReading.lookedAtMax {
      guard found.count < limit, let place = try top.next(), place.key > 0 else { return Array(found.prefix(limit)) }
      guard let post = try db.origin(ofPost: place.number), post.writtenAt >= since else { continue }
      found += post.countries.filter { among.contains($0) && !found.contains($0) }
    }
    // The posts of quiet countries lie behind those of all others: each is asked for its own.
    let quiet = try among.subtracting(found).compactMap { country in
      try db.places(ofPostsAbout: country, writtenSince: since).max().map { (country: country, place: $0) }
    }
    let liked = quiet.filter { $0.place.key > 0 }.sorted { ($1.place, $0.country) < ($0.place, $1.country) }
    return Array((found + liked.map(\.country)).prefix(limit))
  }
}

extension Database {
  /// The places, in the order of likes, of a country's posts that were written since a moment: of its newest ones, and
  /// where these are not all, of its most liked ones too.
  fileprivate func places(ofPostsAbout country: CountryCode, writtenSince since: Instant) throws -> Set<PostCursor> {
    let name = PostListName(.country(country))
    guard let list = try PostLists(db: self).number(of: name) else { return [] }
    var found: Set<PostCursor> = []
    var lookedAt = 0
    let newest = try Row.fetchCursor(
      cachedStatement(
        sql: """
          SELECT posts.likes_count, posts.number, posts.written_at
          FROM listed_latest JOIN posts ON posts.number = listed_latest.post
          WHERE list = ? ORDER BY listed_latest.post DESC
          """
      ),
      arguments: [list]
    )
    while lookedAt < FeedReading.lookedAtMax, let row = try newest.next() {
      lookedAt += 1
      guard try row.value(2, Instant.self) >= since else { return found }
      found.insert(PostCursor(key: try row.number(0), number: try row.number(1)))
    }
    guard lookedAt == FeedReading.lookedAtMax else { return found }
    let mostLiked = try rows(
      """
      SELECT listed_likes.likes_count, posts.number, posts.written_at
      FROM listed_likes JOIN posts ON posts.number = listed_likes.post
      WHERE list = ? ORDER BY listed_likes.likes_count DESC, listed_likes.post DESC LIMIT ?
      """,
      list,
      FeedReading.lookedAtMax
    )
    for row in mostLiked where try row.value(2, Instant.self) >= since {
      found.insert(PostCursor(key: try row.number(0), number: try row.number(1)))
    }
    return found
  }

  /// The countries and the moment of the writing of a post.
  func origin(ofPost number: Int64) throws -> (countries: [CountryCode], writtenAt: Instant)? {
    try row(
      "SELECT countries, written_at FROM posts JOIN post_texts ON post_texts.post = posts.number WHERE posts.number = ?",
      number
    ).map { (try [CountryCode](stored: $0.value(0)), try $0.value(1)) }
  }
}
