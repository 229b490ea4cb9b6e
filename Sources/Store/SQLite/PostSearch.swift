// The search index of posts: pairs of characters, because Korean words are found by any part of them, also by one
// syllable. Inside a commit or a read.
//
// A word `abc` is the tokens `ab`, `bc` and `c`, at consecutive places. A part of two or more characters is the phrase
// of its pairs, which no two words make together, because the last token of a word has one character. A part of one
// character is the beginning of a token. Each scalar of a word is a part of a token to the tokenizer `ascii`: letters
// and digits of ASCII are, and all beyond ASCII.
// Decisions: 117 (docs/decisions).
import GRDB
import Game

struct PostSearch {
  let db: Database

  func add(_ text: SearchText, post: Int64) throws {
    guard !text.words.isEmpty else { return }
    try db.run("INSERT INTO post_search (rowid, pairs) VALUES (?, ?)", post, Self.pairs(of: text))
  }

  /// Takes out a post with the words that were added.
  func remove(_ text: SearchText, post: Int64) throws {
    guard !text.words.isEmpty else { return }
    try db.run(
      "INSERT INTO post_search (post_search, rowid, pairs) VALUES ('delete', ?, ?)",
      post,
      Self.pairs(of: text)
    )
  }

  /// The numbers of posts that have all words of a query, the highest first; nil without a word.
  func posts(_ query: SearchText, below number: Int64) throws -> RowCursor? {
    guard !query.words.isEmpty else { return nil }
    return try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT 0, rowid FROM post_search WHERE post_search MATCH ? AND rowid < ? ORDER BY rowid DESC"
      ),
      arguments: [Self.expression(query), number]
    )
  }

  /// The tokens of all words, with a space between each two.
  static func pairs(of text: SearchText) -> String {
    text.words.flatMap { word in
      let scalars = Array(word.unicodeScalars)
      return pairs(of: scalars) + [String(scalars[scalars.count - 1])]
    }.joined(separator: " ")
  }

  private static func pairs(of scalars: [Unicode.Scalar]) -> [String] {
    zip(scalars, scalars.dropFirst()).map { String(String.UnicodeScalarView([$0, $1])) }
  }

  /// The query as the index reads it: a phrase for each word.
  static func expression(_ query: SearchText) -> String {
    query.words.map { word in
      let scalars = Array(word.unicodeScalars)
      return scalars.count == 1 ? "\"\(word)\" *" : "\"\(pairs(of: scalars).joined(separator: " "))\""
    }.joined(separator: " AND ")
  }
}
