// How often each of many may do something: a token bucket for whoever has used theirs, and nothing for all others.
//
// A value; whose it is guards it. A full bucket is as good as none, so it is forgotten sooner or later.
import Game
import Gateway

struct KeyedRateLimiter<Key: Hashable & Sendable>: Sendable {
  private let perMinute: Int
  private var used: [Key: TokenBucket] = [:]
  /// At how many buckets those are looked for that have filled up again.
  private var usedMax = 10_000

  /// So many a minute for each: burst and lasting rate at once.
  init(perMinute: Int) {
    self.perMinute = perMinute
  }

  /// How long until `take` succeeds; zero when it would now.
  func wait(_ key: Key, at now: Instant) -> Duration {
    guard var bucket = used[key] else { return .zero }
    return bucket.wait(at: now)
  }

  /// Takes one if there is one.
  mutating func take(_ key: Key, at now: Instant) -> Bool {
    forgetFull(at: now)
    return used[key, default: TokenBucket(perMinute: perMinute)].take(at: now)
  }

  /// The bound doubles with what is left, so that looking through costs little for each `take`.
  private mutating func forgetFull(at now: Instant) {
    guard used.count >= usedMax else { return }
    used = used.filter { entry in
      var bucket = entry.value
      return !bucket.isFull(at: now)
    }
    usedMax = max(10_000, used.count * 2)
  }
}
