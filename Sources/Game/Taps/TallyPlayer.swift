// The tally's state of a player, in one row of 80 bytes. A plain value, owned by the tally's book.

/// A player who has chosen a school.
struct TallyPlayer: Sendable {
  /// The player's id; nil if forgotten.
  private(set) var id: PlayerID?
  // Small fields together, in the padding of the optional.
  private(set) var isLastAbnormal = false
  private(set) var isSuspect = false
  /// Whether the row waits to be written.
  var isChanged = false
  /// By the tally's number.
  private(set) var school: UInt32
  /// The newest record that has changed this row.
  var sequence: UInt64
  /// The count since the last choice, in `shownSeason`.
  private var shown: Int64 = 0
  /// The answer to `lastBatch`, unless that was abnormal.
  private var answerMyCount: Int64 = 0
  private var answerSchoolCount: Int64 = 0
  private var shownSeason: UInt32 = 0
  /// The number of the newest batch that counted or was abnormal; 0 before the first.
  private(set) var lastBatch: UInt32 = 0
  private(set) var abnormalCount: UInt32 = 0
  /// The positions of the player's newest count and window; any number before they exist.
  var count: UInt32 = .max
  var window: UInt32 = .max

  init(_ id: PlayerID?, school: UInt32, sequence: UInt64) {
    self.id = id
    self.school = school
    self.sequence = sequence
  }

  /// The own count as the player sees it: since the last choice, in this season.
  func myCount(in season: UInt32) -> Int64 {
    shownSeason == season ? shown : 0
  }

  /// The answer to the newest batch; nil before the first, and where that was abnormal.
  var lastAnswer: TapAnswer? {
    guard lastBatch > 0, !isLastAbnormal else { return nil }
    return TapAnswer(batch: lastBatch, myCount: answerMyCount, schoolCount: answerSchoolCount)
  }

  mutating func choose(_ school: UInt32) {
    self.school = school
    shown = 0
  }

  mutating func count(_ taps: Int64, season: UInt32, batch: UInt32, schoolCount: Int64) {
    shown = myCount(in: season) + taps
    shownSeason = season
    lastBatch = batch
    isLastAbnormal = false
    answerMyCount = shown
    answerSchoolCount = schoolCount
  }

  mutating func drop(batch: UInt32, becameSuspect: Bool) {
    lastBatch = batch
    isLastAbnormal = true
    if abnormalCount < .max { abnormalCount += 1 }
    if becameSuspect { isSuspect = true }
  }

  /// Voids the counts of a season.
  mutating func void(season: UInt32) {
    if shownSeason == season { shown = 0 }
  }

  /// Forgets a deleted account; the counts stay.
  mutating func forget() {
    id = nil
  }
}

// As a row of a table.
extension TallyPlayer {
  init(_ row: TapPlayerRow) {
    self.init(row.player, school: row.school, sequence: row.sequence)
    shown = row.shown
    shownSeason = row.shownSeason
    lastBatch = row.lastBatch
    isLastAbnormal = row.isLastAbnormal
    answerMyCount = row.answerMyCount
    answerSchoolCount = row.answerSchoolCount
    abnormalCount = row.abnormalCount
    isSuspect = row.isSuspect
  }

  func row(number: UInt32) -> TapPlayerRow {
    TapPlayerRow(
      number: number,
      player: id,
      sequence: sequence,
      school: school,
      shown: shown,
      shownSeason: shownSeason,
      lastBatch: lastBatch,
      isLastAbnormal: isLastAbnormal,
      answerMyCount: answerMyCount,
      answerSchoolCount: answerSchoolCount,
      abnormalCount: abnormalCount,
      isSuspect: isSuspect
    )
  }
}
