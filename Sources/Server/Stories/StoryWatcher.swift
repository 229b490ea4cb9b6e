// The stories' part of a session: the post and the feed that it watches.
//
// Owned by the session's shard. The subjects travel with the connection, and its places among the watchers of the new
// shard are taken there.
import Game
import Gateway

/// A post or a feed that is watched.
enum WatchSubject: Hashable, Sendable {
  case post(PostID)
  case feed(FeedKey)
}

final class StoryWatcher: SessionPart {
  static let slot = Session.takeSlot()

  struct Cargo: SessionCargo {
    let subjects: [WatchSubject]
    let reported: Set<ReportSubject>

    func unpacked(for session: Session) -> any SessionPart {
      let watcher = StoryWatcher()
      watcher.travelled = subjects
      watcher.reported = reported
      return watcher
    }
  }

  /// A watch of this session's.
  final class Watch {
    let audience: WatchAudience
    /// Its place among the watchers; nil while the store is asked for what it begins with.
    var index: Int?
    /// The session lacks something: it gets the whole again.
    var isLaggard = false

    init(_ audience: WatchAudience) {
      self.audience = audience
    }
  }

  private var watches: [Watch?] = [nil, nil]
  /// What the player has reported, as the store had it when the newest watch began, with later reports.
  var reported: Set<ReportSubject> = []
  /// The subjects of a connection that has come from another shard, until its watches are resumed.
  var travelled: [WatchSubject] = []

  /// The watch of a kind: one of posts, one of feeds.
  subscript(kind: WatchKind) -> Watch? {
    get { watches[kind.rawValue] }
    set { watches[kind.rawValue] = newValue }
  }

  /// A feature's `moving` comes before the cargo is packed, and ends the watches; their subjects are kept for it.
  var cargo: (any SessionCargo)? {
    travelled.isEmpty ? nil : Cargo(subjects: travelled, reported: reported)
  }
}

enum WatchKind: Int, CaseIterable, Sendable {
  case posts, feeds
}

extension WatchSubject {
  var kind: WatchKind {
    switch self {
    case .post: .posts
    case .feed: .feeds
    }
  }
}
