// The search index of posts: pairs of characters, because Korean words are found by any part of them, also by one
// syllable. Inside a commit or a read.
//
// A word `abc` is the tokens `ab`, `bc` and `c`. The index finds posts that have the pairs of a part of two or more
// characters, and a token that begins with a part of one; the post's words then decide. Each scalar of a word is a part
// of a token to the tokenizer `ascii`: letters and digits of ASCII are, and all beyond ASCII.
// Decisions: 117 (docs/decisions).
import GRDB
import Game
import Glibc

struct PostSearch {
  /// The pairs that the index looks for: each costs a pass over the posts that have it.
  private static let pairsMax = 8

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

  /// The numbers of posts that may have all words of a query, the highest first; nil without a word. `has` decides.
  func candidates(_ query: SearchText, below number: Int64) throws -> RowCursor? {
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

  /// The query as the index reads it: distinct pairs, the first ones of all its words. Phrases would find fewer posts;
  /// but a phrase of one pair repeated costs the index the product of its length and the text's, in each post that has
  /// the pair.
  static func expression(_ query: SearchText) -> String {
    var tokens: [String] = []
    let words = query.words.map { word in
      let scalars = Array(word.unicodeScalars)
      return scalars.count == 1 ? ["\"\(word)\" *"] : pairs(of: scalars).map { "\"\($0)\"" }
    }
    let longest = words.map(\.count).max() ?? 0
    for index in 0..<longest {
      for word in words where index < word.count && tokens.count < pairsMax && !tokens.contains(word[index]) {
        tokens.append(word[index])
      }
    }
    return tokens.joined(separator: " AND ")
  }

  /// Whether a post has all words of a query, each inside one of its words.
  func has(_ query: SearchText, in post: Int64) throws -> Bool {
    guard let row = try db.row("SELECT search_text FROM post_texts WHERE post = ?", post) else { return false }
    // No part of a word has the space between two words, and no word a zero byte.
    return try row.value(0, String.self).withCString { words in
      query.words.allSatisfy { part in part.withCString { strstr(words, $0) != nil } }
    }
  }
}
