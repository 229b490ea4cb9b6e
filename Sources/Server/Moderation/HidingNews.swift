// The news of watchers of posts when something is hidden: from everybody, or from one who has reported it.
//
// On the shard's queue, behind the commit.
import Game
import Gateway
import MadangProtocol
import Store

extension Moderation {
  /// Tells who watches of a thing that was hidden from everybody, or is shown again. A hidden post ends its watches,
  /// its author's too.
  func tell(_ thing: ModeratedSubject, isHidden: Bool) {
    guard let post = thing.post else { return }
    switch thing.subject.kind {
    case .post where isHidden: stories.tell(StoryAct(post, .deleted))
    case .post: stories.shards.postToAll { $0.lookAgain() }
    case .comment:
      let comment = CommentID(thing.subject.id)
      stories.tell(StoryAct(post, isHidden ? .commentDeleted(comment) : .commentEdited(comment)))
    case .plan, .capsule, .profile: break
    }
  }

  /// Takes a post or a comment that a player has just reported from what their session watches.
  func hide(_ subject: ReportSubject, fromWatchesOf session: Session) {
    guard let watcher = session.part(StoryWatcher.self) else { return }
    watcher.reported.insert(subject)
    if subject.kind == .post, watcher[.posts]?.audience.subject == .post(PostID(subject.id)) {
      var news = WirePostNews()
      news.postID = PostID(subject.id).description
      news.deleted = true
      session.send(.postNews(news))
      stories.end(.posts, session)
    }
    // Everything else that is watched comes anew, without it.
    for kind in WatchKind.allCases {
      guard let watch = watcher[kind] else { continue }
      watch.isLaggard = true
      stories.live[kind].mark(watch.audience)
    }
    stories.armTicks()
  }
}
