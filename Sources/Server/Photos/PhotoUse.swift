// The use of a source of photos: the day's requests, the countries that it has nothing of or that were asked for in
// vain, and its rests. Pure.
//
// Days are those of UTC. A day that has begun stays, though the clock goes back.
// Decisions: 124 (docs/decisions).
import Game

struct PhotoUse: Equatable, Sendable {
  /// The fetches of one country in the day that came to no end.
  struct Attempts: Equatable, Sendable {
    private(set) var count: Int
    /// Until when the country is not asked for; not kept over a restart.
    private(set) var restUntil = Instant(milliseconds: .min)

    init(count: Int) { self.count = count }

    /// A country is asked for so often in a day, as long as nobody has said whether there is a photo of it.
    static let max = 4
    private static let restS: Int64 = 600

    fileprivate mutating func begin(at now: Instant) {
      // Twice as long after each.
      restUntil = now + .seconds(Self.restS << Int64(min(count, Self.max)))
      count += 1
    }

    fileprivate mutating func rest(at now: Instant, forS seconds: Int64) {
      restUntil = Swift.max(restUntil, now + .seconds(min(seconds, 86_400)))
    }
  }

  /// The day's number, from 1 January 1970 on.
  private(set) var day: Int64
  /// The requests that were sent in the day, or are about to be.
  private(set) var requests: Int
  /// The countries of which the source had no photo in the day.
  private(set) var missing: Set<CountryCode>
  /// The countries that were asked for in the day, and have got no answer or not yet.
  private(set) var attempts: [CountryCode: Attempts]
  /// The failures of the source in a row; not kept over a restart.
  private var failures = 0
  /// Until when the source is left alone.
  private var restUntil = Instant(milliseconds: .min)

  init(
    day: Int64 = 0,
    requests: Int = 0,
    missing: Set<CountryCode> = [],
    attempts: [CountryCode: Attempts] = [:]
  ) {
    (self.day, self.requests, self.missing, self.attempts) = (day, requests, missing, attempts)
  }

  static func day(of now: Instant) -> Int64 { now.milliseconds / 86_400_000 }

  /// Begins a new day, if it is one.
  mutating func advance(to now: Instant) {
    guard Self.day(of: now) > day else { return }
    (day, requests, missing, attempts) = (Self.day(of: now), 0, [], [:])
  }

  /// Whether the source may be asked for a country whose photo is of a day, or of none.
  func allowsFill(of country: CountryCode, keptOn: Int64?, at now: Instant, requests needed: Int, of bound: Int) -> Bool
  {
    let known = attempts[country]
    return keptOn.map { $0 < day } ?? true && !missing.contains(country) && now >= restUntil
      && known.map { $0.count < Attempts.max && now >= $0.restUntil } ?? true && requests + needed <= bound
  }

  /// A country is asked for.
  mutating func begin(_ country: CountryCode, at now: Instant) {
    attempts[country, default: Attempts(count: 0)].begin(at: now)
  }

  /// Counts a request; false where the day's are used up.
  mutating func takeRequest(of bound: Int) -> Bool {
    guard requests < bound else { return false }
    requests += 1
    return true
  }

  mutating func noteSuccess(_ country: CountryCode) {
    failures = 0
    attempts[country] = nil
  }

  /// The source has answered that it has nothing of a country.
  mutating func noteMissing(_ country: CountryCode) {
    failures = 0
    missing.insert(country)
    attempts[country] = nil
  }

  /// The source has answered, and the picture that it names could not be fetched now.
  mutating func noteOutage(of country: CountryCode, at now: Instant, retryAfterS: Int64?) {
    failures = 0
    attempts[country]?.rest(at: now, forS: retryAfterS ?? 0)
  }

  /// The source rests for a minute, and for twice as long with each further failure, up to an hour; for longer where it
  /// asks for that, up to a day.
  mutating func noteFailure(at now: Instant, retryAfterS: Int64?) {
    let restS = Int64(60) << min(failures, 6)
    failures += 1
    restUntil = now + .seconds(max(min(restS, 3_600), min(retryAfterS ?? 0, 86_400)))
  }
}
