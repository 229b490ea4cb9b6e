// The referee of stories: what players were told of posts, comments, likes and views, against what may be. A value of
// one run, which knows no rule of the server's.
import MadangProtocol

struct StoryReferee {
  private(set) var records: [PostRecord] = []
  private var numbers: [String: Int] = [:]
  /// The posts whose identifier no answer has told, by title.
  private var nameless: [String: Int] = [:]
  /// The authors whom each player may have blocked at some time.
  private var blocked: [String: Set<String>] = [:]

  /// The identifiers that were told, in the order of writing.
  var ids: [String] { records.compactMap(\.id) }

  subscript(id: String) -> PostRecord? { numbers[id].map { records[$0] } }

  mutating func change<Answer>(_ id: String, _ body: (inout PostRecord) -> Answer) -> Answer? {
    numbers[id].map { body(&records[$0]) }
  }

  /// A player blocks an author; whether it is done, and for how long, is not followed.
  mutating func noteBlock(of author: String, by player: String) {
    blocked[player, default: []].insert(author)
  }

  func mayHaveBlocked(_ player: String, _ author: String) -> Bool { blocked[player]?.contains(author) ?? false }

  func mayHaveBlocked(_ player: String) -> Bool { blocked[player] != nil }

  // Writing.

  mutating func mayWrite(_ record: PostRecord) {
    nameless[record.title] = records.count
    records.append(record)
  }

  /// A post was not written.
  mutating func dropWriting(_ title: String) {
    guard let number = nameless.removeValue(forKey: title) else { return }
    records[number].presence.delete(atMs: 0)
  }

  /// Finds the record of a post that a message names; nil for one that nobody can have written.
  mutating func recognize(_ id: String, title: String) -> PostRecord? {
    if let number = numbers[id] { return records[number] }
    guard let number = nameless.removeValue(forKey: title) else { return nil }
    numbers[id] = number
    records[number].id = id
    return records[number]
  }

  // Checks.

  /// Checks a post that a player was told of at some moment since a time.
  mutating func check(_ post: WirePost, to player: String, sinceMs time: Int64) throws(BrokenRule) {
    guard let record = recognize(post.postID, title: post.title), record.title == post.title else {
      throw BrokenRule(rule: .postsKept, detail: "nobody has written \(post)")
    }
    let isRight =
      record.presence.mayBeThere(sinceMs: time) && record.author == post.authorID && !post.hidden
      && record.text.possible(sinceMs: time).contains(post.text)
    try BrokenRule.unless(isRight, .postsKept, "\(player) was told of \(post) since \(time), of \(record)")
    try checkCounts(
      (post.likes, post.views, post.commentCount),
      of: record,
      sinceMs: time,
      "\(player) was told of \(post.title)"
    )
    for comment in post.comments { try check(comment, of: post.postID, sinceMs: time) }
  }

  /// Checks that a player is told rightly whether they like a post.
  func checkLiked(_ post: WirePost, by player: String, sinceMs time: Int64) throws(BrokenRule) {
    let possible = self[post.postID]?.likes[player]?.possible(sinceMs: time) ?? [false]
    try BrokenRule.unless(possible.contains(post.liked), .countedOnce, "\(player) likes \(post.title): \(post.liked)")
  }

  func check(_ counts: WirePostCounts, to player: String, sinceMs time: Int64) throws(BrokenRule) {
    guard let record = self[counts.postID] else {
      throw BrokenRule(rule: .postsKept, detail: "nobody has written \(counts)")
    }
    let told = (counts.likes, counts.views, counts.commentCount)
    try checkCounts(told, of: record, sinceMs: time, "\(player) was told of \(record.title)")
  }

  private func checkCounts(
    _ told: (likes: UInt32, views: UInt32, comments: UInt32),
    of record: PostRecord,
    sinceMs time: Int64,
    _ what: String
  ) throws(BrokenRule) {
    let (likes, comments) = (record.likeRange(sinceMs: time), record.commentRange(sinceMs: time))
    let isRight =
      likes.contains(Int(told.likes)) && Int(told.views) <= record.readers.count
      && comments.contains(Int(told.comments))
    try BrokenRule.unless(
      isRight,
      .countedOnce,
      "\(what): \(told), of \(likes) likes, \(record.readers.count) readers and \(comments) comments"
    )
  }

  /// Checks a comment of a post, and learns its identifier.
  mutating func check(_ comment: WireComment, of post: String, sinceMs time: Int64) throws(BrokenRule) {
    let isRight = change(post) { record in
      guard let index = record.comments.firstIndex(where: { $0.text == comment.text }) else { return false }
      let known = record.comments[index]
      record.comments[index].id = comment.commentID
      return known.author == comment.authorID && known.id ?? comment.commentID == comment.commentID
        && known.presence.mayBeThere(sinceMs: time)
    }
    try BrokenRule.unless(isRight ?? false, .postsKept, "nobody has written \(comment), or it is deleted")
  }

  // Answers.

  /// A change of a post is answered to its author.
  mutating func settle(_ post: WirePost, mayBeDeleted: Bool, atMs now: Int64) {
    _ = change(post.postID) { record in
      record.presence.settle(mayBeDeleted: mayBeDeleted, atMs: now)
      _ = record.text.settle(post.text, atMs: now)
      record.version = post.version
    }
  }

  mutating func settleComment(_ text: String, of post: String, mayBeDeleted: Bool, atMs now: Int64) {
    changeComment(of: post) {
      $0.text == text
    } _: {
      $0.presence.settle(mayBeDeleted: mayBeDeleted, atMs: now)
    }
  }

  mutating func dropComment(_ text: String, of post: String) {
    changeComment(of: post) {
      $0.text == text
    } _: {
      $0.presence.delete(atMs: 0)
    }
  }

  mutating func changeComment(
    of post: String,
    where isMeant: (CommentRecord) -> Bool,
    _ body: (inout CommentRecord) -> Void
  ) {
    _ = change(post) { record in
      for index in record.comments.indices where isMeant(record.comments[index]) { body(&record.comments[index]) }
    }
  }

  // Players.

  /// A player's account may be deleted, and with it everything that the player wrote.
  mutating func mayDeleteAll(of player: String) {
    for number in records.indices {
      if records[number].author == player { records[number].presence.mayBeDeleted() }
      if records[number].likes[player] != nil { _ = records[number].mayLike(player, false) }
      for index in records[number].comments.indices where records[number].comments[index].author == player {
        records[number].comments[index].presence.mayBeDeleted()
      }
    }
  }

  /// A player's account is deleted, and all data with it.
  mutating func deleteAll(of player: String, atMs now: Int64) {
    for number in records.indices {
      if records[number].author == player { records[number].presence.delete(atMs: now) }
      _ = records[number].likes[player]?.settle(false, atMs: now)
      for index in records[number].comments.indices where records[number].comments[index].author == player {
        records[number].comments[index].presence.delete(atMs: now)
      }
    }
  }
}
