// The records of the tally: one for each change, numbered one by one over all players. A record holds the decision and
// not its reason, so that none is ever judged again. Values; bytes that are read back may be damaged.

/// A change of the tally. Players and schools appear by the tally's own numbers.
package enum TallyRecord: Hashable, Sendable {
  /// The player's first choice, or a change of school. At the first choice by the player or of the school, the record
  /// assigns their numbers.
  case chosen(player: UInt32, id: PlayerID, school: UInt32, schoolID: SchoolID)
  /// A batch has counted; `schoolCount` is the school's total with it.
  case counted(player: UInt32, school: UInt32, season: UInt32, batch: UInt32, taps: Int64, schoolCount: Int64)
  /// A batch was dropped, and its number is used up.
  case abnormal(player: UInt32, batch: UInt32, becameSuspect: Bool)
  /// A player's counts of a season no longer count.
  case voided(player: UInt32, season: UInt32, [VoidedTaps])
  /// The player's id is gone and the number has no player; the counts stay.
  case forgotten(player: UInt32)
  /// A season has ended, and the next has begun.
  case closed(season: UInt32, at: Instant)
}

/// A school's loss of its total.
package struct VoidedTaps: Hashable, Sendable {
  package let school: UInt32
  package let count: Int64

  package init(school: UInt32, count: Int64) {
    self.school = school
    self.count = count
  }
}

// As bytes: a number with the kind in its lowest bits and the season, if any, above them; then the fields. A batch
// takes at least 6 bytes, and usually 10 with 100,000 players at 12,011 schools; after hundreds of batches each it
// takes 12.
extension TallyRecord {
  private static let chosenKind: UInt64 = 0
  private static let countedKind: UInt64 = 1
  private static let abnormalKind: UInt64 = 2
  private static let becameSuspectKind: UInt64 = 3
  private static let voidedKind: UInt64 = 4
  private static let closedKind: UInt64 = 5
  private static let forgottenKind: UInt64 = 6
  private static let kindBits: UInt64 = 3

  /// The greatest count, time or number of a record.
  static let greatest: Int64 = 1 << 52
  /// The greatest accepted value in a row: what counts on from there has space for longer than any server runs.
  static let greatestOfRow: Int64 = greatest - (1 << 40)

  func write(to bytes: inout ByteWriter) {
    switch self {
    case .chosen(let player, let id, let school, let schoolID):
      bytes.number(Self.chosenKind)
      bytes.number(player)
      bytes.fixed(id.value)
      bytes.number(school)
      bytes.fixed(schoolID.value)
    case .counted(let player, let school, let season, let batch, let taps, let schoolCount):
      bytes.number(UInt64(season) << Self.kindBits | Self.countedKind)
      bytes.number(player)
      bytes.number(school)
      bytes.number(batch)
      bytes.number(taps)
      bytes.number(schoolCount)
    case .abnormal(let player, let batch, let becameSuspect):
      bytes.number(becameSuspect ? Self.becameSuspectKind : Self.abnormalKind)
      bytes.number(player)
      bytes.number(batch)
    case .voided(let player, let season, let taps):
      bytes.number(UInt64(season) << Self.kindBits | Self.voidedKind)
      bytes.number(player)
      bytes.number(taps.count)
      for taps in taps {
        bytes.number(taps.school)
        bytes.number(taps.count)
      }
    case .forgotten(let player):
      bytes.number(Self.forgottenKind)
      bytes.number(player)
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
      let player = try Self.player(from: &bytes)
      let id = PlayerID(try bytes.fixed128())
      let school = try Self.school(from: &bytes)
      guard let schoolID = SchoolID(value: try bytes.fixed128()) else { throw bytes.fault(.impossible("school")) }
      self = .chosen(player: player, id: id, school: school, schoolID: schoolID)
    case Self.countedKind:
      self = .counted(
        player: try Self.player(from: &bytes),
        school: try Self.school(from: &bytes),
        season: UInt32(season),
        batch: try bytes.number(in: 1...UInt32.max, "batch"),
        taps: try bytes.number(in: 1...TapRules.tapsMax, "taps"),
        schoolCount: try bytes.number(in: 1...Self.greatest, "count of a school")
      )
    case Self.abnormalKind, Self.becameSuspectKind:
      self = .abnormal(
        player: try Self.player(from: &bytes),
        batch: try bytes.number(in: 1...UInt32.max, "batch"),
        becameSuspect: kind == Self.becameSuspectKind
      )
    case Self.voidedKind:
      self = .voided(
        player: try Self.player(from: &bytes),
        season: UInt32(season),
        try Self.voidedTaps(from: &bytes)
      )
    case Self.forgottenKind:
      self = .forgotten(player: try Self.player(from: &bytes))
    case Self.closedKind:
      self = .closed(
        season: UInt32(season),
        at: Instant(milliseconds: try bytes.number(in: 0...Self.greatest, "time"))
      )
    default: throw bytes.fault(.impossible("kind of a record"))
    }
  }

  private static func player(from bytes: inout ByteReader) throws(JournalFault) -> UInt32 {
    try bytes.number(in: 0...UInt32.max, "number of a player")
  }

  private static func school(from bytes: inout ByteReader) throws(JournalFault) -> UInt32 {
    try bytes.number(in: 0...UInt32.max, "number of a school")
  }

  private static func voidedTaps(from bytes: inout ByteReader) throws(JournalFault) -> [VoidedTaps] {
    var taps: [VoidedTaps] = []
    for _ in 0..<(try bytes.count(bytesEach: 2, "number of schools")) {
      let school = try school(from: &bytes)
      try bytes.require(taps.last.map { $0.school < school } ?? true, "order of schools")
      taps.append(VoidedTaps(school: school, count: try bytes.number(in: 1...greatest, "voided count")))
    }
    try bytes.require(!taps.isEmpty, "number of schools")
    return taps
  }
}
