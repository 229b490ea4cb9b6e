// The reads of stories of the double.
import Game
import Store

extension MemoryStore {
  package func post(
    _ id: PostID,
    for player: PlayerID,
    comments order: CommentOrder,
    limit: Int,
    _ completion: @escaping Completion<OpenedPost?>
  ) {
    respond(completion) { tables in
      let (stories, readers) = (tables.stories, tables.readers)
      guard let entry = stories.seen(id, by: player, readers) else { return .success(nil) }
      let comments = stories.comments(of: entry, for: player, readers, order, after: nil, limit: limit)
      let seen = stories.view(entry, for: player, readers)
      return .success(OpenedPost(seen: seen, comments: comments, newestComment: entry.newestComment))
    }
  }

  package func comments(
    of post: PostID,
    for player: PlayerID,
    _ order: CommentOrder,
    after number: Int64?,
    limit: Int,
    _ completion: @escaping Completion<CommentPage?>
  ) {
    respond(completion) { tables in
      let (stories, readers) = (tables.stories, tables.readers)
      guard let entry = stories.seen(post, by: player, readers) else { return .success(nil) }
      return .success(stories.comments(of: entry, for: player, readers, order, after: number, limit: limit))
    }
  }

  package func feed(
    _ scope: FeedScope,
    by sort: FeedSort,
    after cursor: PostCursor?,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<FeedPage>
  ) {
    respond(completion) { tables in
      let listed = tables.stories.posts.values.filter { $0.isListed(in: scope) }
      return .success(tables.stories.page(listed, by: sort, after: cursor, for: player, tables.readers, limit: limit))
    }
  }

  package func topPosts(
    about country: CountryCode?,
    writtenSince since: Instant,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<[SeenPost]>
  ) {
    respond(completion) { tables in
      let recent = tables.stories.posts.values.filter { entry in
        !entry.isHidden && entry.post.writtenAt >= since && (country.map(entry.post.countries.contains) ?? true)
      }
      return .success(
        tables.stories.page(recent, by: .likes, after: nil, for: player, tables.readers, limit: limit).posts
      )
    }
  }

  package func countries(
    mostLikedSince since: Instant,
    among countries: Set<CountryCode>,
    limit: Int,
    _ completion: @escaping Completion<[CountryCode]>
  ) {
    respond(completion) { tables in
      let recent = tables.stories.posts.values.filter { entry in
        !entry.isHidden && entry.post.writtenAt >= since && entry.post.counts.likes > 0
      }
      let codes = recent.sorted { $0.cursor(.likes) > $1.cursor(.likes) }.flatMap(\.post.countries)
      let found = codes.reduce(into: [CountryCode]()) { found, code in
        if countries.contains(code) && !found.contains(code) { found.append(code) }
      }
      return .success(Array(found.prefix(limit)))
    }
  }

  package func searchPosts(
    _ query: SearchText,
    after cursor: PostCursor?,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<FeedPage>
  ) {
    respond(completion) { tables in
      let found = tables.stories.posts.values.filter { !$0.isHidden && $0.post.searchText.matches(query) }
      return .success(tables.stories.page(found, by: .latest, after: cursor, for: player, tables.readers, limit: limit))
    }
  }

  package func hashtags(limit: Int, _ completion: @escaping Completion<[HashtagCount]>) {
    respond(completion) { tables in
      let counts = tables.stories.posts.values.filter { !$0.isHidden }.flatMap(\.post.hashtags)
        .reduce(into: [Hashtag: Int64]()) { $0[$1, default: 0] += 1 }
      let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      return .success(sorted.prefix(limit).map { HashtagCount(hashtag: $0.key, posts: $0.value) })
    }
  }

  package func storyCounts(_ completion: @escaping Completion<StoryCounts>) {
    respond(completion) { tables in
      .success(
        tables.stories.posts.values.reduce(into: StoryCounts()) { total, entry in
          total.posts += 1
          total.counts.likes += entry.post.counts.likes
          total.counts.views += entry.post.counts.views
          total.counts.comments += entry.post.counts.comments
        }
      )
    }
  }
}

extension MemoryStories {
  fileprivate func view(_ entry: PostEntry, for player: PlayerID, _ players: Players) -> SeenPost {
    SeenPost(
      post: entry.post,
      authorNickname: players[entry.post.author]?.nickname ?? ErasedText.text,
      isLiked: entry.likes[player] != nil,
      isHidden: entry.isHidden
    )
  }

  fileprivate func page(
    _ entries: [PostEntry],
    by sort: FeedSort,
    after cursor: PostCursor?,
    for player: PlayerID,
    _ players: Players,
    limit: Int
  ) -> FeedPage {
    let behind = entries.filter { entry in cursor.map { entry.cursor(sort) < $0 } ?? true }
      .sorted { $0.cursor(sort) > $1.cursor(sort) }
    var page = FeedPage()
    for entry in behind {
      guard page.posts.count < limit else { return page }
      page.next = entry.cursor(sort)
      if seen(entry.post.id, by: player, players) != nil { page.posts.append(view(entry, for: player, players)) }
    }
    page.next = nil
    return page
  }

  fileprivate func comments(
    of entry: PostEntry,
    for player: PlayerID,
    _ players: Players,
    _ order: CommentOrder,
    after number: Int64?,
    limit: Int
  ) -> CommentPage {
    let behind = entry.comments.filter { comment in
      number.map { order == .oldest ? comment.comment.number > $0 : comment.comment.number < $0 } ?? true
    }
    var page = CommentPage()
    for known in order == .oldest ? behind : behind.reversed() {
      guard page.comments.count < limit else { return page }
      let comment = known.comment
      page.next = comment.number
      if sees(player, .comment(comment.id), of: comment.author, isHidden: known.isHidden, players) {
        let nickname = players[comment.author]?.nickname ?? ErasedText.text
        page.comments.append(SeenComment(comment: comment, authorNickname: nickname, isHidden: known.isHidden))
      }
    }
    page.next = nil
    return page
  }
}

extension MemoryStories.PostEntry {
  /// Hidden posts are in the lists of their authors alone.
  fileprivate func isListed(in scope: FeedScope) -> Bool {
    switch scope {
    case .author(let author): post.author == author
    case .everyone: !isHidden
    case .country(let code): !isHidden && post.countries.contains(code)
    case .hashtag(let hashtag): !isHidden && post.hashtags.contains(hashtag)
    }
  }

  fileprivate func cursor(_ sort: FeedSort) -> PostCursor {
    switch sort {
    case .latest: PostCursor(key: 0, number: number)
    case .likes: PostCursor(key: post.counts.likes, number: number)
    case .views: PostCursor(key: post.counts.views, number: number)
    }
  }
}
