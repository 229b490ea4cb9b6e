// The one that decides on taps. A value; whoever owns it asks from all shards, one at a time under a lock, takes the records
// of each commit, and lets no answer out before the record that it follows from is durable. It never reads a clock, and never
// looks at what is durable: a batch that is not committed yet has its number used up all the same.

/// Counts the taps of all players, each batch once.
///
/// A player sends batches numbered 1, 2, 3 …, and sends one again until it is answered. The newest number and its answer are
/// part of what lasts, and so a batch counts once, whoever asks how often, over which connection, before or after a crash.
///
/// What lasts is in records (`takeRecords`) and in rows (`takeChangedRows`). A tally is made anew by rows, then the segments
/// that are not older than `recordsNeededFrom` was when they were written; then it gives the same answers as before. Only the
/// windows of its rates begin anew.
package struct Tally: Sendable {
  var book = TallyBook()
  var records = TallySegmentWriter()
  var windows = TapWindows()
  var abnormals = RecentAbnormals()
  private var closedSchools: Set<SchoolID> = []
  /// The same by the tally's number.
  private var isClosed: ContiguousArray<Bool> = []
  /// The newest time; shards read their clocks before they wait for each other.
  private var now = Instant(milliseconds: 0)

  /// Nobody, and the first season.
  package init() {}

  /// Decides on a batch. A time before one that was given earlier counts as that one.
  ///
  /// Numbers end with `UInt32.max`, after 27 years of five batches a second; a player who has used that one up can only hear
  /// its answer again.
  package mutating func tap(_ player: PlayerID, batch: UInt32, count: Int64, at time: Instant) -> TapDecision {
    now = max(now, time)
    guard let slot = book.slot(of: player) else { return .noSchool }
    let (school, lastBatch) = (book[slot].school, book[slot].lastBatch)
    // Nobody's first batch is 0, so that number is used by nobody who has used none.
    if lastBatch > 0, batch <= lastBatch { return answer(toUsed: batch, of: book[slot]) }
    guard !isClosed[Int(school)] else { return .schoolClosed }
    guard batch > lastBatch, batch - lastBatch == 1 else { return .gap(expected: lastBatch + 1) }
    guard count >= 1 else { return .outOfRange }
    guard count <= TapRules.tapsMax else { return drop(batch, of: slot) }
    let waitMs = windows.waitMs(for: count, of: slot, in: book[slot].window, at: now)
    guard waitMs == 0 else { return .tooFast(retryAfterMs: waitMs) }
    return self.count(count, batch, of: slot, for: school)
  }

  /// A player chooses a school, which exists; that is the caller's to know. Another school than before sets the own count to
  /// 0, and the one before keeps its total.
  package mutating func choose(_ school: SchoolID, by player: PlayerID) -> SchoolChoice {
    guard !closedSchools.contains(school) else { return .closed }
    let number = book.numbers[school] ?? UInt32(book.schools.count)
    let known = book.slot(of: player)
    if let known, book[known].school == number { return .same }
    let sequence = book.nextSequence()
    if number == book.schools.count {
      book.append(school, sequence: sequence)
      isClosed.append(false)
    }
    let slot = known ?? book.append(player, school: number)
    book.choose(number, by: slot, sequence: sequence)
    records.append(.chosen(player: slot, id: player, school: number, schoolID: school), sequence: sequence)
    return .chosen
  }

  /// A player's account is deleted: the tally forgets the id, in rows that are taken from now on and in all records that are
  /// still needed when those are durable. What was counted stays, and nobody's it is. Who chooses a school by the same id is
  /// a new player. False if the tally has not the player.
  package mutating func forget(_ player: PlayerID) -> Bool {
    guard let slot = book.slot(of: player) else { return false }
    let sequence = book.nextSequence()
    book.forget(slot, sequence: sequence)
    abnormals.forget(slot)
    records.append(.forgotten(player: slot), sequence: sequence)
    return true
  }

  /// Says which schools are closed, all others being open. That is the catalogue's to know and not kept here.
  package mutating func setClosedSchools(_ schools: Set<SchoolID>) {
    closedSchools = schools
    markClosedSchools()
  }

  /// Something has been decided since the records were taken last.
  package var hasRecords: Bool { !records.isEmpty }

  /// What has been decided since this was asked last, for the next commit; nil if nothing.
  package mutating func takeRecords() -> TallySegment? {
    records.take()
  }

  private func answer(toUsed batch: UInt32, of player: TallyPlayer) -> TapDecision {
    if batch == player.lastBatch { return player.lastAnswer.map { .again($0) } ?? .againAbnormal }
    let schoolCount = book.total(of: player.school, in: book.season).count
    return .past(TapAnswer(batch: batch, myCount: player.myCount(in: book.season), schoolCount: schoolCount))
  }

  private mutating func count(_ taps: Int64, _ batch: UInt32, of slot: UInt32, for school: UInt32) -> TapDecision {
    let (sequence, season) = (book.nextSequence(), book.season)
    let schoolCount = book.total(of: school, in: season).count + taps
    book.count(
      taps,
      by: slot,
      for: school,
      in: season,
      batch: batch,
      schoolCount: schoolCount,
      sequence: sequence
    )
    book.setWindow(windows.add(taps, of: slot, in: book[slot].window, at: now), of: slot)
    records.append(
      .counted(player: slot, school: school, season: season, batch: batch, taps: taps, schoolCount: schoolCount),
      sequence: sequence
    )
    return .counted(
      TapAnswer(batch: batch, myCount: book[slot].myCount(in: season), schoolCount: schoolCount)
    )
  }

  private mutating func drop(_ batch: UInt32, of slot: UInt32) -> TapDecision {
    let becomesSuspect = !book[slot].isSuspect && abnormals.add(of: slot, at: now)
    let sequence = book.nextSequence()
    book.drop(batch: batch, by: slot, becameSuspect: becomesSuspect, sequence: sequence)
    records.append(.abnormal(player: slot, batch: batch, becameSuspect: becomesSuspect), sequence: sequence)
    return .abnormal(becameSuspect: becomesSuspect)
  }

  /// Brings the marks by number into line with the closed schools.
  mutating func markClosedSchools() {
    isClosed = ContiguousArray(book.schools.map { closedSchools.contains($0) })
  }
}
