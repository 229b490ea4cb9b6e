// The most liked posts of some days. Inside one read.
//
// Each day has a list in the order of likes. The most liked of several days are the first ones of their merged lists.
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

  /// The posts of the days from that of a moment on.
  init(writtenSince since: Instant, on db: Database) throws {
    self.db = db
    let first = PostListName.day(of: since)
    days = try db.rows("SELECT post_lists.number, name FROM post_lists WHERE kind = ?", PostListName.dayKind)
      .filter { try Int64($0.value(1, String.self)) ?? .min >= first }
      .map { Day(list: try $0.number(0)) }
  }

  /// The number of the next post; nil behind the last one.
  mutating func next() throws -> Int64? {
    for index in days.indices where days[index].places.isEmpty && !days[index].isRead { try read(index) }
    guard let best = days.indices.filter({ !days[$0].places.isEmpty }).max(by: { isBefore($0, $1) }) else { return nil }
    return days[best].places.removeLast().number
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

extension Database {
  /// The countries and the moment of the writing of a post.
  func origin(ofPost number: Int64) throws -> (countries: [CountryCode], writtenAt: Instant)? {
    try row(
      "SELECT countries, written_at FROM posts JOIN post_texts ON post_texts.post = posts.number WHERE posts.number = ?",
      number
    ).map { (try [CountryCode](stored: $0.value(0)), try $0.value(1)) }
  }
}
