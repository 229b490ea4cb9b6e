// The states that one post may have, with its comments and likes, by the requests of players and the answers to them. A
// value of the referee.

/// A comment, whose text no other has.
struct CommentRecord {
  let author: String
  let text: String
  var id: String?
  var presence = RowPresence.maybe
}

struct PostRecord {
  let author: String
  /// No other post has it.
  let title: String
  var id: String?
  var presence = RowPresence.maybe
  var text: History<String>
  /// The version of the newest answer.
  var version: UInt32 = 1
  var likes: [String: History<Bool>] = [:]
  /// The players who have asked for it, its author apart: each may be counted once.
  var readers: Set<String> = []
  var comments: [CommentRecord] = []

  init(author: String, title: String, text: String) {
    self.author = author
    self.title = title
    self.text = History(text)
  }

  /// The likes that must be counted since a time, and the greatest number that may be.
  func likeRange(sinceMs time: Int64) -> ClosedRange<Int> {
    let possible = likes.values.map { $0.possible(sinceMs: time) }
    return possible.count { $0 == [true] }...possible.count { $0.contains(true) }
  }

  func commentRange(sinceMs time: Int64) -> ClosedRange<Int> {
    let least = comments.count { $0.presence.isSure(sinceMs: time) }
    return least...max(least, comments.count { $0.presence.mayBeThere(sinceMs: time) })
  }

  /// A request may change whether a player likes it. Returns whether that is new, which a refusal takes back.
  mutating func mayLike(_ player: String, _ isLiked: Bool) -> Bool {
    likes[player, default: History(false)].mayBecome(isLiked)
  }
}
