// The watchers of one post or one feed on a shard, and what they have been told.
//
// Owned by the shard's `LiveStories`. Everything told comes from the store; acts say only that it is worth a look, and
// which comments were edited or are gone.
// Decisions: 116 (docs/decisions).
import Game
import Gateway
import Store

final class WatchAudience {
  let subject: WatchSubject
  private(set) var sessions: [Session] = []
  /// Watches that wait for the store's answer to begin with.
  var pendingCount = 0
  /// The store has something new, or a watcher lacks something.
  var isDirty = false
  /// The state that all watchers but the laggards know; nil before the first one knows something.
  var told: Told?
  /// Since the last tick: comments that were edited, and those that are gone.
  var editedComments: Set<CommentID> = []
  var deletedComments: [DeletedComment] = []
  /// The edited comments that the store is being read for: those of later edits wait for the next read.
  var readEdits: Set<CommentID> = []
  /// The post is gone.
  var isDeleted = false

  enum Told {
    case post(ToldPost)
    /// The first page, in order, and whether there are no others.
    case feed([ToldPost], isAll: Bool)
  }

  init(_ subject: WatchSubject) {
    self.subject = subject
  }

  var isEmpty: Bool { sessions.isEmpty && pendingCount == 0 }

  /// The posts that the watchers of a feed see.
  var shownPosts: [PostID] {
    if case .feed(let posts, isAll: _) = told { posts.map(\.id) } else { [] }
  }

  /// Seats a session.
  func add(_ session: Session, _ watch: StoryWatcher.Watch) {
    watch.index = sessions.count
    sessions.append(session)
  }

  /// Takes a session's seat back; the last one moves there.
  func remove(_ watch: StoryWatcher.Watch) {
    guard let index = watch.index else {
      pendingCount -= 1
      return
    }
    watch.index = nil
    let last = sessions.removeLast()
    guard index < sessions.count else { return }
    sessions[index] = last
    last.part(StoryWatcher.self)?[subject.kind]?.index = index
  }
}

/// A post as watchers know it.
struct ToldPost: Equatable {
  let id: PostID
  let author: PlayerID
  let version: Int64
  let counts: PostCounts
  /// The number of the newest comment, also of one that is hidden or gone; 0 without one, and in a feed.
  var commentNumber: Int64 = 0

  init(_ post: Post) {
    (id, author, version, counts) = (post.id, post.author, post.version, post.counts)
  }

  init(_ opened: OpenedPost) {
    self.init(opened.seen.post)
    commentNumber = opened.newestComment
  }
}

extension WatchAudience.Told {
  /// The authors of a feed's posts.
  var authors: [ReportSubject: PlayerID] {
    if case .feed(let posts, isAll: _) = self { Dictionary(authors: posts) } else { [:] }
  }

  /// The same without some posts of a feed.
  func without(_ hidden: Set<ReportSubject>) -> Self {
    guard case .feed(let posts, isAll: let isAll) = self, !hidden.isEmpty else { return self }
    return .feed(posts.filter { !hidden.contains(.post($0.id)) }, isAll: isAll)
  }

  /// Whether a watcher who begins with `known` lacks nothing of this. News then tell the rest.
  func isKnown(by known: WatchAudience.Told) -> Bool {
    switch (self, known) {
    case (.post(let told), .post(let known)):
      known.commentNumber >= told.commentNumber && known.version >= told.version && known.counts == told.counts
    case (.feed(let told, isAll: _), .feed(let known, isAll: let isAll)):
      known.count < told.count ? !isAll && told.starts(with: known) : known.starts(with: told)
    default: false
    }
  }
}

extension [ReportSubject: PlayerID] {
  init(authors posts: some Sequence<ToldPost>) {
    self.init(posts.map { (.post($0.id), $0.author) }) { first, _ in first }
  }
}
