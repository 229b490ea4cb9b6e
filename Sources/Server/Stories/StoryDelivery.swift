// News on their way to the watchers of a post or feed, a slice at a time.
//
// Owned by the `WatchTicks` of one shard, until the last watcher has them.
import Gateway

/// News for the watchers that there were at its beginning.
final class StoryDelivery {
  let news: StoryNews
  let audience: WatchAudience
  private let sessions: [Session]
  private var sentCount = 0

  init(_ news: StoryNews, to audience: WatchAudience) {
    self.news = news
    self.audience = audience
    sessions = audience.sessions
  }

  var isOver: Bool { sentCount == sessions.count }

  func nextSlice(_ max: Int) -> ArraySlice<Session> {
    let slice = sessions[sentCount...].prefix(max)
    sentCount += slice.count
    return slice
  }
}
