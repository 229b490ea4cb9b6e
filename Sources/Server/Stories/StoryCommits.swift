// Changes of stories on their way through a commit: the answer to who asked, and the news for who watches.
//
// On the shard's queue, behind the commit.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Stories {
  /// Commits a change, and answers with its outcome.
  func commit(_ change: StoryChange, _ request: PlayerRequest) {
    // The connection waits for the outcome; without it nothing else would be answered.
    let giveUp = { request.session.refuseUnwritten(request.id, andClose: true) }
    awaitOutcome(of: change, for: request.session, orElse: giveUp) { [self] outcome, session in
      note(outcome, of: change)
      if session != nil { answer(outcome, to: change, request) }
    }
  }

  private func answer(_ outcome: StoryOutcome, to change: StoryChange, _ request: PlayerRequest) {
    let nickname = request.asker.nickname
    switch outcome {
    case .written(let post):
      reply(.post(WirePost(SeenPost(post: post, authorNickname: nickname, isLiked: false))), to: request)
    case .edited(let post, before: _, let isHidden):
      // Nobody likes their own post.
      let seen = SeenPost(post: post, authorNickname: nickname, isLiked: false, isHidden: isHidden)
      reply(.post(WirePost(seen)), to: request)
    case .commented(let comment, _, let isHidden):
      let seen = SeenComment(comment: comment, authorNickname: nickname, isHidden: isHidden)
      request.reply(.comment(WireComment(seen)))
    case .counted(let counts, isChanged: _):
      guard let post = change.countedPost else { preconditionFailure("a counted change is of a post") }
      request.reply(.postCounts(WirePostCounts(post, counts)))
    case .deleted, .deletedComment, .hidden: request.reply(.ok(WireOk()))
    case .staleVersion: request.refuse(.staleVersion)
    case .tooMany: request.refuse(.tooManyPosts)
    case .mediaNotFound: request.refuse(.mediaNotFound)
    case .planNotFound: request.refuse(.planNotFound)
    case .ownPost: request.refuse(.ownPost)
    case .blocked: request.refuse(.blocked)
    case .notFound: refuseNotFound(change, request)
    case .unavailable: request.refuseForStore()
    }
  }

  /// Refuses a change of something that is not there, or is somebody else's.
  private func refuseNotFound(_ change: StoryChange, _ request: PlayerRequest) {
    let changed: PostID
    switch change {
    case .edit(let edit): changed = edit.id
    case .delete(let id, author: _): changed = id
    case .editComment, .deleteComment: return request.refuse(.commentNotFound)
    default: return request.refuse(.postNotFound)
    }
    awaitAnswer(for: request) { answer in
      gateway.context.store.post(changed, for: request.player, comments: .newest, limit: 1, answer)
    } then: { _, request, found in
      switch found {
      case .success(let opened): request.refuse(opened == nil ? .postNotFound : .notAuthor)
      case .failure: request.refuseForStore()
      }
    }
  }

  /// Counts a committed change, and has those who watch told of it.
  func note(_ outcome: StoryOutcome, of change: StoryChange) {
    switch outcome {
    case .written(let post):
      statistics.acts[.post] += 1
      tell(StoryAct(post.id, .scopes(post.scopes)))
    case .edited(let post, before: let before, isHidden: _):
      guard post.version != before.version else { return }
      statistics.acts[.edit] += 1
      tell(StoryAct(post.id, .scopes(post.scopes.union(before.scopes))))
    case .deleted(let post):
      statistics.acts[.delete] += 1
      tell(StoryAct(post.id, .deleted))
    case .commented(let comment, _, isHidden: _):
      guard case .editComment = change else {
        statistics.acts[.comment] += 1
        return tell(StoryAct(comment.post, .commented))
      }
      statistics.acts[.commentEdit] += 1
      tell(StoryAct(comment.post, .commentEdited(comment.id)))
    case .deletedComment(let comment, _):
      statistics.acts[.commentDelete] += 1
      tell(StoryAct(comment.post, .commentDeleted(DeletedComment(id: comment.id, author: comment.author))))
    case .counted(_, isChanged: true):
      switch change {
      case .like(let post, _, at: _):
        statistics.acts[.like] += 1
        tell(StoryAct(post, .liked))
      case .unlike(let post, _):
        statistics.acts[.unlike] += 1
        tell(StoryAct(post, .liked))
      case .view(let post, _, at: _):
        statistics.acts[.view] += 1
        tell(StoryAct(post, .viewed))
      default: preconditionFailure("likes and views are counted")
      }
    case .counted(_, isChanged: false), .hidden, .staleVersion, .tooMany, .mediaNotFound, .planNotFound, .ownPost,
      .blocked,
      .notFound, .unavailable:
      break
    }
  }
}

extension StoryChange {
  /// The post whose likes or views it changes.
  fileprivate var countedPost: PostID? {
    switch self {
    case .like(let post, _, at: _), .unlike(let post, _), .view(let post, _, at: _): post
    default: nil
    }
  }
}
