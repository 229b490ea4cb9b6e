// What the tally knows: players and the schools' totals by season for ever, players' counts until their season is old. A
// value, owned by the tally. Records alone change it, when they are made and when they are read back, by the same functions;
// each row knows the newest record in it and takes no record twice, so that a recovery may begin with rows that were written
// at different times. Here nothing is judged, and no time is known but those that records carry.

/// The rows of the tally, in memory.
struct TallyBook: Sendable {
  /// A total by its season and school.
  struct TotalPlace: Sendable {
    let season: UInt32
    let school: UInt32
  }

  /// The newest record's number.
  private(set) var sequence: UInt64 = 0
  /// By the tally's number: a player's is the slot.
  private(set) var players: ContiguousArray<TallyPlayer> = []
  private var slots: [PlayerID: UInt32] = [:]
  private(set) var counts = TapCounts()
  /// Schools that somebody has chosen ever, by the tally's number.
  private(set) var schools: ContiguousArray<SchoolID> = []
  private(set) var numbers: [SchoolID: UInt32] = [:]
  /// From season 1; the last one runs.
  private(set) var seasons: ContiguousArray<SeasonTotals> = [SeasonTotals()]

  // What is not written yet.
  var changedPlayers = ChangeQueue<UInt32>()
  var changedTotals = ChangeQueue<TotalPlace>()
  var changedSchools = ChangeQueue<UInt32>()
  var changedSeasons = ChangeQueue<UInt32>()
  /// Schools whose total of this season the ranking has not been told.
  private var untold: ContiguousArray<UInt32> = []

  /// The season that runs, from 1.
  var season: UInt32 { UInt32(seasons.count) }

  func slot(of player: PlayerID) -> UInt32? { slots[player] }

  subscript(slot: UInt32) -> TallyPlayer { players[Int(slot)] }

  func totals(of season: UInt32) -> SeasonTotals? {
    1...self.season ~= season ? seasons[Int(season) - 1] : nil
  }

  func total(of school: UInt32, in season: UInt32) -> SeasonTotals.Total {
    seasons[Int(season) - 1][school]
  }

  /// The number of a record that is about to be made.
  mutating func nextSequence() -> UInt64 {
    sequence += 1
    return sequence
  }

  /// A record with this number has been read.
  mutating func reach(_ sequence: UInt64) {
    self.sequence = max(self.sequence, sequence)
  }
}

// What records do.
extension TallyBook {
  /// Who has not chosen before gets the next slot, for a choice that is about to be put in.
  mutating func append(_ player: PlayerID, school: UInt32) -> UInt32 {
    append(TallyPlayer(player, school: school, sequence: 0))
  }

  /// A player has chosen a school that has a number, for the first time or another one than before.
  mutating func choose(_ school: UInt32, by slot: UInt32, sequence: UInt64) {
    change(slot, by: sequence) { $0.choose(school) }
  }

  /// Gives a school the next number.
  mutating func append(_ school: SchoolID, sequence: UInt64) {
    changedSchools.append(UInt32(schools.count), since: sequence)
    restore(school)
  }

  /// A batch has counted; `schoolCount` is what its answer says.
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

  /// What a player had counted in a season counts no more: the parts are what each school loses.
  mutating func void(_ parts: [VoidedTaps], of slot: UInt32, season: UInt32, sequence: UInt64) {
    for part in parts {
      let key = TapCounts.Key(player: slot, school: part.school, season: season)
      let isCounted = counts.void(part.count, of: key, sequence: sequence)
      precondition(isCounted, "what is voided was counted")
      add(-part.count, to: part.school, in: season, sequence: sequence)
    }
    change(slot, by: sequence) { $0.void(season: season) }
  }

  /// A player's id is gone; the slot, the counts and the totals stay.
  mutating func forget(_ slot: UInt32, sequence: UInt64) {
    guard sequence > self[slot].sequence, let id = self[slot].id else { return }
    slots[id] = nil
    change(slot, by: sequence) { $0.forget() }
  }

  /// The season that runs ends, and the next begins at zero.
  mutating func close(at time: Instant, sequence: UInt64) {
    changedSeasons.append(season, since: sequence)
    restoreEnd(at: time, sequence: sequence)
  }

  /// Where the player's window is: no part of what lasts.
  mutating func setWindow(_ window: UInt32, of slot: UInt32) {
    players[Int(slot)].window = window
  }

  private mutating func append(_ player: TallyPlayer) -> UInt32 {
    let slot = UInt32(players.count)
    if let id = player.id { slots[id] = slot }
    players.append(player)
    return slot
  }

  /// Changes a player's row by what a record tells, unless the row has that already.
  private mutating func change(_ slot: UInt32, by sequence: UInt64, _ change: (inout TallyPlayer) -> Void) {
    guard sequence > self[slot].sequence else { return }
    change(&players[Int(slot)])
    players[Int(slot)].sequence = sequence
    guard !self[slot].isChanged else { return }
    players[Int(slot)].isChanged = true
    changedPlayers.append(slot, since: sequence)
  }

  /// What a total should have been, without a record that says so.
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
    markUntold(school, in: season)
  }
}

// What the ranking is told.
extension TallyBook {
  /// The schools whose totals of this season have changed since this was asked last.
  mutating func takeUntold() -> ContiguousArray<UInt32> {
    for school in untold {
      _ = seasons[seasons.count - 1].setUntold(false, school)
    }
    defer { untold = [] }
    return untold
  }

  private mutating func markUntold(_ school: UInt32, in season: UInt32) {
    if season == self.season, seasons[Int(season) - 1].setUntold(true, school) { untold.append(school) }
  }
}

// What rows of tables say, as they were written; it does not wait to be written again.
extension TallyBook {
  /// The next school, by number.
  mutating func restore(_ school: SchoolID) {
    numbers[school] = UInt32(schools.count)
    schools.append(school)
  }

  /// The end of the season that runs.
  mutating func restoreEnd(at time: Instant, sequence: UInt64) {
    seasons[seasons.count - 1].close(at: time, sequence: sequence)
    seasons.append(SeasonTotals())
    untold = []
    reach(sequence)
  }

  /// The next player, by number; false if another is the same one.
  mutating func restore(_ player: TallyPlayer) -> Bool {
    guard player.id.map({ slots[$0] == nil }) ?? true else { return false }
    _ = append(player)
    reach(player.sequence)
    return true
  }

  /// False if there is such a row already.
  mutating func restoreTotal(of school: UInt32, in season: UInt32, count: Int64, reached: UInt64) -> Bool {
    guard seasons[Int(season) - 1].restore(school, count: count, reached: reached) else { return false }
    markUntold(school, in: season)
    reach(reached)
    return true
  }

  /// The same.
  mutating func restore(_ key: TapCounts.Key, count: Int64, voided: Int64, sequence: UInt64) -> Bool {
    guard counts.restore(key, count: count, voided: voided, sequence: sequence) else { return false }
    reach(sequence)
    return true
  }
}

// What is written.
extension TallyBook {
  /// How many rows wait.
  var changedCount: Int {
    changedSchools.count + changedSeasons.count + changedPlayers.count + changedTotals.count + counts.changedCount
  }

  /// The player whose row waits to be written longest.
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

  /// The counts of seasons before the one that was closed last leave memory when they are written.
  mutating func dropOldCounts() {
    if season > 2 { counts.drop(through: season - 2) }
  }
}
