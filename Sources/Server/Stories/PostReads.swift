// Reading posts and comments: one with its comments, lists in pages, the top ones, a search.
//
// On the shard's queue; the store answers by `post`.
// Decisions: 135 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Stories {
  func readPost(_ wire: WireReadPost, _ request: PlayerRequest) {
    guard let id = PostID(wire.postID) else { return request.refuse(.postNotFound) }
    guard let limit = request.commentLimit(wire.hasLimit ? wire.limit : nil), gateway.payForQuery(request) else {
      return
    }
    awaitAnswer(for: request) { answer in
      gateway.context.store.post(id, for: request.player, comments: .newest, limit: limit, answer)
    } then: { stories, request, found in
      switch found {
      case .success(let opened?):
        stories.reply(.post(WirePost(opened)), to: request)
        stories.countView(of: opened.seen.post, request)
      case .success(nil): request.refuse(.postNotFound)
      case .failure: request.refuseForStore()
      }
    }
  }

  func listComments(_ wire: WireListComments, _ request: PlayerRequest) {
    guard let id = PostID(wire.postID) else { return request.refuse(.postNotFound) }
    guard let limit = request.commentLimit(wire.hasLimit ? wire.limit : nil) else { return }
    let order: CommentOrder = wire.oldestFirst ? .oldest : .newest
    var cursor: CommentCursor?
    if !wire.cursor.isEmpty {
      guard wire.cursor.utf8.count <= Limits.cursorBytesMax,
        let read = CommentCursor(wire.cursor, post: id, order: order)
      else { return request.refuse(.wrongCursor) }
      cursor = read
    }
    answerFromStore(request, orElse: .postNotFound) { store, player, finish in
      store.comments(of: id, for: player, order, after: cursor?.number, limit: limit) { found in
        finish(
          found.map { page in
            page.map { page in
              var answer = WireComments()
              answer.comments = page.comments.map { WireComment($0) }
              if let next = page.next {
                answer.nextCursor = CommentCursor(post: id, order: order, number: next).text
              }
              return .comments(answer)
            }
          }
        )
      }
    }
  }

  // Lists of posts.

  func listPosts(_ wire: WireListPosts, _ request: PlayerRequest) {
    guard let feed = request.feed(wire, in: countries),
      let (limit, cursor) = request.page(wire.hasLimit ? wire.limit : nil, wire.cursor, of: .feed(feed))
    else { return }
    answerPosts(request) { store, player, finish in
      store.feed(feed.scope, by: feed.sort, after: cursor, for: player, limit: limit) { found in
        finish(found.map { WirePosts($0, of: .feed(feed)) })
      }
    }
  }

  func searchPosts(_ wire: WireSearchPosts, _ request: PlayerRequest) {
    guard wire.query.utf8.count <= Limits.postQueryBytesMax, wire.query.count <= Limits.postQueryCharactersMax else {
      return request.refuse(.textTooLong, "query: at most \(Limits.postQueryCharactersMax) characters")
    }
    let query = SearchText(wire.query)
    guard !query.words.isEmpty else { return request.refuse(.textEmpty, "query: a letter or a digit") }
    guard let (limit, cursor) = request.page(wire.hasLimit ? wire.limit : nil, wire.cursor, of: .search(query)) else {
      return
    }
    answerPosts(request) { store, player, finish in
      store.searchPosts(query, after: cursor, for: player, limit: limit) { found in
        finish(found.map { WirePosts($0, of: .search(query)) })
      }
    }
  }

  /// Answers with the most liked posts of the last days, or with a country's most liked ones of all time.
  func topPosts(_ wire: WireTopPosts, _ request: PlayerRequest) {
    // A country's hot posts are more than one.
    let standard = wire.country.isEmpty || wire.hasDays ? Limits.topPostsDefault : 1
    let asked = wire.hasLimit ? wire.limit : nil
    guard let limit = request.rows(asked, "limit", in: Limits.topPosts, default: standard) else { return }
    let days: UInt32? = wire.hasDays ? wire.days : wire.country.isEmpty ? Limits.topDaysDefault : nil
    let feed: FeedKey
    do throws(StoryRefusal) {
      feed = try FeedKey(top: days, country: wire.country, in: countries)
    } catch {
      return request.refuse(error.code, error.text)
    }
    let now = gateway.now
    answerPosts(request) { store, player, finish in
      store.page(of: feed, for: player, at: now, limit: limit) { found in finish(found.map { WirePosts($0.posts) }) }
    }
  }

  func answerHashtags(_ wire: WireHashtagsRequest, _ request: PlayerRequest) {
    let (range, standard) = (Limits.hashtagsLimit, Limits.hashtagsLimitDefault)
    guard let limit = request.rows(wire.hasLimit ? wire.limit : nil, "limit", in: range, default: standard) else {
      return
    }
    answerFromStore(request, orElse: .postNotFound) { store, _, finish in
      store.hashtags(limit: limit) { found in
        finish(
          found.map { counts in
            var answer = WireHashtags()
            answer.hashtags = counts.map { count in
              var row = WireHashtagCount()
              row.hashtag = count.hashtag.text
              row.posts = UInt32(clamping: count.posts)
              return row
            }
            return .hashtags(answer)
          }
        )
      }
    }
  }

  /// Answers with the names of the sounds; the sounds themselves are the apps'.
  func answerSounds(_: WireSoundsRequest, _ request: PlayerRequest) {
    var answer = WireSounds()
    answer.music = Soundtrack.musicNames
    answer.effects = Soundtrack.effectNames
    request.reply(.sounds(answer))
  }
}

