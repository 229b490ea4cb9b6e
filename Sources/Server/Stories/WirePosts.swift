// Posts and comments on the wire. Pure.
import Game
import MadangProtocol
import Store

extension WirePost {
  init(_ seen: SeenPost) {
    self.init()
    let post = seen.post
    postID = post.id.description
    authorID = post.author.description
    nickname = seen.authorNickname
    title = post.title
    text = post.text
    countries = post.countries.map(\.description)
    hashtags = post.hashtags.map(\.text)
    if !post.soundtrack.isSilent { soundtrack = WireSoundtrack(post.soundtrack) }
    media = post.pictures.map(\.description)
    if let place = post.place {
      latE7 = place.latE7
      lngE7 = place.lngE7
    }
    if let capsule = post.capsule { capsuleID = capsule.description }
    if let plan = post.plan { planID = plan.description }
    writtenAtMs = post.writtenAt.milliseconds
    if let editedAt = post.editedAt { editedAtMs = editedAt.milliseconds }
    version = UInt32(clamping: post.version)
    likes = UInt32(clamping: post.counts.likes)
    views = UInt32(clamping: post.counts.views)
    commentCount = UInt32(clamping: post.counts.comments)
    liked = seen.isLiked
    hidden = seen.isHidden
  }

  /// A post with a page of its comments, the newest first.
  init(_ opened: OpenedPost) {
    self.init(opened.seen)
    comments = opened.comments.comments.map { WireComment($0) }
    if let next = opened.comments.next {
      commentsCursor = CommentCursor(post: opened.seen.post.id, order: .newest, number: next).text
    }
  }
}

extension WirePostCounts {
  init(_ post: PostID, _ counts: PostCounts) {
    self.init()
    postID = post.description
    likes = UInt32(clamping: counts.likes)
    views = UInt32(clamping: counts.views)
    commentCount = UInt32(clamping: counts.comments)
  }
}

extension WireComment {
  init(_ seen: SeenComment) {
    self.init()
    let comment = seen.comment
    commentID = comment.id.description
    postID = comment.post.description
    authorID = comment.author.description
    nickname = seen.authorNickname
    text = comment.text
    writtenAtMs = comment.writtenAt.milliseconds
    if let editedAt = comment.editedAt { editedAtMs = editedAt.milliseconds }
    number = UInt32(clamping: comment.number)
    hidden = seen.isHidden
  }
}

extension WireSoundtrack {
  init(_ soundtrack: Soundtrack) {
    self.init()
    if let sound = soundtrack.music { music = WireSound(sound, of: Soundtrack.musicNames) }
    effects = soundtrack.effects.map { WireSound($0, of: Soundtrack.effectNames) }
  }
}

extension WireSound {
  fileprivate init(_ sound: Sound, of names: [String]) {
    self.init()
    name = names[sound.number]
    volumePercent = UInt32(sound.volumePercent)
  }
}
