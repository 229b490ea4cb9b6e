// The comparison at the end of a `stories`: what must have come of all acts, and what the server says.
//
// Views and news are what nobody waits for, so the server is asked until it says what must be, within a bound.

struct StoryAudit {
  let group: StoriesGroup
  let plan: StoriesPlan

  /// The differences; empty where all is as it must be.
  func complaints() async -> [String] {
    let truth = await group.truth()
    var complaints = truth.lost.sorted().map { "post \($0) was gone, but nobody has deleted it" }
    complaints += await settled { await counts(truth) }
    complaints += await settled { await news(truth) }
    complaints += await feed(truth)
    group.order { $0.inspectPictures() }
    complaints += await unfinished("pictures")
    return complaints
  }

  /// The differences that `compare` finds at last.
  private func settled(_ compare: () async -> [String]) async -> [String] {
    let deadline = ContinuousClock.now + .seconds(StoriesPlan.settlingSecondsMax)
    while true {
      let found = await compare()
      if found.isEmpty || ContinuousClock.now > deadline { return found }
      try? await Task.sleep(for: .milliseconds(500))
    }
  }

  /// The posts of all authors, with their counts and pictures.
  private func counts(_ truth: StoryTruth) async -> [String] {
    group.order { $0.audit() }
    let unfinished = await unfinished("lists")
    guard unfinished.isEmpty else { return unfinished }
    let listed = await group.gather { $0.listed }.reduce(into: [String: StoryTruth.Post]()) {
      $0.merge($1) { one, _ in one }
    }
    return truth.complaints(about: listed)
  }

  /// The last news of watchers.
  private func news(_ truth: StoryTruth) async -> [String] {
    await group.gather { $0.lastTold() }.flatMap { $0 }.compactMap { post, told in
      guard let must = truth.posts[post] else { return nil }
      guard (told.likes, told.views, told.comments) != (must.likes, must.views, must.comments) else { return nil }
      return "a watcher of post \(post) was told of \(told), but it has \(must)"
    }
  }

  /// The feed of all posts has each post once, those of each author the newest first. Posts of two authors are in the
  /// order of their commits, which need not be that of their times.
  private func feed(_ truth: StoryTruth) async -> [String] {
    group.order { $0.auditFeed() }
    let unfinished = await unfinished("the feed")
    guard unfinished.isEmpty else { return unfinished }
    let ids = await group.gather { $0.feed }.flatMap { $0 }
    var complaints: [String] = []
    if Set(ids).count != ids.count { complaints.append("the feed has a post twice") }
    if !Set(truth.posts.keys).isSubset(of: ids) { complaints.append("the feed lacks posts") }
    let places = Dictionary(zip(ids, ids.indices)) { first, _ in first }
    for posts in truth.byAuthor {
      let order = posts.compactMap { places[$0] }
      if zip(order, order.dropFirst()).contains(where: { $0 > $1 }) { complaints.append("the feed is out of order") }
    }
    return complaints
  }

  private func unfinished(_ what: String) async -> [String] {
    await group.finish(within: StoriesPlan.settlingSecondsMax).map { ["\(what) were not received: \($0)"] } ?? []
  }
}
