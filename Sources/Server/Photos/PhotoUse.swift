// The use of a source of photos: the day's requests, the countries that it has nothing of, and its rests. Pure.
//
// Days are those of UTC. A day that has begun stays, though the clock goes back.
// Decisions: 124 (docs/decisions).
import Game

struct PhotoUse: Equatable, Sendable {
  /// The day's number, from 1 January 1970 on.
  private(set) var day: Int64
  /// The requests that were sent in the day, or are about to be.
  private(set) var requests: Int
  /// The countries of which the source had no photo in the day.
  private(set) var missing: Set<CountryCode>
  /// The failures of the source in a row; not kept over a restart.
  private var failures = 0
  /// Until when the source is left alone.
  private var restUntil = Instant(milliseconds: .min)

  init(day: Int64 = 0, requests: Int = 0, missing: Set<CountryCode> = []) {
    (self.day, self.requests, self.missing) = (day, requests, missing)
  }

  static func day(of now: Instant) -> Int64 { now.milliseconds / 86_400_000 }

  /// Begins a new day, if it is one.
  mutating func advance(to now: Instant) {
    guard Self.day(of: now) > day else { return }
    (day, requests, missing) = (Self.day(of: now), 0, [])
  }

  /// Whether the source may be asked for a country whose photo is of a day, or of none.
  func allowsFill(of country: CountryCode, keptOn: Int64?, at now: Instant, requests needed: Int, of bound: Int) -> Bool
  {
    keptOn.map { $0 < day } ?? true && !missing.contains(country) && now >= restUntil && requests + needed <= bound
  }

  /// Counts a request; false where the day's are used up.
  mutating func takeRequest(of bound: Int) -> Bool {
    guard requests < bound else { return false }
    requests += 1
    return true
  }

  mutating func noteSuccess() { failures = 0 }

  mutating func noteMissing(_ country: CountryCode) { missing.insert(country) }

  /// The source rests for a minute, and for twice as long with each further failure, up to an hour; for longer where it
  /// asks for that, up to a day.
  mutating func noteFailure(at now: Instant, retryAfterS: Int64?) {
    let restS = Int64(60) << min(failures, 6)
    failures += 1
    restUntil = now + .seconds(max(min(restS, 3_600), min(retryAfterS ?? 0, 86_400)))
  }
}
