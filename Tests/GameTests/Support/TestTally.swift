// A tally with short names for tests: players 1, 2, 3 …, schools S0, S1 …, times in milliseconds.
import Game
import Testing

struct TestTally {
  var tally = Tally()
  var nowMs: Int64 = 1_790_000_000_000

  var now: Instant { Instant(milliseconds: nowMs) }

  static func school(_ number: Int) throws -> SchoolID {
    try #require(SchoolID("S\(number)"))
  }

  mutating func choose(_ school: Int, by player: Int = 1) throws -> SchoolChoice {
    tally.choose(try Self.school(school), by: PlayerID(UInt128(player)))
  }

  mutating func tap(_ batch: UInt32, _ count: Int64, by player: Int = 1, afterMs: Int64 = 0) -> TapDecision {
    nowMs += afterMs
    return tally.tap(PlayerID(UInt128(player)), batch: batch, count: count, at: now)
  }

  mutating func void(_ player: Int = 1, season: UInt32 = 1) -> Int64? {
    tally.voidTaps(of: PlayerID(UInt128(player)), season: season)
  }

  mutating func forget(_ player: Int = 1) -> Bool {
    tally.forget(PlayerID(UInt128(player)))
  }

  /// The records of the decisions since the last call.
  mutating func segment() throws -> TallySegment {
    let segment = tally.takeRecords()
    return try #require(segment)
  }

  func standing(_ player: Int = 1) throws -> TapStanding {
    try #require(tally.standing(of: PlayerID(UInt128(player))))
  }

  func total(_ school: Int, season: UInt32? = nil) throws -> Int64 {
    tally.total(of: try Self.school(school), in: season ?? tally.season)
  }

  /// Schools of a season's ranking, by number.
  func order(_ season: UInt32? = nil) -> [String] {
    tally.ranking(of: season ?? tally.season).map(\.school.description)
  }
}

extension TapDecision {
  static func counted(_ batch: UInt32, mine: Int64, school: Int64) -> TapDecision {
    .counted(TapAnswer(batch: batch, myCount: mine, schoolCount: school))
  }

  static func again(_ batch: UInt32, mine: Int64, school: Int64) -> TapDecision {
    .again(TapAnswer(batch: batch, myCount: mine, schoolCount: school))
  }

  static func past(_ batch: UInt32, mine: Int64, school: Int64) -> TapDecision {
    .past(TapAnswer(batch: batch, myCount: mine, schoolCount: school))
  }
}
