// The changes of posts by their authors, inside a commit. `StoryReactions.swift` has likes, views and comments.
import GRDB
import Game

/// The writing of changes of stories.
struct StoryWriting {
  let db: Database
  /// The time when the batch was made.
  let at: Instant
  let progress: ProgressWriting

  func write(_ change: StoryChange) throws -> StoryOutcome {
    switch change {
    case .write(let post): try write(post)
    case .edit(let edit): try self.edit(edit)
    case .delete(let id, let author): try delete(id, of: author)
    case .comment(let comment): try add(comment)
    case .editComment(let id, let author, let text, let at): try edit(id, of: author, text, at)
    case .deleteComment(let id, let author): try delete(id, of: author)
    case .like(let id, let player, let at): try like(id, by: player, at)
    case .unlike(let id, let player): try unlike(id, by: player)
    case .view(let id, let player, let at): try view(id, by: player, at)
    case .hide(.post(let id), let isHidden): try hide(id, isHidden: isHidden)
    case .hide(.comment(let id), let isHidden): try hide(id, isHidden: isHidden)
    }
  }

  private func stored(_ id: PostID) throws -> StoredPost? {
    try db.row("\(StoredPost.query) WHERE posts.id = ?", id).map(StoredPost.init(row:))
  }

  /// A post of this author; nil for another one, and once the author's deletion has begun.
  private func stored(_ id: PostID, of author: PlayerID) throws -> StoredPost? {
    guard try db.knows(author), let stored = try stored(id), stored.post.author == author else { return nil }
    return stored
  }

