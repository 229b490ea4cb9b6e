// The kinds of reads that the benchmark of stories asks for.
import Game
import Store

/// A kind of read.
struct StoryReads {
  /// Asks a store; returns the number of rows that it finds.
  typealias Question = (SQLiteStore) throws -> Int

  let name: String
  let question: (inout StoryWorld) -> Question

  static var all: [StoryReads] { feeds + tops + posts + searches }

  private static var feeds: [StoryReads] {
    FeedSort.allCases.map { sort in feed("everyone's by \(sort)", sort) { _ in .everyone } }
      + FeedSort.allCases.map { sort in
        StoryReads(name: "10 of everyone's by \(sort), from somewhere on") { world in
          let cursor = PostCursor(key: Int64(world.draw(1...100)), number: Int64(world.draw(1...world.posts)))
          return page(.everyone, sort, after: cursor, &world)
        }
      }
      + [
        feed("an author's by latest", .latest) { .author($0.author($0.draw(1...$0.posts))) },
        feed("an author's by likes", .likes) { .author($0.author($0.draw(1...$0.posts))) },
        feed("a country's by likes", .likes) { .country($0.country()) },
        feed("a hashtag's by latest", .latest) { .hashtag($0.hashtag()) },
        feed("a hashtag's by views", .views) { .hashtag($0.hashtag()) },
      ]
  }

  private static func feed(
    _ name: String,
    _ sort: FeedSort,
    _ scope: @escaping (inout StoryWorld) -> FeedScope
  ) -> StoryReads {
    StoryReads(name: "10 of \(name)") { world in page(scope(&world), sort, after: nil, &world) }
  }

  private static func page(
    _ scope: FeedScope,
    _ sort: FeedSort,
    after cursor: PostCursor?,
    _ world: inout StoryWorld
  ) -> Question {
    let player = world.player()
    return { store in
      try store.answer { $0.feed(scope, by: sort, after: cursor, for: player, limit: 10, $1) }.posts.count
    }
  }

  private static var tops: [StoryReads] {
    let day = Duration.seconds(86_400)
    return [
      StoryReads(name: "the last 7 days' top 5") { world in
        let player = world.player()
        return { store in
          try store.answer {
            $0.topPosts(about: nil, writtenSince: StoryWorld.now - day * 7, for: player, limit: 5, $1)
          }.count
        }
      },
      StoryReads(name: "a country's top 10 of the last 30 days") { world in
        let (player, country) = (world.player(), world.country())
        return { store in
          try store.answer {
            $0.topPosts(about: country, writtenSince: StoryWorld.now - day * 30, for: player, limit: 10, $1)
          }.count
        }
      },
      StoryReads(name: "3 countries of 5 by the last 30 days' likes") { world in
        let among = Set((0..<5).map { _ in world.country() })
        return { store in
          try store.answer { $0.countries(mostLikedSince: StoryWorld.now - day * 30, among: among, limit: 3, $1) }.count
        }
      },
      StoryReads(name: "20 hashtags") { _ in { store in try store.answer { $0.hashtags(limit: 20, $1) }.count } },
    ]
  }

  private static var posts: [StoryReads] {
    [("oldest", CommentOrder.oldest), ("newest", .newest)].map { name, order in
      StoryReads(name: "a post with its 20 \(name) comments") { world in
        let (id, player) = (StoryWorld.post(world.drawPost(of: world.posts)), world.player())
        return { store in
          let opened = try store.answer { $0.post(id, for: player, comments: order, limit: 20, $1) }
          return opened?.comments.comments.count ?? 0
        }
      }
    }
  }

  private static var searches: [StoryReads] {
    [
      search("one frequent syllable") { String($0.commonWord().prefix(1)) },
      search("two frequent syllables") { String($0.commonWord().prefix(2)) },
      search("one rare syllable") { String($0.rareWord().prefix(1)) },
      search("two rare syllables") { String($0.rareWord().suffix(2)) },
      search("a frequent and a rare word") { $0.commonWord() + " " + $0.rareWord() },
      search("two frequent words") { $0.commonWord() + " " + $0.commonWord() },
      search("a word that is nowhere, of frequent pairs") { _ in "합니다입니다" },
      search("four frequent syllables that are nowhere together") {
        String(($0.commonWord() + $0.commonWord()).prefix(4))
      },
    ]
  }

  private static func search(_ name: String, _ query: @escaping (inout StoryWorld) -> String) -> StoryReads {
    StoryReads(name: "10 of a search, \(name)") { world in
      let (query, player) = (SearchText(query(&world)), world.player())
      return { store in
        try store.answer { $0.searchPosts(query, after: nil, for: player, limit: 10, $1) }.posts.count
      }
    }
  }
}
