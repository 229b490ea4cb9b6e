// Answers with posts, and the addresses of their pictures.
//
// On the shard's queue. Addresses are signed for a while, so they go with answers alone; news name pictures by their
// identifiers.
import Game
import Gateway
import MadangProtocol
import Store

/// Takes posts that were read, or the store's failure.
typealias PostsCompletion = @Sendable (Result<WirePosts, StoreFailure>) -> Void

extension Stories {
  typealias Sent = @Sendable (Stories, PlayerRequest) -> Void

  /// Reads posts for a player's request, and answers with them.
  func answerPosts(_ request: PlayerRequest, _ question: (any Store, PlayerID, @escaping PostsCompletion) -> Void) {
    guard gateway.payForQuery(request) else { return }
    awaitAnswer(for: request) { answer in
      question(gateway.context.store, request.player, answer)
    } then: { stories, request, found in
      switch found {
      case .success(let posts): stories.reply(.posts(posts), to: request)
      case .failure: request.refuseForStore()
      }
    }
  }

  /// Answers with a post or with posts, with their pictures' addresses, and calls `sent` behind the answer.
  func reply(_ body: WireServerMessage.OneOf_Body, to request: PlayerRequest, sent: @escaping Sent = { _, _ in }) {
    let pictures = body.namedPictures
    guard !pictures.isEmpty else {
      request.reply(body)
      return sent(self, request)
    }
    awaitAnswer(for: request) { answer in
      media.pictures(pictures, answer)
    } then: { stories, request, found in
      // Without the store the posts come without addresses.
      request.reply(body.showing((try? found.get()) ?? []))
      sent(stories, request)
    }
  }
}

extension WireServerMessage.OneOf_Body {
  /// The pictures of its posts, each once.
  fileprivate var namedPictures: [MediaID] {
    let names =
      switch self {
      case .post(let post): Set(post.media)
      case .posts(let posts): Set(posts.posts.flatMap(\.media))
      default: Set<String>()
      }
    return names.sorted().compactMap { MediaID($0) }
  }

  fileprivate func showing(_ pictures: [WirePicture]) -> Self {
    let pictures = Dictionary(pictures.map { ($0.mediaID, $0) }) { first, _ in first }
    switch self {
    case .post(let post): return .post(post.showing(pictures))
    case .posts(var posts):
      posts.posts = posts.posts.map { $0.showing(pictures) }
      return .posts(posts)
    default: return self
    }
  }
}

extension WirePost {
  fileprivate func showing(_ all: [String: WirePicture]) -> WirePost {
    var post = self
    post.pictures = media.compactMap { all[$0] }
    return post
  }
}
