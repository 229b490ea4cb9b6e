// Counts of one shard's stories since it began, and their metrics. A value; others get copies.
import Gateway

package struct StoryStatistics: FeatureStatistics {
  /// The acts of players on posts.
  package enum Act: Int, CaseIterable, Sendable {
    case post, edit, delete, comment, commentEdit, commentDelete, like, unlike, view

    /// The value of the metric's label.
    var name: String {
      switch self {
      case .post: "POST"
      case .edit: "EDIT"
      case .delete: "DELETE"
      case .comment: "COMMENT"
      case .commentEdit: "COMMENT_EDIT"
      case .commentDelete: "COMMENT_DELETE"
      case .like: "LIKE"
      case .unlike: "UNLIKE"
      case .view: "VIEW"
      }
    }
  }

  /// Acts that have changed something.
  package internal(set) var acts = Counts<Act>()
  /// Watches of posts and of feeds now, with those that wait for the store.
  package internal(set) var postWatches = 0
  package internal(set) var feedWatches = 0
  /// Posts and feeds that were read for their watchers.
  package internal(set) var watchReads = 0
  /// News that were sent to watchers.
  package internal(set) var news = 0
  /// News that were encoded: for all watchers of a shard at once, or for one who has blocked an author.
  package internal(set) var encodings = 0

  package init() {}

  /// Counts watches that have begun, or ended.
  mutating func count(_ kind: WatchKind, by change: Int) {
    switch kind {
    case .posts: postWatches += change
    case .feeds: feedWatches += change
    }
  }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.acts = left.acts + right.acts
    sum.postWatches += right.postWatches
    sum.feedWatches += right.feedWatches
    sum.watchReads += right.watchReads
    sum.news += right.news
    sum.encodings += right.encodings
    return sum
  }
}

extension PlayStatistics {
  package var stories: StoryStatistics { features[StoryStatistics.self] }
}

extension Metric {
  static let storyActs = Metric("madang_story_acts_total", "What players did to posts, by kind.")
  static let storyWatches = Metric("madang_story_watches", "Watches of posts and of feeds now.")
  static let storyWatchReads = Metric("madang_story_watch_reads_total", "Reads of posts and feeds for their watchers.")
  static let storyNews = Metric("madang_story_news_total", "News of posts and feeds that were sent to watchers.")
  static let storyEncodings = Metric("madang_story_encodings_total", "News of posts and feeds that were encoded.")

  /// The metrics of stories.
  static let ofStories: [Metric] = [.storyActs, .storyWatches, .storyWatchReads, .storyNews, .storyEncodings]
}

extension StoryStatistics {
  package func set(in collector: inout MetricsCollector) {
    for act in Act.allCases { collector.count(.storyActs, acts[act], ("act", act.name)) }
    collector.gauge(.storyWatches, postWatches, ("of", "POST"))
    collector.gauge(.storyWatches, feedWatches, ("of", "FEED"))
    collector.count(.storyWatchReads, watchReads)
    collector.count(.storyNews, news)
    collector.count(.storyEncodings, encodings)
  }
}