extension PlayerRequest {
  func commentLimit(_ asked: UInt32?) -> Int? {
    rows(asked, "limit", in: Limits.commentsLimit, default: Limits.commentsLimitDefault)
  }

  func postLimit(_ asked: UInt32?) -> Int? {
    rows(asked, "limit", in: Limits.postsLimit, default: Limits.postsLimitDefault)
  }

  /// The set of posts and their order in a request; nil, and the request is refused, where they are not well-formed.
  func feed(_ wire: some PostFeedRequest, in catalogue: CountryCatalogue) -> FeedKey? {
    do throws(StoryRefusal) {
      return try wire.feed(in: catalogue)
    } catch {
      refuse(error.code, error.text)
      return nil
    }
  }

  /// The page of a list that is asked for; nil, and the request is refused, where it is not well-formed.
  fileprivate func page(_ asked: UInt32?, _ text: String, of list: PostList) -> (limit: Int, cursor: PostCursor?)? {
    guard let limit = postLimit(asked) else { return nil }
    guard !text.isEmpty else { return (limit, nil) }
    guard text.utf8.count <= Limits.cursorBytesMax, let cursor = PostCursor(text, in: list) else {
      refuse(.wrongCursor)
      return nil
    }
    return (limit, cursor)
  }
}

/// A request that names a set of posts and an order.
protocol PostFeedRequest {
  var authorID: String { get }
  var country: String { get }
  var hashtag: String { get }
  var sort: WirePostSort { get }
  /// In place of an order: the days whose most liked posts are asked for.
  var days: UInt32? { get }
}

extension WireListPosts: PostFeedRequest {
  var days: UInt32? { nil }
}

extension WireWatchFeed: PostFeedRequest {
  var days: UInt32? { hasTopDays ? topDays : nil }
}

extension PostFeedRequest {
  fileprivate func feed(in catalogue: CountryCatalogue) throws(StoryRefusal) -> FeedKey {
    guard let days else { return FeedKey(scope: try scope(in: catalogue), sort: try feedSort) }
    guard authorID.isEmpty, hashtag.isEmpty, sort == .unspecified else {
      throw StoryRefusal(.outOfRange, "topDays: without authorId, hashtag and sort")
    }
    return try FeedKey(top: days, country: country, in: catalogue)
  }

  fileprivate func scope(in catalogue: CountryCatalogue) throws(StoryRefusal) -> FeedScope {
    switch (authorID.isEmpty, country.isEmpty, hashtag.isEmpty) {
    case (true, true, true): return .everyone
    case (false, true, true):
      guard let player = PlayerID(authorID) else {
        throw StoryRefusal(.outOfRange, "authorId: 32 hexadecimal digits")
      }
      return .author(player)
    case (true, false, true): return .country(try PostField.country(country, in: catalogue))
    case (true, true, false):
      guard let tag = Hashtag(hashtag) else { throw StoryRefusal(.outOfRange, "hashtag: a word of letters") }
      return .hashtag(tag)
    default: throw StoryRefusal(.outOfRange, "authorId, country, hashtag: one of them, or none")
    }
  }

  fileprivate var feedSort: FeedSort {
    get throws(StoryRefusal) {
      switch sort {
      case .unspecified, .newest: return .latest
      case .likes: return .likes
      case .views: return .views
      case .UNRECOGNIZED: throw StoryRefusal(.outOfRange, "sort: NEWEST, LIKES or VIEWS")
      }
    }
  }
}

extension WirePosts {
  init(_ posts: [SeenPost]) {
    self.init()
    self.posts = posts.map { WirePost($0) }
  }

  init(_ page: FeedPage, of list: PostList) {
    self.init(page.posts)
    if let next = page.next { nextCursor = next.text(in: list) }
  }
}

extension FeedKey {
  /// The most liked posts of some days, about a country or not; without days those of all time.
  fileprivate init(top days: UInt32?, country: String, in catalogue: CountryCatalogue) throws(StoryRefusal) {
    scope = country.isEmpty ? .everyone : .country(try PostField.country(country, in: catalogue))
    sort = .likes
    guard let days else { return }
    guard Limits.topDays.contains(Int(days)) else {
      throw StoryRefusal(.outOfRange, "days: \(Limits.topDays)")
    }
    topDays = Int(days)
  }
}

extension StoryStore {
  /// The first page of a feed at a moment.
  func page(
    of feed: FeedKey,
    for player: PlayerID,
    at now: Instant,
    limit: Int,
    _ completion: @escaping Completion<FeedPage>
  ) {
    guard let days = feed.topDays else {
      return self.feed(feed.scope, by: feed.sort, after: nil, for: player, limit: limit, completion)
    }
    let since = now - .seconds(days * 86_400)
    topPosts(about: feed.country, writtenSince: since, for: player, limit: limit) { found in
      completion(found.map { FeedPage(posts: $0) })
    }
  }
}
