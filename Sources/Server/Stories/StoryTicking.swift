// Ticks of watched posts and feeds: acts make them worth a look, the store says what is there now, and all watchers of
// a shard get the same bytes.
//
// On the shard's queue. A tick reads one post or feed after the other. Its news go out in slices, with other work of
// the shard between.
// Decisions: 116 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

// Acts.
extension Stories {
  /// Notes a committed act for this shard's watchers, and has other shards note it.
  func tell(_ act: StoryAct) {
    take([act])
    guard shards.count > 1 else { return }
    live.outbox.append(act)
    // One message to each shard for all acts of a commit.
    if live.outbox.count == 1 { ownShard.post { $0.sendOutbox() } }
  }

  private func sendOutbox() {
    let acts = live.outbox
    live.outbox = []
    for index in 0..<shards.count where index != gateway.core.index { shards[index].post { $0.take(acts) } }
  }

  private func take(_ acts: [StoryAct]) {
    for act in acts {
      if let audience = live.posts.audiences[.post(act.post)] {
        switch act.kind {
        case .commentEdited(let id): audience.editedComments.insert(id)
        case .commentDeleted(let comment): audience.deletedComments.append(comment)
        case .deleted: audience.isDeleted = true
        case .scopes, .commented, .liked, .viewed: break
        }
        live.posts.mark(audience)
      }
      if !live.feeds.audiences.isEmpty { live.feedActs.note(act) }
    }
    armTicks()
  }

  /// Has everything that is watched looked at: posts may have gone without an act of their author's.
  func lookAgain() {
    for kind in WatchKind.allCases {
      for audience in live[kind].audiences.values { live[kind].mark(audience) }
    }
    armTicks()
  }

  /// Sets the timers of ticks that are needed.
  func armTicks() {
    let now = gateway.core.now
    if let time = live.posts.timeToSet(false, at: now) { _ = gateway.core.setTimer(live.posts.timer, at: time) }
    if let time = live.feeds.timeToSet(!live.feedActs.isEmpty, at: now) {
      _ = gateway.core.setTimer(live.feeds.timer, at: time)
    }
  }
}

// Ticks.
extension Stories {
  /// The most comments that news have.
  private static let newsCommentsMax = 50
  /// A player whom nobody has blocked and who has blocked nobody: watchers share what such a player sees.
  private static let anybody = PlayerID(0)
  /// The watchers that get their news before other work of the shard goes on.
  private static let sliceMax = 64

  func beginTick(of ticks: WatchTicks) {
    if ticks.kind == .feeds {
      for case (.feed(let key), let audience) in ticks.audiences
      where live.feedActs.concern(key, showing: audience.shownPosts) {
        ticks.mark(audience)
      }
      live.feedActs = FeedActs()
    }
    ticks.begin()
    continueTick(ticks.kind)
  }

  private func continueTick(_ kind: WatchKind) {
    guard let audience = live[kind].next() else {
      live[kind].end(at: gateway.core.now)
      return armTicks()
    }
    guard !audience.isDeleted else { return deliver(StoryNews(endOf: audience), to: audience) }
    statistics.watchReads += 1
    let (ownShard, subject) = (ownShard, audience.subject)
    switch subject {
    case .post(let id):
      let limit = Self.newsCommentsMax
      audience.readEdits.formUnion(audience.editedComments)
      audience.editedComments = []
      gateway.context.store.post(id, for: Self.anybody, comments: .newest, limit: limit) { found in
        ownShard.post { $0.tell(found, to: subject) }
      }
    case .feed(let key):
      let limit = Limits.watchedPostsMax
      gateway.context.store.page(of: key, for: Self.anybody, at: gateway.now, limit: limit) { found in
        ownShard.post { $0.tell(found, to: subject) }
      }
    }
  }

  private func tell(_ found: Result<OpenedPost?, StoreFailure>, to subject: WatchSubject) {
    guard let audience = live.posts.audiences[subject] else { return continueTick(.posts) }
    switch found {
    case .success(let opened?): deliver(StoryNews(opened, to: audience), to: audience)
    case .success(nil): deliver(StoryNews(endOf: audience), to: audience)
    case .failure: lookLater(audience)
    }
  }

  private func tell(_ found: Result<FeedPage, StoreFailure>, to subject: WatchSubject) {
    guard let audience = live.feeds.audiences[subject] else { return continueTick(.feeds) }
    switch found {
    case .success(let page): deliver(StoryNews(page, to: audience), to: audience)
    case .failure: lookLater(audience)
    }
  }

  /// Leaves an audience that could not be read to the next tick.
  private func lookLater(_ audience: WatchAudience) {
    live[audience.subject.kind].mark(audience)
    continueTick(audience.subject.kind)
  }

  // Delivery.

  private func deliver(_ news: StoryNews, to audience: WatchAudience) {
    live[audience.subject.kind].delivery = StoryDelivery(news, to: audience)
    continueDelivery(audience.subject.kind)
  }

  private func continueDelivery(_ kind: WatchKind) {
    guard let delivery = live[kind].delivery else { preconditionFailure("news are under way") }
    for session in delivery.nextSlice(Self.sliceMax) { send(delivery.news, to: session, of: delivery.audience) }
    guard delivery.isOver else { return ownShard.post { $0.continueDelivery(kind) } }
    live[kind].delivery = nil
    statistics.encodings += delivery.news.encodings
    if delivery.news.isEnd {
      // A watcher that is behind gets the end later.
      delivery.audience.isDeleted = true
      for session in delivery.audience.sessions
      where session.part(StoryWatcher.self)?[kind]?.isLaggard == false { end(kind, session) }
      if !delivery.audience.sessions.isEmpty { live[kind].mark(delivery.audience) }
    } else if delivery.news.hasLaggards {
      live[kind].mark(delivery.audience)
    }
    ownShard.post { $0.continueTick(kind) }
  }

  private func send(_ news: StoryNews, to session: Session, of audience: WatchAudience) {
    // It may have gone since the delivery began, or watch something else.
    guard let watch = session.part(StoryWatcher.self)?[audience.subject.kind], watch.audience === audience else {
      return
    }
    guard !session.connection.isBehind else {
      watch.isLaggard = true
      news.hasLaggards = true
      return session.traffic.note(conflated: news.type)
    }
    guard watch.isLaggard || news.hasNews else { return }
    if news.send(to: session, isWhole: watch.isLaggard) { statistics.news += 1 }
    watch.isLaggard = false
  }
}
