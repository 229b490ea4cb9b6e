// The state of the tally: players and the schools' totals by season permanently, players' counts until their season is
// old. A value, owned by the tally. Only records change it, through the same functions when made and when read back.
// Each row knows its newest record and takes no record twice, so that a recovery may begin with rows of different
// times. Nothing is judged here, and the only times are those of records.

/// The rows of the tally, in memory.
struct TallyBook: Sendable {
  /// The key of a total: its season and school.
  struct TotalPlace: Sendable {
    let season: UInt32
    let school: UInt32
  }

  /// The newest record's number.
  private(set) var sequence: UInt64 = 0
  /// By the tally's number, which is a player's slot.
  private(set) var players: ContiguousArray<TallyPlayer> = []
  private var slots: [PlayerID: UInt32] = [:]
  private(set) var counts = TapCounts()
  /// Every school that was ever chosen, by the tally's number.
  private(set) var schools: ContiguousArray<SchoolID> = []
  private(set) var numbers: [SchoolID: UInt32] = [:]
  /// From season 1; the last one is running.
  private(set) var seasons: ContiguousArray<SeasonTotals> = [SeasonTotals()]

  // Rows that are not written yet.
  var changedPlayers = ChangeQueue<UInt32>()
  var changedTotals = ChangeQueue<TotalPlace>()
  var changedSchools = ChangeQueue<UInt32>()
  var changedSeasons = ChangeQueue<UInt32>()
  /// Schools whose total of this season has changed since the ranking took it.
  private var forRanking: ContiguousArray<UInt32> = []

  /// The running season, from 1.
  var season: UInt32 { UInt32(seasons.count) }

  func slot(of player: PlayerID) -> UInt32? { slots[player] }

  subscript(slot: UInt32) -> TallyPlayer { players[Int(slot)] }

  func totals(of season: UInt32) -> SeasonTotals? {
    1...self.season ~= season ? seasons[Int(season) - 1] : nil
  }

  func total(of school: UInt32, in season: UInt32) -> SeasonTotals.Total {
    seasons[Int(season) - 1][school]
  }

  /// The number of the next record.
  mutating func nextSequence() -> UInt64 {
    sequence += 1
    return sequence
  }

  /// Notes that a record with this number was read.
  mutating func reach(_ sequence: UInt64) {
    self.sequence = max(self.sequence, sequence)
  }
}

// The effects of records.
extension TallyBook {
  /// Gives a new player the next slot, for a choice that follows.
  mutating func append(_ player: PlayerID, school: UInt32) -> UInt32 {
    append(TallyPlayer(player, school: school, sequence: 0))
  }

  /// Sets a player's choice of a school that has a number: the first, or a change.
  mutating func choose(_ school: UInt32, by slot: UInt32, sequence: UInt64) {
    change(slot, by: sequence) { $0.choose(school) }
  }

  /// Gives a school the next number.
  mutating func append(_ school: SchoolID, sequence: UInt64) {
    changedSchools.append(UInt32(schools.count), since: sequence)
    restore(school)
  }

  /// Counts a batch; `schoolCount` is the answer's.
  mutating func count(
    _ taps: Int64,
    by slot: UInt32,
    for school: UInt32,
    in season: UInt32,
    batch: UInt32,
    schoolCount: Int64,
    sequence: UInt64
  ) {
    let key = TapCounts.Key(player: slot, school: school, season: season)
    let place = counts.add(taps, to: key, hint: self[slot].count, sequence: sequence)
    add(taps, to: school, in: season, sequence: sequence)
    change(slot, by: sequence) {
      $0.count(taps, season: season, batch: batch, schoolCount: schoolCount)
      $0.count = place
    }
  }

  mutating func drop(batch: UInt32, by slot: UInt32, becameSuspect: Bool, sequence: UInt64) {
    change(slot, by: sequence) { $0.drop(batch: batch, becameSuspect: becameSuspect) }
  }

  /// Voids a player's counts of a season; the parts are the losses of each school.
  mutating func void(_ parts: [VoidedTaps], of slot: UInt32, season: UInt32, sequence: UInt64) {
    for part in parts {
      let key = TapCounts.Key(player: slot, school: part.school, season: season)
      let isCounted = counts.void(part.count, of: key, sequence: sequence)
      precondition(isCounted, "only counted taps are voided")
      add(-part.count, to: part.school, in: season, sequence: sequence)
    }
    change(slot, by: sequence) { $0.void(season: season) }
  }

  /// Removes a player's id; the slot, the counts and the totals stay.
  mutating func forget(_ slot: UInt32, sequence: UInt64) {
    guard sequence > self[slot].sequence, let id = self[slot].id else { return }
    slots[id] = nil
    change(slot, by: sequence) { $0.forget() }
  }

