// A player's client of stories: writes, comments, likes and reads posts, and watches one of them and the newest.
//
// Owned by its player, whose connection it uses. StoryClientAnswers.swift handles answers and news. A referee knows the
// requests; no rule of the server's is reckoned here.
import MadangProtocol
import Net

/// The player whom a client of stories belongs to.
protocol StoryPlayer: AnyObject {
  var number: Int { get }
  var playerID: String? { get }
  var mayBeDeleted: Bool { get }
  /// The time of the request that is being answered, or was last.
  var answeredAskedAt: Timestamp { get }
  /// Whether a request that changes stories is under way.
  var isChangingStories: Bool { get }
  /// Whether the player may be muted for the request that is being answered.
  var mayBeMuted: Bool { get }

  /// Sends a request that must be answered.
  func ask(_ body: WireClientMessage.OneOf_Body, _ request: StoryRequest, at now: Timestamp)
}

/// The world that the answers are checked against.
protocol StoryWorld: AnyObject {
  var stories: StoryReferee { get set }
  var report: Report { get set }
  /// Whether the store has had a fault: answers may call it unavailable.
  var hasStoreFailed: Bool { get }
  var brokenOnPurpose: BrokenOnPurpose? { get }

  /// Checks the stored row of a post.
  func checkStored(post id: String) throws(BrokenRule)
}

final class StoryClient {
  unowned let player: any StoryPlayer
  unowned let world: any StoryWorld
  var watchedPost: WatchedPost?
  var watchedFeed: WatchedFeed?
  private var textsWritten = 0

  init(of player: any StoryPlayer, in world: any StoryWorld) {
    self.player = player
    self.world = world
  }

  var playerID: String { player.playerID ?? "" }

  /// A text that nobody else writes.
  private func makeText(_ kind: String) -> String {
    textsWritten += 1
    return "\(player.number)-\(kind)-\(textsWritten)"
  }

  // Changes.

  func write(at now: Timestamp) {
    var wire = WireWritePost()
    wire.title = makeText("post")
    wire.text = makeText("글") + " #바다"
    world.stories.mayWrite(PostRecord(author: playerID, title: wire.title, text: wire.text))
    player.ask(.writePost(wire), .write(title: wire.title), at: now)
  }

  /// Edits a post of one's own; by its version where that is known.
  func edit(_ id: String, namesVersion: Bool, at now: Timestamp) {
    var wire = WireEditPost()
    wire.postID = id
    wire.text = makeText("글")
    if namesVersion, let record = world.stories[id], record.presence.isSure, record.text.sure != nil {
      wire.version = record.version
    }
    let text = wire.text
    let isNew = world.stories.change(id) { $0.text.mayBecome(text) } ?? false
    player.ask(.editPost(wire), .edit(id, text: text, isNew: isNew), at: now)
  }

  func delete(_ id: String, at now: Timestamp) {
    let wasSure = world.stories[id]?.presence.isSure ?? false
    _ = world.stories.change(id) { $0.presence.mayBeDeleted() }
    var wire = WireDeletePost()
    wire.postID = id
    player.ask(.deletePost(wire), .delete(id, wasSure: wasSure), at: now)
  }

  func comment(on id: String, at now: Timestamp) {
    var wire = WireCommentRequest()
    wire.postID = id
    wire.text = makeText("댓글")
    let record = CommentRecord(author: playerID, text: wire.text)
    _ = world.stories.change(id) { $0.comments.append(record) }
    player.ask(.comment(wire), .comment(id, text: wire.text), at: now)
  }

  func deleteComment(_ id: String, of post: String, at now: Timestamp) {
    let wasSure = world.stories[post]?.comments.contains { $0.id == id && $0.presence.isSure } ?? false
    world.stories.changeComment(of: post) {
      $0.id == id
    } _: {
      $0.presence.mayBeDeleted()
    }
    var wire = WireDeleteComment()
    wire.commentID = id
    player.ask(.deleteComment(wire), .deleteComment(id, of: post, wasSure: wasSure), at: now)
  }

  /// Likes a post, by so many requests at once.
  func like(_ id: String, times: Int, at now: Timestamp) {
    let playerID = playerID
    let isNew = world.stories.change(id) { $0.mayLike(playerID, true) } ?? false
    for _ in 0..<times { player.ask(.like(Self.like(id)), .like(id, isNew: isNew), at: now) }
  }

  func unlike(_ id: String, at now: Timestamp) {
    let playerID = playerID
    let isNew = world.stories.change(id) { $0.mayLike(playerID, false) } ?? false
    var wire = WireUnlike()
    wire.postID = id
    player.ask(.unlike(wire), .unlike(id, isNew: isNew), at: now)
  }

  private static func like(_ id: String) -> WireLike {
    var wire = WireLike()
    wire.postID = id
    return wire
  }

  /// Tries what is not allowed: to like one's own post, or to change somebody else's.
  func trespass(_ id: String, at now: Timestamp) {
    guard world.stories[id]?.author != playerID else {
      return player.ask(.like(Self.like(id)), .likeOwn(id), at: now)
    }
    var wire = WireEditPost()
    wire.postID = id
    wire.text = "mine"
    player.ask(.editPost(wire), .trespass(id), at: now)
  }

  // Reads and watches.

  private func noteReader(of id: String) {
    let playerID = playerID
    _ = world.stories.change(id) { if $0.author != playerID { $0.readers.insert(playerID) } }
  }

  func read(_ id: String, at now: Timestamp) {
    noteReader(of: id)
    var wire = WireReadPost()
    wire.postID = id
    player.ask(.readPost(wire), .read(id), at: now)
  }

  func list(at now: Timestamp) {
    var wire = WireListPosts()
    wire.limit = 50
    player.ask(.listPosts(wire), .list, at: now)
  }

  func watch(_ id: String, at now: Timestamp) {
    noteReader(of: id)
    var wire = WireWatchPost()
    wire.postID = id
    player.ask(.watchPost(wire), .watchPost(id), at: now)
  }

  func unwatchPost(at now: Timestamp) { player.ask(.unwatchPost(.init()), .unwatchPost, at: now) }

  func watchFeed(at now: Timestamp) {
    var wire = WireWatchFeed()
    wire.limit = UInt32(WatchedFeed.postsMax)
    player.ask(.watchFeed(wire), .watchFeed, at: now)
  }

  func unwatchFeed(at now: Timestamp) { player.ask(.unwatchFeed(.init()), .unwatchFeed, at: now) }

  // Connections.

  /// The connection is lost, or another shard has it: watches end with it.
  func endWatches() {
    watchedPost = nil
    watchedFeed = nil
  }

  /// The player is deleted, and the client comes back as another. `isErased`: the data is gone too.
  func beDeleted(isErased: Bool, at now: Timestamp) {
    endWatches()
    if isErased {
      world.stories.deleteAll(of: playerID, atMs: now.milliseconds)
    } else {
      world.stories.mayDeleteAll(of: playerID)
    }
  }
}
