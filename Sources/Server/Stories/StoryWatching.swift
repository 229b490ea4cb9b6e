// Requests to watch a post or a feed, and the watches of a session from their beginning to their end.
//
// On the shard's queue. A watch is noted before the store is asked for what it begins with: what is committed later is
// told, so nothing is missed between.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Stories {
  func watchPost(_ wire: WireWatchPost, _ request: PlayerRequest) {
    guard let id = PostID(wire.postID) else { return request.refuse(.postNotFound) }
    guard let limit = request.commentLimit(wire.hasLimit ? wire.limit : nil), gateway.payForQuery(request) else {
      return
    }
    begin(.post(id), request.session)
    awaitAnswer(for: request) { answer in
      let (store, player) = (gateway.context.store, request.player)
      store.post(id, for: player, comments: .newest, limit: limit) { found in
        ReportedBeside.read(found, for: player, from: store, answer)
      }
    } then: { stories, request, found in
      request.session.part(StoryWatcher.self)?.take(found)
      switch found.map(\.found) {
      case .success(let opened?):
        stories.reply(.post(WirePost(opened)), to: request) { stories, request in
          stories.seat(request.session, .posts, knowing: .post(ToldPost(opened)))
        }
        stories.countView(of: opened.seen.post, request)
      case .success(nil):
        stories.end(.posts, request.session)
        request.refuse(.postNotFound)
      case .failure:
        stories.end(.posts, request.session)
        request.refuseForStore()
      }
    }
  }

  func unwatchPost(_: WireUnwatchPost, _ request: PlayerRequest) {
    end(.posts, request.session)
    request.reply(.ok(WireOk()))
  }

  func watchFeed(_ wire: WireWatchFeed, _ request: PlayerRequest) {
    guard let feed = request.feed(wire, in: countries), let limit = request.postLimit(wire.hasLimit ? wire.limit : nil),
      gateway.payForQuery(request)
    else { return }
    begin(.feed(feed), request.session)
    let now = gateway.now
    awaitAnswer(for: request) { answer in
      let (store, player) = (gateway.context.store, request.player)
      store.page(of: feed, for: player, at: now, limit: limit) { found in
        ReportedBeside.read(found, for: player, from: store, answer)
      }
    } then: { stories, request, found in
      request.session.part(StoryWatcher.self)?.take(found)
      switch found.map(\.found) {
      case .success(let page):
        stories.reply(.posts(WirePosts(page, of: .feed(feed))), to: request) { stories, request in
          // Others don't see the player's own posts that are hidden.
          let known = page.posts.filter { !$0.isHidden }.map { ToldPost($0.post) }
          stories.seat(request.session, .feeds, knowing: .feed(known, isAll: page.next == nil))
        }
      case .failure:
        stories.end(.feeds, request.session)
        request.refuseForStore()
      }
    }
  }

  func unwatchFeed(_: WireUnwatchFeed, _ request: PlayerRequest) {
    end(.feeds, request.session)
    request.reply(.ok(WireOk()))
  }

  // A session's watches.

  /// Begins a watch in place of an earlier one of its kind; `seat` goes on with it.
  private func begin(_ subject: WatchSubject, _ session: Session) {
    end(subject.kind, session)
    let audience = live[subject.kind].audience(of: subject)
    audience.pendingCount += 1
    session.part(orAdd: StoryWatcher())[subject.kind] = StoryWatcher.Watch(audience)
    statistics.count(subject.kind, by: 1)
  }

  /// Has a watch take part in ticks; its session has just been told `known`.
  private func seat(_ session: Session, _ kind: WatchKind, knowing known: WatchAudience.Told) {
    guard let watch = session.part(StoryWatcher.self)?[kind], watch.index == nil else { return }
    let audience = watch.audience
    audience.pendingCount -= 1
    audience.add(session, watch)
    if audience.told == nil { audience.told = known }
    // What is hidden from the player is not lacked.
    let told = audience.told.map { $0.without(session.hidden(of: $0.authors)) }
    if audience.isDeleted || told?.isKnown(by: known) == false {
      watch.isLaggard = true
      live[kind].mark(audience)
      armTicks()
    }
  }

  func end(_ kind: WatchKind, _ session: Session) {
    guard let watcher = session.part(StoryWatcher.self), let watch = watcher[kind] else { return }
    watcher[kind] = nil
    watch.audience.remove(watch)
    live[kind].dropIfEmpty(watch.audience)
    statistics.count(kind, by: -1)
  }

  /// Has all that a session watches come anew: other posts and comments are hidden from the player than before.
  func renewWatches(of session: Session) {
    guard let watcher = session.part(StoryWatcher.self) else { return }
    for kind in WatchKind.allCases {
      guard let watch = watcher[kind] else { continue }
      watch.isLaggard = true
      live[kind].mark(watch.audience)
    }
    armTicks()
  }

  /// Ends a session's watches on this shard; their subjects go along with it.
  func endWatches(of session: Session) {
    guard let watcher = session.part(StoryWatcher.self) else { return }
    watcher.travelled = WatchKind.allCases.compactMap { watcher[$0]?.audience.subject }
    for kind in WatchKind.allCases { end(kind, session) }
  }

  /// Goes on with the watches of a session that has come from another shard. What happened meanwhile is told by the
  /// next tick.
  func resumeWatches(of session: Session) {
    guard let watcher = session.part(StoryWatcher.self) else { return }
    let subjects = watcher.travelled
    watcher.travelled = []
    for subject in subjects {
      let (ticks, audience) = (live[subject.kind], live[subject.kind].audience(of: subject))
      let watch = StoryWatcher.Watch(audience)
      watch.isLaggard = true
      watcher[subject.kind] = watch
      audience.add(session, watch)
      ticks.mark(audience)
      statistics.count(subject.kind, by: 1)
    }
    armTicks()
  }
}
