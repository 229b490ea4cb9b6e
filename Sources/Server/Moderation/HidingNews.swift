// The news of watchers of posts and places when something is hidden: from everybody, or from one who has reported it.
//
// On the shard's queue, behind the commit.
import Game
import Gateway
import MadangProtocol
import Store

extension Moderation {
  /// Tells who watches of a thing that was hidden from everybody, or is shown again. A hidden post ends its watches,
  /// its author's too. A capsule that is shown again is noticed as one that was just buried is.
  func tell(_ thing: ModeratedSubject, isHidden: Bool) {
    switch (thing.subject.kind, thing.post) {
    case (.post, let post?) where isHidden: stories.tell(StoryAct(post, .deleted))
    case (.post, _): stories.shards.postToAll { $0.lookAgain() }
    case (.comment, let post?):
      let comment = CommentID(thing.subject.id)
      let deleted = DeletedComment(id: comment, author: thing.author)
      stories.tell(StoryAct(post, isHidden ? .commentDeleted(deleted) : .commentEdited(comment)))
    case (.capsule, _) where isHidden:
      let capsule = CapsuleID(thing.subject.id)
      places.shards.postToAll { $0.hide(capsule, of: thing.author) }
    case (.comment, nil), (.plan, _), (.capsule, _), (.profile, _): break
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
    // Everything else that is watched comes without it.
    stories.renewWatches(of: session)
  }

  /// A player has blocked another one, or no longer does: what they watch comes without, or with, what that one writes.
  func blocksChanged(of session: Session) {
    stories.renewWatches(of: session)
  }
}
