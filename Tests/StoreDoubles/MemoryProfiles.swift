// Profiles of the double, and what players have earned. A value, part of the tables.
import Game
import Store

struct MemoryProfiles: Sendable {
  struct TextEntry: Sendable {
    var introduction = ""
    var picture: MediaID?
  }

  private var texts: [PlayerID: TextEntry] = [:]
  private var experience: [PlayerID: Int64] = [:]
  private var openings: [PlayerID: Int64] = [:]
  private var collectibles: [PlayerID: [Collectible: Instant]] = [:]
  /// Of the change under way.
  private var news: [ProgressNews] = []

  /// A player's introduction and picture, whoever sees them.
  func text(of player: PlayerID) -> (introduction: String, picture: MediaID?) {
    (texts[player]?.introduction ?? "", texts[player]?.picture)
  }

  mutating func write(
    _ change: ProfileChange,
    _ stories: MemoryStories,
    _ players: MemoryStories.Players,
    _ media: inout MemoryMedia,
    at now: Instant
  ) -> ProfileOutcome {
    switch change {
    case .edit(let edit):
      guard let profile = profile(of: edit.player, for: edit.player, stories, players) else { return .notFound }
      let edited = edit.applied(to: profile)
      let subject = MemoryMedia.Subject(kind: .profile, id: edit.player.value)
      let pictures = edited.picture.map { [$0] } ?? []
      guard media.use(pictures, by: subject, of: edit.player, at: now) else { return .mediaNotFound }
      let isEmpty = edited.introduction.isEmpty && pictures.isEmpty
      texts[edit.player] = isEmpty ? nil : TextEntry(introduction: edited.introduction, picture: edited.picture)
      return .edited(edited)
    }
  }

  /// Counts what a change of stories has earned that is no repeat.
  mutating func earn(
    by change: StoryChange,
    _ outcome: StoryOutcome,
    _ stories: MemoryStories,
    _ known: some Collection<PlayerID>,
    at now: Instant
  ) -> [ProgressNews] {
    news = []
    switch (change, outcome) {
    case (.write, .written(let post)):
      gain(5, post.author)
      award(post, posts: stories.posts.values.count { $0.post.author == post.author }, at: now)
    case (.edit, .edited(let post, let before, isHidden: _)) where post.version != before.version:
      award(post, posts: 0, at: now)
    case (.delete, .deleted(let post)): gain(-5, post.author)
    case (.like(let id, let player, _), .counted(let counts, isChanged: true)):
      gain(1, player)
      if counts.likes == 100, let author = stories.posts[id]?.post.author, known.contains(author) {
        award([.likedPost], to: author, at: now)
      }
    case (.unlike(_, let player), .counted(_, isChanged: true)): gain(-1, player)
    default: break
    }
    return news
  }

  /// Counts what a change of capsules has earned.
  mutating func earn(by change: CapsuleChange, _ outcome: CapsuleOutcome, at now: Instant) -> [ProgressNews] {
    news = []
    if case (.open(_, let player, _, _), .opened(_, isFirst: true)) = (change, outcome) {
      openings[player, default: 0] += 1
      if openings[player] == 10 { award([.tenCapsules], to: player, at: now) }
    }
    return news
  }

  /// Counts what a change of plans has earned.
  mutating func earn(by change: PlanChange, _ outcome: PlanOutcome, _ plans: MemoryPlans, at now: Instant)
    -> [ProgressNews]
  {
    news = []
    if case (.takeOver(let id, _), .takenOver(_, takenOverCount: 10, isCounted: true)) = (change, outcome),
      let author = plans.author(of: id)
    {
      award([.takenOverPlan], to: author, at: now)
    }
    return news
  }

  /// Likes have vanished with their posts.
  mutating func lose(likesOf players: [PlayerID]) {
    for player in players { experience[player] = experience[player].map { max(0, $0 - 1) } }
  }

  private mutating func gain(_ points: Int64, _ player: PlayerID) {
    let before = experience[player] ?? 0
    let after = max(0, before + points)
    experience[player] = after
    if Grade(experience: before) != Grade(experience: after) {
      news.append(.grade(player, Grade(experience: after), experience: after))
    }
  }

  private mutating func award(_ post: Post, posts: Int, at now: Instant) {
    let known = Set(collectibles[post.author, default: [:]].keys)
    let earned = CollectibleRules.earned(
      byPostAbout: post.countries,
      post.soundtrack,
      posts: Int64(posts),
      known: known
    )
    award(earned, to: post.author, at: now)
  }

  private mutating func award(_ earned: [Collectible], to player: PlayerID, at now: Instant) {
    for collectible in earned where collectibles[player]?[collectible] == nil {
      collectibles[player, default: [:]][collectible] = now
      news.append(.collectible(player, AwardedCollectible(collectible, awardedAt: now)))
    }
  }

  /// A player's profile as another one sees it.
  func profile(
    of player: PlayerID,
    for viewer: PlayerID,
    _ stories: MemoryStories,
    _ players: MemoryStories.Players
  ) -> Profile? {
    guard let entry = players[player], players[viewer]?.blocked.contains(player) != true else { return nil }
    let posts = stories.posts.values.count { $0.post.author == player && (player == viewer || !$0.isHidden) }
    let won = collectibles[player, default: [:]].map { AwardedCollectible($0.key, awardedAt: $0.value) }
    return Profile(
      player: player,
      nickname: entry.nickname,
      introduction: texts[player]?.introduction ?? "",
      picture: texts[player]?.picture,
      experience: experience[player] ?? 0,
      collectibles: won.sorted { ($0.awardedAt, $0.collectible) < ($1.awardedAt, $1.collectible) },
      posts: Int64(posts)
    )
  }

  /// Whether a player has a profile, or has won anything.
  func keeps(_ player: PlayerID) -> Bool { texts[player] != nil || collectibles[player] != nil }

  mutating func forget(_ player: PlayerID) {
    texts[player] = nil
    experience[player] = nil
    openings[player] = nil
    collectibles[player] = nil
  }
}
