// The answers to a bot's acts: what must come of them goes into the ledger, and what differs at once is complained of.
//
// On the bot's shard.
import MadangProtocol
import Net

extension StoryBot {
  func answered(_ act: StoryAct, _ body: WireServerMessage.OneOf_Body?) {
    switch (act.kind, body) {
    case (.write, .post(let post)):
      ledger.wrote(post.postID, act.media)
      check(post.media == act.media, "a new post has \(post.media.count) pictures, not \(act.media.count)")
    case (.edit, .post(let post)):
      let media = ledger.posts.first { $0.id == act.post }?.media
      check(post.media == media, "an edited post has other pictures")
    case (.delete, .ok): ledger.deletes(act.post)
    case (.comment, .comment(let comment)):
      ledger.commented(on: act.post)
      check(comment.postID == act.post && comment.authorID == playerID, "a comment is of another post or player")
    case (.like, .postCounts(let counts)):
      ledger.likes(act.post)
      check(counts.likes > 0, "a post that was liked has no like")
    case (.unlike, .postCounts): ledger.unlikes(act.post)
    case (.read, .post(let post)): looked(post)
    case (.watch, .post(let post)):
      looked(post)
      watched = post.postID
      told = StoryTruth.Post(post)
    case (.list, .posts(let page)): learn(page.posts)
    case (.search, .posts(let page)): searched(page)
    case (.upload, .upload(let upload)): put(upload)
    case (.audit, .posts(let page)): audited(page)
    case (.audit, .post(let post)): inspect(post)
    case (_, .error(let error)): refused(act, error)
    default: context.results.complain("\(act.kind.rawValue) has another answer than its own")
    }
  }

  func check(_ holds: Bool, _ complaint: @autoclosure () -> String) {
    if !holds { context.results.complain(complaint()) }
  }

  private func refused(_ act: StoryAct, _ error: WireError) {
    // Somebody has deleted it: the end tells whether that is true.
    if error.code == .postNotFound, !act.post.isEmpty, !ledger.isOwn(act.post) {
      ledger.found(gone: act.post)
      known.removeAll { $0 == act.post }
      ledger.unlikes(act.post)
      return
    }
    context.results.note(error: error.code.name)
  }

  private func looked(_ post: WirePost) {
    ledger.looked(at: post.postID)
    check(post.liked == ledger.liked.contains(post.postID), "post \(post.postID) says that it is liked: \(post.liked)")
    let most = min(50, Int(post.commentCount))
    check(post.comments.count <= 50 && post.comments.count >= min(1, most), "a post lacks its newest comments")
    check(post.pictures.map(\.mediaID) == post.media, "a post's pictures are not all there")
  }

  /// A search for the bot's own word finds its own posts, and no others.
  private func searched(_ page: WirePosts) {
    let own = Set(ledger.posts.map(\.id))
    guard own.count <= 50 else { return }
    check(Set(page.posts.map(\.postID)) == own, "a search finds \(page.posts.count) posts, not \(own.count)")
  }

  // Pictures.

  private func put(_ upload: WireUpload) {
    let (bytes, begin) = (picture, context.core.readClock())
    uploadsBegun += 1
    openTransfers += 1
    // The answer comes on the bot's own shard.
    nonisolated(unsafe) let bot = self
    context.send("PUT", upload.url, bytes, number: number) { answer in
      bot.openTransfers -= 1
      guard let id = answer?.mediaID else {
        bot.context.results.note(error: "UPLOAD \(answer.map { "\($0.status)" } ?? "BROKEN")")
        return
      }
      bot.pictures.append(id)
      bot.context.results.noteUpload(microseconds: bot.context.core.readClock().microseconds(since: begin))
    }
  }

  /// Fetches the pictures of one of the bot's own posts: each must be whole.
  private func inspect(_ post: WirePost) {
    let media = ledger.posts.first { $0.id == post.postID }?.media ?? []
    check(post.pictures.map(\.mediaID) == media, "post \(post.postID) has \(post.pictures.count) pictures")
    // The answers come on the bot's own shard.
    nonisolated(unsafe) let bot = self
    for path in post.pictures.flatMap({ [$0.url, $0.phoneURL, $0.thumbnailURL] }) {
      openTransfers += 1
      context.send("GET", path, number: number) { answer in
        bot.openTransfers -= 1
        let isWhole = answer.map { $0.status == 200 && !$0.body.isEmpty && $0.promised == $0.body.count } ?? false
        bot.check(isWhole, "a picture is not whole: \(answer.map { "\($0.status)" } ?? "broken")")
      }
    }
  }

  func inspectPictures() {
    for post in ledger.posts where !post.media.isEmpty { send(.read(post.id, kind: .audit)) }
  }

  // What the server says at the end.

  /// Reads the list of the bot's own posts anew, or all posts.
  func audit(all: Bool) {
    listed = []
    auditsAll = all
    send(.list(author: all ? "" : playerID, kind: .audit))
  }

  private func audited(_ page: WirePosts) {
    listed += page.posts
    guard !page.nextCursor.isEmpty else { return }
    send(.list(author: auditsAll ? "" : playerID, cursor: page.nextCursor, kind: .audit))
  }
}

extension StoryTruth.Post {
  init(_ post: WirePost) {
    self.init(media: post.media, likes: Int(post.likes), views: Int(post.views), comments: Int(post.commentCount))
  }
}