  /// Ends the running season; the next begins at zero.
  mutating func close(at time: Instant, sequence: UInt64) {
    changedSeasons.append(season, since: sequence)
    restoreEnd(at: time, sequence: sequence)
  }

  /// Sets the position of the player's window, which is not durable.
  mutating func setWindow(_ window: UInt32, of slot: UInt32) {
    players[Int(slot)].window = window
  }

  private mutating func append(_ player: TallyPlayer) -> UInt32 {
    let slot = UInt32(players.count)
    if let id = player.id { slots[id] = slot }
    players.append(player)
    return slot
  }

  /// Changes a player's row by a record, unless the row has it already.
  private mutating func change(_ slot: UInt32, by sequence: UInt64, _ change: (inout TallyPlayer) -> Void) {
    guard sequence > self[slot].sequence else { return }
    change(&players[Int(slot)])
    players[Int(slot)].sequence = sequence
    guard !self[slot].isChanged else { return }
    players[Int(slot)].isChanged = true
    changedPlayers.append(slot, since: sequence)
  }

  /// Corrects a total without a record.
  mutating func correctTotal(of school: UInt32, in season: UInt32, to count: Int64) {
    seasons[Int(season) - 1].correct(school, to: count)
    noteChange(of: school, in: season, since: sequence)
  }

  private mutating func add(_ taps: Int64, to school: UInt32, in season: UInt32, sequence: UInt64) {
    guard seasons[Int(season) - 1].add(taps, to: school, sequence: sequence) else { return }
    noteChange(of: school, in: season, since: sequence)
  }

  private mutating func noteChange(of school: UInt32, in season: UInt32, since sequence: UInt64) {
    if seasons[Int(season) - 1].setChanged(true, school) {
      changedTotals.append(TotalPlace(season: season, school: school), since: sequence)
    }
    markForRanking(school, in: season)
  }
}

// The part for the ranking.
extension TallyBook {
  /// Takes the schools whose totals of this season have changed since the last call.
  mutating func takeForRanking() -> ContiguousArray<UInt32> {
    for school in forRanking {
      _ = seasons[seasons.count - 1].setAwaitsRanking(false, school)
    }
    defer { forRanking = [] }
    return forRanking
  }

  private mutating func markForRanking(_ school: UInt32, in season: UInt32) {
    if season == self.season, seasons[Int(season) - 1].setAwaitsRanking(true, school) { forRanking.append(school) }
  }
}

// Rows of tables as they were written; they do not wait to be written again.
extension TallyBook {
  /// Restores the next school, by number.
  mutating func restore(_ school: SchoolID) {
    numbers[school] = UInt32(schools.count)
    schools.append(school)
  }

  /// Restores the end of the running season.
  mutating func restoreEnd(at time: Instant, sequence: UInt64) {
    seasons[seasons.count - 1].close(at: time, sequence: sequence)
    seasons.append(SeasonTotals())
    forRanking = []
    reach(sequence)
  }

  /// Restores the next player, by number; false if its id is already another's.
  mutating func restore(_ player: TallyPlayer) -> Bool {
    guard player.id.map({ slots[$0] == nil }) ?? true else { return false }
    _ = append(player)
    reach(player.sequence)
    return true
  }

  /// Restores a total; false if there is such a row already.
  mutating func restoreTotal(of school: UInt32, in season: UInt32, count: Int64, reached: UInt64) -> Bool {
    guard seasons[Int(season) - 1].restore(school, count: count, reached: reached) else { return false }
    markForRanking(school, in: season)
    reach(reached)
    return true
  }

  /// Restores a count; false if there is such a row already.
  mutating func restore(_ key: TapCounts.Key, count: Int64, voided: Int64, sequence: UInt64) -> Bool {
    guard counts.restore(key, count: count, voided: voided, sequence: sequence) else { return false }
    reach(sequence)
    return true
  }
}

// The part for writing.
extension TallyBook {
  /// The number of waiting rows.
  var changedCount: Int {
    changedSchools.count + changedSeasons.count + changedPlayers.count + changedTotals.count + counts.changedCount
  }

  /// The player whose row has waited longest to be written.
  mutating func popChangedPlayer() -> TapPlayerRow? {
    guard let slot = changedPlayers.popFirst() else { return nil }
    players[Int(slot)].isChanged = false
    return self[slot].row(number: slot)
  }

  mutating func popChangedTotal() -> TotalPlace? {
    guard let place = changedTotals.popFirst() else { return nil }
    _ = seasons[Int(place.season) - 1].setChanged(false, place.school)
    return place
  }

  mutating func popChangedCount() -> TapCounts.Count? {
    counts.popChanged()
  }

  /// Drops the counts of seasons before the last closed one from memory, once they are written.
  mutating func dropOldCounts() {
    if season > 2 { counts.drop(through: season - 2) }
  }
}
