// What must come of a bot's acts: reckoned by the bot from the answers to them, and added up for all.
//
// Values: each bot fills its own.

struct StoryLedger: Sendable {
  /// The bot's own posts in the order of writing, with their pictures.
  private(set) var posts: [(id: String, media: [String])] = []
  private(set) var deleted: Set<String> = []
  /// The posts that the bot likes, has looked at, and has commented on, with the number of comments.
  private(set) var liked: Set<String> = []
  private(set) var viewed: Set<String> = []
  private(set) var comments: [String: Int] = [:]
  /// Posts that were gone when the bot came to them.
  private(set) var gone: Set<String> = []

  mutating func wrote(_ id: String, _ media: [String]) { posts.append((id, media)) }
  mutating func likes(_ id: String) { liked.insert(id) }
  mutating func unlikes(_ id: String) { liked.remove(id) }
  mutating func looked(at id: String) { if !isOwn(id) { viewed.insert(id) } }
  mutating func commented(on id: String) { comments[id, default: 0] += 1 }
  mutating func found(gone id: String) { gone.insert(id) }

  mutating func deletes(_ id: String) {
    posts.removeAll { $0.id == id }
    deleted.insert(id)
  }

  func isOwn(_ id: String) -> Bool { deleted.contains(id) || posts.contains { $0.id == id } }
}

/// The expected state of all bots' posts.
struct StoryTruth: Sendable {
  struct Post: Equatable, Sendable {
    var media: [String]
    var likes = 0
    var views = 0
    var comments = 0
  }

  /// The posts that must be there.
  private(set) var posts: [String: Post] = [:]
  private(set) var deleted: Set<String> = []
  private var ledgers: [StoryLedger] = []

  mutating func add(_ ledger: StoryLedger) {
    ledgers.append(ledger)
    deleted.formUnion(ledger.deleted)
    for post in ledger.posts { posts[post.id] = Post(media: post.media) }
  }

  mutating func add(_ other: StoryTruth) {
    for ledger in other.ledgers { add(ledger) }
  }

  /// Counts what all have done to each post; called when all ledgers are there.
  mutating func count() {
    for ledger in ledgers {
      for id in ledger.liked { posts[id]?.likes += 1 }
      for id in ledger.viewed { posts[id]?.views += 1 }
      for (id, count) in ledger.comments { posts[id]?.comments += count }
    }
  }

  /// The line of the report.
  var line: String {
    let sum = posts.values.reduce(into: Post(media: [])) { sum, post in
      sum.likes += post.likes
      sum.views += post.views
      sum.comments += post.comments
      sum.media += post.media
    }
    return "must be there       \(posts.count) posts with \(sum), \(deleted.count) deleted"
  }

  /// The posts of each author, the newest first.
  var byAuthor: [[String]] { ledgers.map { $0.posts.map(\.id).reversed() } }

  /// The posts that were gone though nobody has deleted them.
  var lost: Set<String> { ledgers.reduce(into: Set()) { $0.formUnion($1.gone) }.subtracting(deleted) }

  /// The differences between what must be and what the server says of some posts.
  func complaints(about said: [String: Post]) -> [String] {
    var complaints: [String] = []
    for (id, post) in posts {
      guard let said = said[id] else {
        complaints.append("post \(id) is not there")
        continue
      }
      if said != post { complaints.append("post \(id) has \(said), but must have \(post)") }
    }
    for id in said.keys where posts[id] == nil { complaints.append("post \(id) is there, but must not be") }
    return complaints.sorted()
  }
}

extension StoryTruth.Post: CustomStringConvertible {
  var description: String { "\(likes) likes, \(views) views, \(comments) comments, \(media.count) pictures" }
}
