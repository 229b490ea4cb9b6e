// Applies records that are read back to the tally. Part of the tally's value. Nothing is judged again. After a loss on
// the disk, a record may not fit the state; such a one must do nothing at all.

extension Tally {
  /// Applies the records of a segment that are newer than the rows they change. Segments come in their order; a missing
  /// one's records are lost. Returns the number of records that did not fit and were left out; after a fault, nothing
  /// of the segment was applied.
  ///
  /// Lost numbers of players and schools are reused. So if anything was left out, all rows must be written and all
  /// records forgotten before anybody taps: otherwise the records would later seem to be about others.
  package mutating func apply(_ segment: [UInt8]) throws(JournalFault) -> Int {
    let (first, records) = try TallySegment.records(of: segment)
    var mismatches = 0
    for (index, record) in records.enumerated() {
      let sequence = first + UInt64(index)
      if !apply(record, sequence: sequence) { mismatches += 1 }
      book.reach(sequence)
    }
    markClosedSchools()
    return mismatches
  }

  /// Applies a record; false if it does not fit the state.
  private mutating func apply(_ record: TallyRecord, sequence: UInt64) -> Bool {
    switch record {
    case .chosen(let player, let id, let school, let schoolID):
      guard fits(id, player, sequence), fits(schoolID, school) else { return false }
      if !hasSchool(school) { book.append(schoolID, sequence: sequence) }
      let slot = hasPlayer(player) ? player : book.append(id, school: school)
      book.choose(school, by: slot, sequence: sequence)
    case .counted(let player, let school, let season, let batch, let taps, let schoolCount):
      guard hasPlayer(player), hasSchool(school), 1...book.season ~= season, fits(batch, of: player, sequence)
      else { return false }
      book.count(
        taps,
        by: player,
        for: school,
        in: season,
        batch: batch,
        schoolCount: schoolCount,
        sequence: sequence
      )
    case .abnormal(let player, let batch, let becameSuspect):
      guard hasPlayer(player), fits(batch, of: player, sequence) else { return false }
      book.drop(batch: batch, by: player, becameSuspect: becameSuspect, sequence: sequence)
    case .voided(let player, let season, let parts):
      guard hasPlayer(player), 1...book.season ~= season,
        parts.allSatisfy({ fits($0, of: player, season, sequence) })
      else { return false }
      book.void(parts, of: player, season: season, sequence: sequence)
    case .forgotten(let player):
      guard hasPlayer(player) else { return false }
      book.forget(player, sequence: sequence)
    case .closed(let season, let time):
      guard season <= book.season else { return false }
      if season == book.season { book.close(at: time, sequence: sequence) }
    }
    return true
  }

  private func hasPlayer(_ number: UInt32) -> Bool {
    number < book.players.count
  }

  private func hasSchool(_ number: UInt32) -> Bool {
    number < book.schools.count
  }

  /// Whether the number is the player's, or the next one.
  private func fits(_ player: PlayerID, _ number: UInt32, _ sequence: UInt64) -> Bool {
    guard hasPlayer(number) else { return number == book.players.count && book.slot(of: player) == nil }
    // A forgotten player has a newer row.
    return book[number].id.map { $0 == player } ?? (sequence <= book[number].sequence)
  }

  /// Whether the number is the school's, or the next one.
  private func fits(_ school: SchoolID, _ number: UInt32) -> Bool {
    guard hasSchool(number) else { return number == book.schools.count && book.numbers[school] == nil }
    return book.schools[Int(number)] == school
  }

  /// Whether the batch's number is greater than those of earlier records.
  private func fits(_ batch: UInt32, of slot: UInt32, _ sequence: UInt64) -> Bool {
    sequence <= book[slot].sequence || batch > book[slot].lastBatch
  }

  /// Whether the voided taps are in the count, and in the total.
  private func fits(_ part: VoidedTaps, of slot: UInt32, _ season: UInt32, _ sequence: UInt64) -> Bool {
    let key = TapCounts.Key(player: slot, school: part.school, season: season)
    guard hasSchool(part.school), let row = book.counts[key] else { return false }
    let total = book.total(of: part.school, in: season)
    return (sequence <= row.sequence || part.count <= row.counted)
      && (sequence <= total.reached || part.count <= total.count)
  }
}