  private func write(_ new: Post) throws -> StoryOutcome {
    guard try db.knows(new.author) else { return .notFound }
    if let known = try stored(new.id) { return known.post.author == new.author ? .written(known.post) : .notFound }
    let name = PostListName.author(new.author)
    let row = try db.row("SELECT posts_count FROM post_lists WHERE kind = ? AND name = ?", name.kind, name.name)
    let count = try row?.number(0) ?? 0
    guard count < Post.authoredMax else { return .tooMany }
    guard try PostPlan(db: db).mayHave(new.plan, author: new.author) else { return .planNotFound }
    guard try use(new.pictures, for: new) else { return .mediaNotFound }
    var post = new
    (post.editedAt, post.version, post.counts) = (nil, 1, PostCounts())
    try db.run("UPDATE story_totals SET newest_post = newest_post + 1, posts_count = posts_count + 1 WHERE number = 0")
    guard let number = try db.row("SELECT newest_post FROM story_totals WHERE number = 0")?.number(0) else {
      throw StoreFailure.corrupt("the totals of posts")
    }
    let lists = try PostLists(db: db).add(number, post.counts, to: PostListName.all(of: post, isHidden: false))
    try db.run(
      """
      INSERT INTO posts (number, id, author, written_at, version, is_hidden, likes_count, views_count, comments_count,
        newest_comment, lists)
      VALUES (?, ?, ?, ?, 1, 0, 0, 0, 0, 0, ?)
      """,
      number,
      post.id,
      post.author,
      post.writtenAt,
      Blob(lists.listBytes)
    )
    let searchText = post.searchText
    try db.run(
      """
      INSERT INTO post_texts (post, title, text, countries, soundtrack, pictures, lat_e7, lng_e7, capsule, search_text)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      number,
      post.title,
      post.text,
      post.countries.stored,
      Blob(post.soundtrack.bytes),
      Blob(post.pictures.bytes),
      post.place?.latE7,
      post.place?.lngE7,
      post.capsule,
      searchText.joined
    )
    try PostSearch(db: db).add(searchText, post: number)
    if post.plan != nil { _ = try PostPlan(db: db).set(post.plan, ofPost: number, author: post.author) }
    try progress.wrote(post, posts: count + 1)
    return .written(post)
  }

  private func edit(_ edit: PostEdit) throws -> StoryOutcome {
    guard let stored = try stored(edit.id, of: edit.author) else { return .notFound }
    let post = stored.post
    if let version = edit.version, version != post.version { return .staleVersion(post) }
    let edited = edit.applied(to: post)
    guard edited.version != post.version else { return .edited(post, before: post, isHidden: stored.isHidden) }
    guard try edited.plan == post.plan || PostPlan(db: db).mayHave(edited.plan, author: post.author) else {
      return .planNotFound
    }
    if edited.pictures != post.pictures {
      guard try use(edited.pictures, for: post) else { return .mediaNotFound }
    }
    let lists = try listed(edited, asBefore: stored)
    let searchText = edited.searchText
    try db.run(
      "UPDATE posts SET edited_at = ?, version = ?, lists = ? WHERE number = ?",
      edited.editedAt,
      edited.version,
      Blob(lists.listBytes),
      stored.number
    )
    try db.run(
      """
      UPDATE post_texts
      SET title = ?, text = ?, countries = ?, soundtrack = ?, pictures = ?, lat_e7 = ?, lng_e7 = ?, capsule = ?,
        search_text = ?
      WHERE post = ?
      """,
      edited.title,
      edited.text,
      edited.countries.stored,
      Blob(edited.soundtrack.bytes),
      Blob(edited.pictures.bytes),
      edited.place?.latE7,
      edited.place?.lngE7,
      edited.capsule,
      searchText.joined,
      stored.number
    )
    if edited.plan != post.plan {
      _ = try PostPlan(db: db).set(edited.plan, ofPost: stored.number, author: post.author)
    }
    if searchText != stored.searchText && !stored.isHidden {
      try PostSearch(db: db).remove(stored.searchText, post: stored.number)
      try PostSearch(db: db).add(searchText, post: stored.number)
    }
    try progress.edited(edited)
    return .edited(edited, before: post, isHidden: stored.isHidden)
  }

  private func use(_ pictures: [MediaID], for post: Post) throws -> Bool {
    try MediaUses(db: db).set(pictures, of: .post, post.id.value, owner: post.author, at: at)
  }

  /// Moves an edited post to the lists that it belongs to now; returns the numbers of all its lists.
  private func listed(_ edited: Post, asBefore stored: StoredPost) throws -> [Int64] {
    let before = PostListName.all(of: stored.post, isHidden: stored.isHidden)
    let after = PostListName.all(of: edited, isHidden: stored.isHidden)
    let left = before.filter { !after.contains($0) }
    let entered = after.filter { !before.contains($0) }
    let lists = PostLists(db: db)
    let removed = try lists.remove(stored.number, stored.post.counts, from: left)
    let added = try lists.add(stored.number, stored.post.counts, to: entered)
    return stored.lists.filter { !removed.contains($0) && !added.contains($0) } + added
  }

  private func delete(_ id: PostID, of author: PlayerID) throws -> StoryOutcome {
    guard let stored = try stored(id, of: author) else { return .notFound }
    try StoryRemoval(db: db).remove(stored, at: at)
    try progress.deletedPost(of: author)
    return .deleted(stored.post)
  }

  private func hide(_ id: PostID, isHidden: Bool) throws -> StoryOutcome {
    guard let stored = try stored(id) else { return .notFound }
    guard stored.isHidden != isHidden else { return .hidden }
    let (lists, search) = (PostLists(db: db), PostSearch(db: db))
    let shown = PostListName.all(of: stored.post, isHidden: false)
    let shared = shown.filter { !PostListName.all(of: stored.post, isHidden: true).contains($0) }
    var numbers = stored.lists
    if isHidden {
      let removed = try lists.remove(stored.number, stored.post.counts, from: shared)
      numbers.removeAll { removed.contains($0) }
      try search.remove(stored.searchText, post: stored.number)
    } else {
      let added = try lists.add(stored.number, stored.post.counts, to: shared)
      numbers = numbers.filter { !added.contains($0) } + added
      try search.add(stored.searchText, post: stored.number)
    }
    try db.run(
      "UPDATE posts SET is_hidden = ?, lists = ? WHERE number = ?",
      isHidden ? 1 : 0,
      Blob(numbers.listBytes),
      stored.number
    )
    return .hidden
  }
}
