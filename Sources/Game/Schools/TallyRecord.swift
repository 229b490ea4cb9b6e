// What the tally writes down: one record for each change, numbered one by one over all players. A record says what was decided
// and not why, so that none is ever judged again. Values; bytes that are read back may have been damaged.

/// A change of the tally. Schools go by the numbers that the tally has given them.
package enum TallyRecord: Hashable, Sendable {
  /// The player's first choice, or another school than before. `number` is what the tally calls the school from now on, if
  /// this is the first choice of it at all.
  case chosen(PlayerID, number: UInt32, SchoolID)
  /// A batch has counted; `schoolCount` is the school's total with it.
  case counted(PlayerID, school: UInt32, season: UInt32, batch: UInt32, taps: Int64, schoolCount: Int64)
  /// A batch was dropped, and its number is used up.
  case abnormal(PlayerID, batch: UInt32, becameSuspect: Bool)
  /// What a player had counted in a season counts no more.
  case voided(PlayerID, season: UInt32, [VoidedTaps])
  /// A season has ended, and the next has begun.
  case closed(season: UInt32, at: Instant)
}

/// What a school loses of its total.
package struct VoidedTaps: Hashable, Sendable {
  package let school: UInt32
  package let count: Int64

  package init(school: UInt32, count: Int64) {
    self.school = school
    self.count = count
  }
}

// As bytes: the kind in the lowest bits of a number and the season, if there is one, above them; then what there is. A batch
// takes 22 bytes at least and about 25 as a rule, 16 of them for the player.
extension TallyRecord {
  private static let chosenKind: UInt64 = 0
  private static let countedKind: UInt64 = 1
  private static let abnormalKind: UInt64 = 2
  private static let becameSuspectKind: UInt64 = 3
  private static let voidedKind: UInt64 = 4
  private static let closedKind: UInt64 = 5
  private static let kindBits: UInt64 = 3

  /// The greatest number that a count, a time or a record's number may have.
  static let greatest: Int64 = 1 << 52

  func write(to bytes: inout ByteWriter) {
    switch self {
    case .chosen(let player, let number, let school):
      bytes.number(Self.chosenKind)
      bytes.fixed(player.value)
      bytes.number(number)
      bytes.fixed(school.value)
    case .counted(let player, let school, let season, let batch, let taps, let schoolCount):
      bytes.number(UInt64(season) << Self.kindBits | Self.countedKind)
      bytes.fixed(player.value)
      bytes.number(school)
      bytes.number(batch)
      bytes.number(taps)
      bytes.number(schoolCount)
    case .abnormal(let player, let batch, let becameSuspect):
      bytes.number(becameSuspect ? Self.becameSuspectKind : Self.abnormalKind)
      bytes.fixed(player.value)
      bytes.number(batch)
    case .voided(let player, let season, let taps):
      bytes.number(UInt64(season) << Self.kindBits | Self.voidedKind)
      bytes.fixed(player.value)
      bytes.number(taps.count)
      for taps in taps {
        bytes.number(taps.school)
        bytes.number(taps.count)
      }
    case .closed(let season, let time):
      bytes.number(UInt64(season) << Self.kindBits | Self.closedKind)
      bytes.number(time.milliseconds)
    }
  }

  init(from bytes: inout ByteReader) throws(JournalFault) {
    let head = try bytes.number()
    let kind = head & (1 << Self.kindBits - 1)
    let season = head >> Self.kindBits
    switch kind {
    case Self.countedKind, Self.voidedKind, Self.closedKind:
      try bytes.require(1...UInt64(UInt32.max) ~= season, "season")
    default:
      try bytes.require(season == 0, "season")
    }
    switch kind {
    case Self.chosenKind:
      let player = PlayerID(try bytes.fixed128())
      let number = try bytes.number(in: 0...UInt32.max, "number of a school")
      guard let school = SchoolID(value: try bytes.fixed128()) else { throw bytes.fault(.impossible("school")) }
      self = .chosen(player, number: number, school)
    case Self.countedKind:
      self = .counted(
        PlayerID(try bytes.fixed128()),
        school: try bytes.number(in: 0...UInt32.max, "number of a school"),
        season: UInt32(season),
        batch: try bytes.number(in: 1...UInt32.max, "batch"),
        taps: try bytes.number(in: 1...TapRules.tapsMax, "taps"),
        schoolCount: try bytes.number(in: 1...Self.greatest, "count of a school")
      )
    case Self.abnormalKind, Self.becameSuspectKind:
      self = .abnormal(
        PlayerID(try bytes.fixed128()),
        batch: try bytes.number(in: 1...UInt32.max, "batch"),
        becameSuspect: kind == Self.becameSuspectKind
      )
    case Self.voidedKind:
      let player = PlayerID(try bytes.fixed128())
      self = .voided(player, season: UInt32(season), try Self.voidedTaps(from: &bytes))
    case Self.closedKind:
      self = .closed(
        season: UInt32(season),
        at: Instant(milliseconds: try bytes.number(in: 0...Self.greatest, "time"))
      )
    default: throw bytes.fault(.impossible("kind of a record"))
    }
  }

  private static func voidedTaps(from bytes: inout ByteReader) throws(JournalFault) -> [VoidedTaps] {
    var taps: [VoidedTaps] = []
    for _ in 0..<(try bytes.count(bytesEach: 2, "number of schools")) {
      let school = try bytes.number(in: 0...UInt32.max, "number of a school")
      try bytes.require(taps.last.map { $0.school < school } ?? true, "order of schools")
      taps.append(VoidedTaps(school: school, count: try bytes.number(in: 1...greatest, "voided count")))
    }
    try bytes.require(!taps.isEmpty, "number of schools")
    return taps
  }
}
