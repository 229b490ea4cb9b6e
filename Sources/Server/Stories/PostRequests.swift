// Writing, editing and deleting posts and comments, and likes.
//
// On the shard's queue. Each change is a change of a commit, and is answered with its outcome; watchers are told behind
// the commit. A post that a player may not see is to them one that does not exist.
// Decisions: 137 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Stories {
  func writePost(_ wire: WireWritePost, _ request: PlayerRequest) {
    let post: Post
    do throws(StoryRefusal) {
      post = Post(
        id: PostID(gateway.context.drawNumber(UInt128.self)),
        author: request.player,
        title: try PostField.title(wire.title),
        text: try PostField.text(wire.text),
        countries: try PostField.countries(wire.countries, in: countries),
        soundtrack: try PostField.soundtrack(wire.soundtrack),
        pictures: try PostField.media(wire.media),
        place: try PostField.place(wire.hasLatE7 ? wire.latE7 : nil, wire.hasLngE7 ? wire.lngE7 : nil),
        capsule: wire.capsuleID.isEmpty ? nil : try PostField.capsule(wire.capsuleID),
        plan: wire.planID.isEmpty ? nil : try PostField.planID(wire.planID),
        writtenAt: gateway.now
      )
    } catch {
      return request.refuse(error.code, error.text)
    }
    guard gateway.allowsWriting(request), gateway.payForChange(request, .postChanges, ofAddress: .postChangesOfAddress)
    else { return }
    charge(request, post.title, post.text)
    requireCapsule(post.capsule, request) { $0.commit(.write(post), $1) }
  }

  func editPost(_ wire: WireEditPost, _ request: PlayerRequest) {
    var edit: PostEdit
    do throws(StoryRefusal) {
      edit = PostEdit(id: try PostField.id(wire.postID), author: request.player, at: gateway.now)
      if wire.hasVersion { edit.version = Int64(wire.version) }
      if wire.hasTitle { edit.title = try PostField.title(wire.title) }
      if wire.hasText { edit.text = try PostField.text(wire.text) }
      if wire.hasCountries { edit.countries = try PostField.countries(wire.countries.codes, in: countries) }
      if wire.hasSoundtrack { edit.soundtrack = try PostField.soundtrack(wire.soundtrack) }
      if wire.hasMedia { edit.pictures = try PostField.media(wire.media.mediaIds) }
      let place = try PostField.place(wire.hasLatE7 ? wire.latE7 : nil, wire.hasLngE7 ? wire.lngE7 : nil)
      if let place { edit.place = .replaced(place) } else if wire.withoutPlace { edit.place = .removed }
      edit.capsule = try PostField.replacement(wire.hasCapsuleID ? wire.capsuleID : nil, PostField.capsule)
      edit.plan = try PostField.replacement(wire.hasPlanID ? wire.planID : nil, PostField.planID)
    } catch {
      return request.refuse(error.code, error.text)
    }
    guard gateway.allowsWriting(request), gateway.payForChange(request, .postChanges, ofAddress: .postChangesOfAddress)
    else { return }
    charge(request, edit.title ?? "", edit.text ?? "")
    let change = StoryChange.edit(edit)
    requireCapsule(edit.capsule.applied(to: nil), request) { $0.commit(change, $1) }
  }

  func deletePost(_ wire: WireDeletePost, _ request: PlayerRequest) {
    guard let id = PostID(wire.postID) else { return request.refuse(.postNotFound) }
    guard gateway.payForChange(request, .postChanges, ofAddress: .postChangesOfAddress) else { return }
    charge(request)
    commit(.delete(id, author: request.player), request)
  }

  /// Goes on when the player may see the capsule that a post names, as everyone may.
  private func requireCapsule(
    _ capsule: CapsuleID?,
    _ request: PlayerRequest,
    _ body: @escaping @Sendable (Stories, PlayerRequest) -> Void
  ) {
    guard let capsule else { return body(self, request) }
    awaitAnswer(for: request) { answer in
      gateway.context.store.capsule(capsule, visibleTo: request.player, answer)
    } then: { stories, request, found in
      switch found {
      case .success(nil): request.refuse(.capsuleNotFound)
      case .failure: request.refuseForStore()
      case .success(let capsule?):
        guard capsule.isForEveryone, !capsule.isHidden else { return request.refuse(.capsuleNotForEveryone) }
        guard stories.gateway.canPromise else { return request.refuseForStore() }
        body(stories, request)
      }
    }
  }

  // Comments.

  func comment(_ wire: WireCommentRequest, _ request: PlayerRequest) {
    let comment: PostComment
    do throws(StoryRefusal) {
      comment = PostComment(
        id: CommentID(gateway.context.drawNumber(UInt128.self)),
        post: try PostField.id(wire.postID),
        author: request.player,
        text: try PostField.comment(wire.text),
        writtenAt: gateway.now
      )
    } catch {
      return request.refuse(error.code, error.text)
    }
    guard gateway.allowsWriting(request),
      gateway.payForChange(request, .commentChanges, ofAddress: .commentChangesOfAddress)
    else { return }
    charge(request, comment.text)
    commit(.comment(comment), request)
  }

  func editComment(_ wire: WireEditComment, _ request: PlayerRequest) {
    let text: String
    do throws(StoryRefusal) {
      text = try PostField.comment(wire.text)
    } catch {
      return request.refuse(error.code, error.text)
    }
    guard let id = CommentID(wire.commentID) else { return request.refuse(.commentNotFound) }
    guard gateway.allowsWriting(request),
      gateway.payForChange(request, .commentChanges, ofAddress: .commentChangesOfAddress)
    else { return }
    charge(request, text)
    commit(.editComment(id, author: request.player, text: text, at: gateway.now), request)
  }

  func deleteComment(_ wire: WireDeleteComment, _ request: PlayerRequest) {
    guard let id = CommentID(wire.commentID) else { return request.refuse(.commentNotFound) }
    guard gateway.payForChange(request, .commentChanges, ofAddress: .commentChangesOfAddress) else { return }
    charge(request)
    commit(.deleteComment(id, author: request.player), request)
  }

  // Likes and views.

  func like(_ wire: WireLike, _ request: PlayerRequest) {
    guard let id = PostID(wire.postID) else { return request.refuse(.postNotFound) }
    guard gateway.payForChange(request, .likes, ofAddress: .likesOfAddress) else { return }
    charge(request)
    commit(.like(id, request.player, at: gateway.now), request)
  }

  func unlike(_ wire: WireUnlike, _ request: PlayerRequest) {
    guard let id = PostID(wire.postID) else { return request.refuse(.postNotFound) }
    guard gateway.payForChange(request, .likes, ofAddress: .likesOfAddress) else { return }
    charge(request)
    commit(.unlike(id, request.player), request)
  }

  /// Counts that a player has looked at a post of somebody else's. Nobody waits for it; a view beyond the budgets, or
  /// while the store fails, does not count.
  func countView(of post: Post, _ request: PlayerRequest) {
    guard post.author != request.player, gateway.canPromise else { return }
    let wait = gateway.budgets.pay(
      Charge(budget: .views, payer: .player(request.player)),
      Charge(budget: .viewsOfAddress, payer: .address(request.session.connection.address.ip)),
      at: gateway.core.now
    )
    guard wait == nil else { return }
    charge(request)
    let change = StoryChange.view(post.id, request.player, at: gateway.now)
    gateway.journal.add(change) { [self] in note($0, of: change) }
  }

  // Budgets.

  /// The bytes that a change takes beside its texts.
  private static let changeBytes: Int64 = 128

  private func charge(_ request: PlayerRequest, _ texts: String...) {
    let bytes = texts.reduce(0) { $0 + $1.utf8.count }
    gateway.chargeJournal(of: request.session, bytes: Self.changeBytes + Int64(bytes))
  }
}
