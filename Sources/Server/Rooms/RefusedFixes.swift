// Evidence of forged positions for operators: the newest refused fixes of each player of a room.
//
// A value beside a room, on its shard; no rule and no log uses it. It has players' claimed positions, so it is bounded
// and forgotten soon: some minutes after the newest, with its room, and with the player.
import Game
import Gateway
import Glibc

struct RefusedFixes: Sendable {
  struct Refusal: Sendable {
    let at: Instant
    let refusal: FixVerdict
    let fix: Fix
    /// The distance from the last accepted fix; nil where there is none, or this one is not on the map.
    let metersFromLast: Int64?
    let msFromLast: Int64?
  }

  struct Entry: Sendable {
    let nickname: String
    /// Oldest first.
    var refusals: [Refusal] = []

    var newest: Instant { refusals.last?.at ?? Instant(milliseconds: 0) }
  }

  static let refusalsMax = 10
  static let playersMax = 32
  static let keptFor = Duration.seconds(600)

  private(set) var entries: [PlayerID: Entry] = [:]

  var isEmpty: Bool { entries.isEmpty }

  /// Keeps a refusal. When too many players are kept, the one with the oldest newest refusal is forgotten.
  mutating func note(_ refusal: Refusal, of player: PlayerID, _ nickname: String) {
    if entries[player] == nil, entries.count >= Self.playersMax,
      let oldest = entries.min(by: { ($0.value.newest, $0.key) < ($1.value.newest, $1.key) })
    {
      entries[oldest.key] = nil
    }
    var entry = Entry(nickname: nickname, refusals: entries[player]?.refusals ?? [])
    if entry.refusals.count == Self.refusalsMax { entry.refusals.removeFirst() }
    entry.refusals.append(refusal)
    entries[player] = entry
  }

  mutating func forget(_ player: PlayerID) {
    entries[player] = nil
  }

  /// Forgets players whose newest refusal is too old.
  mutating func forgetOld(at now: Instant) {
    entries = entries.filter { !Self.isOld($0.value, at: now) }
  }

  static func isOld(_ entry: Entry, at now: Instant) -> Bool { entry.newest + keptFor <= now }
}

extension RefusedFixes.Refusal {
  init(_ refusal: FixVerdict, of fix: Fix, at now: Instant, after last: (coordinate: Coordinate, at: Instant)?) {
    let place = Coordinate(latE7: fix.latE7, lngE7: fix.lngE7)
    at = now
    self.refusal = refusal
    self.fix = fix
    let time = fix.time.map { Self.isNear($0, now) ? $0 : now } ?? now
    msFromLast = last.map { time.milliseconds - $0.at.milliseconds }
    metersFromLast = last.flatMap { PositionRules.isOnMap(place) ? Self.meters(from: $0.coordinate, to: place) : nil }
  }

  /// Whether a fix's time is within a day of the server's; a phone can name any time.
  private static func isNear(_ time: Instant, _ now: Instant) -> Bool {
    (now - .seconds(86_400)...now + .seconds(86_400)).contains(time)
  }

  /// The great-circle distance, on a sphere: forgers jump further than the rules calculate.
  private static func meters(from: Coordinate, to: Coordinate) -> Int64 {
    func radians(_ e7: Int32) -> Double { Double(e7) / 1e7 * .pi / 180 }
    let (south, north) = (radians(from.latE7), radians(to.latE7))
    let (byLat, byLng) = (sin((north - south) / 2), sin((radians(to.lngE7) - radians(from.lngE7)) / 2))
    let chord = byLat * byLat + cos(south) * cos(north) * byLng * byLng
    return Int64((2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))).rounded())
  }
}
