// Decides on taps. A value; its owner asks from all shards, one at a time under a lock, takes the records of each
// commit, and releases no answer before the record behind it is durable. It never reads a clock and never checks
// durability: a batch that is not committed yet has used up its number all the same.

/// Counts the taps of all players, each batch once.
///
/// A player sends batches numbered 1, 2, 3 …, and repeats one until it is answered. The newest number and its answer
/// are durable, so a batch counts once, however often it is sent, over any connection, before or after a crash.
///
/// The durable state is in records (`takeRecords`) and in rows (`takeChangedRows`). A recovery takes the rows, then the
/// segments from the `recordsNeededFrom` of when these were written. The tally then gives the same answers as before.
/// Only the windows of its rates start again.
package struct Tally: Sendable {
  var book = TallyBook()
  var records = TallySegmentWriter()
  var windows = TapWindows()
  var abnormals = RecentAbnormals()
  private var closedSchools: Set<SchoolID> = []
  /// The closed schools by the tally's number.
  private var isClosed: ContiguousArray<Bool> = []
  /// The newest time; shards read their clocks before they wait for the lock.
  private var now = Instant(milliseconds: 0)

  /// An empty tally in the first season.
  package init() {}

  /// Decides on a batch. A time before an earlier call's counts as that one.
  ///
  /// Numbers end with `UInt32.max`, after 27 years of five batches a second; a player who has used that one can only
  /// get its answer again.
  package mutating func tap(_ player: PlayerID, batch: UInt32, count: Int64, at time: Instant) -> TapDecision {
    now = max(now, time)
    guard let slot = book.slot(of: player) else { return .noSchool }
    let (school, lastBatch) = (book[slot].school, book[slot].lastBatch)
    // No first batch is 0, so a player without batches has used no number.
    if lastBatch > 0, batch <= lastBatch { return answer(toUsed: batch, of: book[slot]) }
    guard !isClosed[Int(school)] else { return .schoolClosed }
    guard batch > lastBatch, batch - lastBatch == 1 else { return .gap(expected: lastBatch + 1) }
    guard count >= 1 else { return .outOfRange }
    guard count <= TapRules.tapsMax else { return drop(batch, of: slot) }
    let waitMs = windows.waitMs(for: count, of: slot, in: book[slot].window, at: now)
    guard waitMs == 0 else { return .tooFast(retryAfterMs: waitMs) }
    return self.count(count, batch, of: slot, for: school)
  }

  /// Chooses a school, which the caller knows to exist. A change of school sets the own count to 0, and the previous
  /// school keeps its total.
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

  /// Forgets the id of a player whose account is deleted: in rows taken from now on, and in all records that are still
  /// needed once these are durable. The counts stay, without a player. The same id is a new player when it chooses a
  /// school again. False for an unknown player.
  package mutating func forget(_ player: PlayerID) -> Bool {
    guard let slot = book.slot(of: player) else { return false }
    let sequence = book.nextSequence()
    book.forget(slot, sequence: sequence)
    abnormals.forget(slot)
    records.append(.forgotten(player: slot), sequence: sequence)
    return true
  }

  /// Sets the closed schools; all others are open. The catalogue knows them, and they are not kept here.
  package mutating func setClosedSchools(_ schools: Set<SchoolID>) {
    closedSchools = schools
    markClosedSchools()
  }

  /// Whether there were decisions since the records were last taken.
  package var hasRecords: Bool { !records.isEmpty }

  /// Takes the records of the decisions since the last call, for the next commit; nil without any.
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

  /// Updates the closed marks by number from the closed schools.
  mutating func markClosedSchools() {
    isClosed = ContiguousArray(book.schools.map { closedSchools.contains($0) })
  }
}
