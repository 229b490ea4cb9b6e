// A rate limit for each of many keys: a token bucket for each key with some use, and none for all others.
//
// A value, guarded by its owner. A full bucket equals no bucket, so it is forgotten sooner or later.
import Game
import Gateway

struct KeyedRateLimiter<Key: Hashable & Sendable>: Sendable {
  private let rate: TokenRate
  private var used: [Key: TokenBucket] = [:]
  /// The number of buckets that starts a search for full ones.
  private var usedMax = 10_000

  /// A limit of `perMinute` for each key: burst and sustained rate at once.
  init(perMinute: Int) {
    rate = TokenRate(perMinute: perMinute)
  }

  /// A limit of `burst` at once for each key, and one more each `tokenMs`.
  init(burst: Int64, tokenMs: Int64) {
    rate = TokenRate(burst: burst, tokenMs: tokenMs)
  }

  /// The time until `take` succeeds; zero when it would now.
  func wait(_ key: Key, at now: Instant) -> Duration {
    guard var bucket = used[key] else { return .zero }
    return bucket.wait(at: now, rate)
  }

  /// Takes a token if there is one.
  mutating func take(_ key: Key, at now: Instant) -> Bool {
    forgetFull(at: now)
    return used[key, default: TokenBucket(rate)].take(at: now, rate)
  }

  /// Forgets full buckets. The bound doubles with the remaining count, so that the search costs little for each `take`.
  private mutating func forgetFull(at now: Instant) {
    guard used.count >= usedMax else { return }
    used = used.filter { entry in
      var bucket = entry.value
      return !bucket.isFull(at: now, rate)
    }
    usedMax = max(10_000, used.count * 2)
  }
}
